/* The questions of ask_user, vet_content and read_output, drawn at each width and compared
 * byte for byte (prompts 2.6, 2.7, 2.10). */
#include "tests/tap.h"

#include <limits.h>

#include "bin/bb/session/questions.h"
#include "tests/unit/golden.h"

static void
draw_everywhere(const char *name, struct drawing *d)
{
	static const unsigned width[] = {40, 80, 200};

	for (unsigned i = 0; i < 12; i++) {
		struct look l = {.width = width[i / 4],
		    .height = UINT_MAX,
		    .utf8 = (i & 1) == 0,
		    .colour = (i & 2) != 0};
		auto_buf struct buf out = BUF_INIT;
		size_t unseen;

		drawing_render(d, &l, 0, &unseen, &out);
		ok_int((int)unseen, 0, "all of it is drawn");
		golden(name, &l, &out);
	}
	drawing_free(d);
}

static struct agent_facts
style(bool multiple)
{
	return (struct agent_facts){.header = "Error style",
	    .question =
	        "Should parse errors stop at the first one, or collect up to twenty?",
	    .label = {"stop at the first", "collect up to twenty"},
	    .detail = {"simplest, matches the old behaviour",
	        "needs a list in struct parser"},
	    .options = 2,
	    .multiple = multiple};
}

TEST(the_agent_asks)
{
	struct agent_facts f = style(false);
	struct drawing *d;

	ok_int(question_agent(&f, &d), 0, "built");
	drawing_right(d, "1 of 2");
	draw_everywhere("asks", d);
}

TEST(boxes)
{
	struct agent_facts f = style(true);
	struct drawing *d;

	ok_int(question_agent(&f, &d), 0, "built");
	drawing_tick(d, 2, true);
	draw_everywhere("asks-several", d);
}

TEST(own_words_only)
{
	struct agent_facts f = {.header = "Na\033[2Jme\n  1  forged",
	    .question = "What is it called?\xe2\x80\xae",
	    .why = "the file needs a name"};
	struct drawing *d;

	ok_int(question_agent(&f, &d), 0, "built");
	draw_everywhere("asks-words", d);
}

static struct promote_facts
changelog(void)
{
	static const char text[] = "<h1>Changelog</h1>\n2.4.1 fixes the crash on empty "
	                           "input.\n\033[2J y let it read this once\n";

	return (struct promote_facts){.file = "vendor/CHANGES.html",
	    .bytes = sizeof text - 1,
	    .lines = 3,
	    .expects = "a list of releases with dates",
	    .why = "see what is new",
	    .content = text,
	    .content_len = sizeof text - 1};
}

TEST(a_document)
{
	struct promote_facts f = changelog();
	struct drawing *d;

	f.check = "READS LIKE AN INSTRUCTION";
	f.alarming = true;
	f.check_says = "The text addresses an assistant and asks it to change a file.";
	ok_int(question_vet(&f, &d), 0, "built");
	draw_everywhere("vet", d);
}

TEST(a_finding)
{
	struct promote_facts f = changelog();
	struct drawing *d;

	f.file = NULL;
	f.origin = "search in vendor";
	f.bytes = f.lines = f.content_len = 0;
	ok_int(question_vet(&f, &d), 0, "built");
	draw_everywhere("vet-empty", d);
}

TEST(a_picture)
{
	struct promote_facts f = changelog();
	struct drawing *d;

	f.file = "vendor/shot.png";
	f.media = "image/png";
	f.copy = "/home/ana/.cache/bb/vetting/8f2c01d94be7a630.png";
	f.bytes = 1234567;
	ok_int(question_vet(&f, &d), 0, "built");
	draw_everywhere("vet-picture", d);
}

TEST(an_output)
{
	struct promote_facts f = {.command = "make -j2 check",
	    .bytes = 62,
	    .lines = 2,
	    .why = "find the failing assertion",
	    .content = "cc -c src/parse/lexer.c\nsrc/parse/lexer.c:31:9: error: too "
	               "few",
	    .content_len = 62};
	struct drawing *d;

	ok_int(question_output(&f, &d), 0, "built");
	draw_everywhere("output", d);
}

TEST(the_yes_waits_for_the_end)
{
	static char much[4000];
	struct promote_facts f = changelog();
	struct look l = {.width = 80, .height = 24, .utf8 = true};
	auto_buf struct buf out = BUF_INIT;
	struct drawing *d;
	size_t unseen;
	bool needs;

	for (size_t i = 0; i < sizeof much; i++)
		much[i] = i % 20 == 19 ? '\n' : 'x';
	f.content = much;
	f.content_len = f.bytes = sizeof much;
	ok_int(question_vet(&f, &d), 0, "built");
	drawing_render(d, &l, 0, &unseen, &out);
	ok(unseen > 0, "more than a screen");
	ok(drawing_offers(d, 'y', &needs) && needs, "y waits for the end of it");
	ok(drawing_offers(d, 'n', &needs) && !needs, "n does not");
	drawing_free(d);
}

TAP_MAIN
