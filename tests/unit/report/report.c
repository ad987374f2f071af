/* SPDX-License-Identifier: Apache-2.0
 *
 * Texts on their way into pages, numbers for people, series and their labels, findings, and the sub-command's exit codes.
 */
#include "study_rows.h"

#include <unistd.h>

#include "report/escape.h"
#include "report/facts.h"
#include "report/human.h"
#include "report/plot.h"
#include "report/report.h"

static const struct report_options given = { .given = true, .alpha = 5e-6, .bandwidth = 100e9 };

static void assert_escapes(enum escape how, const char *text, const char *expected)
{
	char *escaped = NULL;
	size_t size;
	FILE *out = open_memstream(&escaped, &size);

	escape_put(out, how, "%s", text);
	fclose(out);
	assert_string_equal(escaped, expected);
	free(escaped);
}

static void texts_are_escaped(void **state)
{
	(void)state;
	assert_escapes(ESCAPE_HTML, "<script>\"a\" & 'b' `c`</script>",
		       "&lt;script&gt;&quot;a&quot; &amp; &#39;b&#39; &#96;c&#96;&lt;/script&gt;");
	assert_escapes(ESCAPE_HTML, "a\nb\x1b[31m\x7f", "a b?[31m?");
	assert_escapes(ESCAPE_MARKDOWN, "a|b\n[x](y) <i> *z* $m$ !", "a\\|b \\[x\\]\\(y\\) &lt;i&gt; \\*z\\* \\$m\\$ \\!");
	assert_escapes(ESCAPE_PLAIN, "\x1b]0;title\x07 <ok>", "?]0;title? <ok>");
	assert_escapes(ESCAPE_CSV, "plain", "plain");
	assert_escapes(ESCAPE_CSV, "a,b \"c\"\nd", "\"a,b \"\"c\"\"\nd\"");
	assert_escapes(ESCAPE_CSV, "\x1b[31m\x01\x7f\xff", "\\x1b[31m\\x01\\x7f\\xff");
	assert_escapes(ESCAPE_CSV, "\t=1+1,\r\n", "\"\\x09=1+1,\\x0d\n\"");
	assert_escapes(ESCAPE_CSV, "M\xc3\xbcnster \xe2\x80\xae", "M\xc3\xbcnster \\xe2\\x80\\xae");
	assert_escapes(ESCAPE_CSV, "=cmd|'/c calc'!A1", "'=cmd|'/c calc'!A1");
}

static void what_is_no_utf8_is_replaced(void **state)
{
	(void)state;
	assert_escapes(ESCAPE_HTML, "\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80", "\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80");
	assert_escapes(ESCAPE_HTML, "\xff\xc3", "??");
	assert_escapes(ESCAPE_HTML, "\xc0\xbc", "??");           /* an overlong '<' */
	assert_escapes(ESCAPE_HTML, "\xe0\x80\xbc", "???");      /* likewise */
	assert_escapes(ESCAPE_HTML, "\xed\xa0\x80", "???");      /* half of a surrogate pair */
	assert_escapes(ESCAPE_HTML, "\xf4\x90\x80\x80", "????"); /* above the last character */
	assert_escapes(ESCAPE_PLAIN,
		       "a\xe2\x80\xae"
		       "b",
		       "a???b"); /* turns the direction of the line */
	assert_escapes(ESCAPE_PLAIN,
		       "\xc2\x9b"
		       "31m",
		       "??31m"); /* a terminal's other escape */
}

static void labels_hold_safe_characters_only(void **state)
{
	char label[24];

	(void)state;
	escape_label(label, sizeof label, "a-b_c.d/e+f 9");
	assert_string_equal(label, "a-b_c.d/e+f 9");
	escape_label(label, sizeof label, "\"`$(x)'\\@{^\n%");
	assert_string_equal(label, "????x????????");
	escape_label(label, sizeof label, "0123456789012345678901234567890123456789");
	assert_string_equal(label, "01234567890123456789012");
}

static void numbers_are_for_people(void **state)
{
	(void)state;
	assert_string_equal(human_size(8).text, "8 B");
	assert_string_equal(human_size(1023).text, "1023 B");
	assert_string_equal(human_size(1024).text, "1 KiB");
	assert_string_equal(human_size(1536 * 1024).text, "1.5 MiB");
	assert_string_equal(human_time(5.23e-7).text, "523 ns");
	assert_string_equal(human_time(9.9999e-7).text, "1 us");
	assert_string_equal(human_time(0.0123456).text, "12.3 ms");
	assert_string_equal(human_rate(12.345e9).text, "12.3 GB/s");
	assert_string_equal(human_rate(0).text, "0 B/s");
	assert_string_equal(human_percent(0.874).text, "87 %");
	assert_string_equal(human_percent(0.0264).text, "2.6 %");
	assert_string_equal(human_ratio(0.5).text, "0.50");
	assert_string_equal(human_ratio(0.01234).text, "0.0123");
	assert_string_equal(human_ratio(12.34).text, "12.3");
	assert_string_equal(human_ratio(4657.3).text, "4657");
	assert_string_equal(human_ratio(NAN).text, "-");
	assert_string_equal(human_times(2.5).text, "2.5");
	assert_string_equal(human_times(999.6).text, "1000");
	assert_string_equal(human_times(41666.7).text, "41667");
	assert_string_equal(human_times(2.5e7).text, "2.5e+07");
	assert_string_equal(human_times(NAN).text, "-");
	assert_string_equal(human_time(NAN).text, "-");
	assert_string_equal(human_rate(INFINITY).text, "-");
	assert_string_equal(human_integer(RESULT_NONE).text, "-");
}

static void quantities_are_checked_whole(void **state)
{
	static const char *const bad_durations[] = { "",  "us",  "5u",  "5us ",  " 5us",  "-5us",
						     "0", "nan", "inf", "0x5us", "1e999", "5uss" };
	static const char *const bad_bandwidths[] = { "",    "G",     "100X",   "100GB", "100Gb/s", "-1G",      "0",
						      "nan", "0x10G", "1e308T", "50",    "50B/s",   "999999Bps" };
	double value = 0;

	(void)state;
	assert_int_equal(report_duration_parse("5us", &value), 0);
	assert_close(value, 5e-6);
	assert_int_equal(report_duration_parse("1.5ms", &value), 0);
	assert_close(value, 1.5e-3);
	assert_int_equal(report_duration_parse("1e-6", &value), 0);
	assert_close(value, 1e-6);
	assert_int_equal(report_bandwidth_parse("100G", &value), 0);
	assert_close(value, 100e9);
	assert_int_equal(report_bandwidth_parse("12.5GB/s", &value), 0);
	assert_close(value, 12.5e9);
	assert_int_equal(report_bandwidth_parse("900MBps", &value), 0);
	assert_close(value, 900e6);
	assert_int_equal(report_bandwidth_parse("1000000", &value), 0);
	assert_close(value, 1e6);
	assert_int_equal(report_bandwidth_parse("1K", &value), 0);
	assert_close(value, 1e3);
	value = 42;
	for (size_t i = 0; i < sizeof bad_durations / sizeof *bad_durations; i++)
		assert_int_equal(report_duration_parse(bad_durations[i], &value), -1);
	for (size_t i = 0; i < sizeof bad_bandwidths / sizeof *bad_bandwidths; i++)
		assert_int_equal(report_bandwidth_parse(bad_bandwidths[i], &value), -1);
	assert_close(value, 42);
}

static void launches_of_one_size_are_one_point(void **state)
{
	struct study_text text;
	struct studied studied;
	const struct figure *figure;
	const struct point *point;

	(void)state;
	study_text_open(&text);
	fputs("1,,,r1,broadcast,sim,,4,float,,out-of-place,64,10,9,11,1,0,\n"
	      "1,,,r2,broadcast,sim,,4,float,,out-of-place,64,14,13,15,2,0,\n"
	      "1,,,r3,broadcast,sim,,4,float,,out-of-place,64,11,10,12,3,0,\n"
	      "1,,,r1,broadcast,sim,,4,float,,out-of-place,8,5,4,6,4,0,\n",
	      text.out);
	study_read(&text, &given, &studied);
	figure = &studied.study.figures[COLL_BROADCAST];
	assert_int_equal(figure->nshown, 1);
	assert_int_equal(figure->series[0].npoints, 2);
	point = &figure->series[0].points[0];
	assert_close(point->bytes, 8);
	assert_close(point->low, 4e-6);
	assert_close(point->high, 6e-6);
	point = &figure->series[0].points[1];
	assert_int_equal(point->launches, 3);
	assert_close(point->time, 11e-6);
	assert_close(point->busbw, 64 / 11e-6);
	assert_close(point->low, 10e-6);
	assert_close(point->high, 14e-6);
	assert_int_equal(figure->duplicates, 0);
	study_end(&studied);
}

static void series_are_labelled_by_what_differs(void **state)
{
	struct study_text text;
	struct studied studied;
	const struct figure *figure;

	(void)state;
	study_text_open(&text);
	for (int i = 0; i < 8; i++)
		fprintf(text.out, "1,,,r1,reduce,sim,p%d$,4,float,sum,in-place,64,10,,,1,0,\n", i);
	fputs("1,,,r1,reduce,sim,p0$,4,int32,sum,in-place,64,10,,,1,0,\n"
	      "1,,,r1,gather,sim,,4,float,,out-of-place,64,10,,,1,0,\n"
	      "1,,,r1,gather,sim,,4,float,,in-place,64,10,,,1,0,\n",
	      text.out);
	study_read(&text, &given, &studied);
	figure = &studied.study.figures[COLL_REDUCE];
	assert_int_equal(figure->nseries, 9);
	assert_int_equal(figure->nshown, STUDY_SHOWN_SERIES);
	assert_string_equal(figure->series[0].label, "p0?");
	assert_string_equal(figure->series[5].label, "p5?");
	figure = &studied.study.figures[COLL_GATHER];
	assert_string_equal(figure->series[0].label, "out-of-place");
	assert_string_equal(figure->series[1].label, "in-place");
	study_end(&studied);
}

static void jobs_of_one_rank_are_not_drawn(void **state)
{
	struct study_text text;
	struct studied studied;

	(void)state;
	/* Several processes that each thought they were alone, as one log. */
	study_text_open(&text);
	for (int i = 0; i < 3; i++)
		fputs("1,,,r1,all_reduce,sim,,1,float,sum,out-of-place,134217728,631.9,,,0,0,\n", text.out);
	fputs("1,,,r1,broadcast,sim,,4,float,,out-of-place,64,10,,,0,0,\n"
	      "1,,,r1,gather,sim,,4,float,,out-of-place,64,10,,,1,0,\n"
	      /* A log's two digits: 3.2 MB/s is 0.00 GB/s, 32 MB/s is not. */
	      "1,,,r1,reduce,sim,,4,float,,out-of-place,32,10,,,0,0,imported\n"
	      "1,,,r1,scatter,sim,,4,float,,out-of-place,640,10,,,0,0,imported\n",
	      text.out);
	study_read(&text, &given, &studied);
	assert_true(studied.findings.singleton);
	assert_false(studied.study.figures[COLL_REDUCE].singleton);
	assert_true(studied.study.figures[COLL_SCATTER].singleton);
	assert_true(studied.study.figures[COLL_ALL_REDUCE].singleton);
	assert_true(studied.study.figures[COLL_BROADCAST].singleton);
	assert_false(plot_has_figure(&studied.study.figures[COLL_ALL_REDUCE]));
	assert_true(plot_has_figure(&studied.study.figures[COLL_GATHER]));
	assert_true(study_found(&studied, FINDING_ERROR, "several jobs of one rank"));
	study_end(&studied);
}

static void findings_stand_worst_first(void **state)
{
	struct study_text text;
	struct studied studied;

	(void)state;
	study_text_open(&text);
	fputs("1,,,r1,gather,sim,,4,float,,out-of-place,64,10,,,1,0,noisy\n"
	      "1,,,r1,gather,sim,,4,float,,out-of-place,128,10,,,1,0,late noisy\n"
	      "1,1,5,r1,gather,sim,,4,float,,out-of-place,256,10,,,1,7,\n"
	      "1,,,r1,nonsense,sim,,4,float,,out-of-place,256,10,,,1,0,\n",
	      text.out);
	study_read(&text, &given, &studied);
	assert_true(studied.findings.wrong_data);
	assert_true(study_found(&studied, FINDING_ERROR,
				"gather: WRONG DATA in 1 of 3 points (first: 256 B, float, out-of-place, 7 elements)"));
	assert_true(study_found(&studied, FINDING_WARNING, "1 of 4 points have a rank that kept coming late"));
	assert_true(study_found(&studied, FINDING_WARNING, "1 rows of an unknown primitive"));
	assert_true(study_found(&studied, FINDING_WARNING, "incomplete"));
	assert_true(study_found(&studied, FINDING_NOTE, "2 of 4 points stayed noisy"));
	for (size_t i = 1; i < studied.findings.count; i++)
		assert_true(studied.findings.items[i - 1].level <= studied.findings.items[i].level);
	study_end(&studied);
}

static void another_path_than_asked_for_is_found(void **state)
{
	struct study_text text;
	struct studied studied;

	(void)state;
	study_text_open(&text);
	fputs("1,,,r1,gather,mpi,shm,4,float,,out-of-place,64,10,,,1,0,other_path\n"
	      "1,,,r1,gather,mpi,shm,4,float,,out-of-place,128,10,,,1,0,noisy other_path\n"
	      "1,,,r1,gather,mpi,shm,4,float,,out-of-place,256,10,,,1,0,traced\n",
	      text.out);
	study_read(&text, &given, &studied);
	assert_true(study_found(&studied, FINDING_WARNING, "2 of 3 points took another path than --path asked for"));
	assert_true(study_found(&studied, FINDING_NOTE, "1 of 3 points include a line in the library's log for each call"));
	study_end(&studied);
}

static void what_is_repeated_counts_once(void **state)
{
	static const struct report_options fitted = { 0 };
	struct study_text text;
	struct studied studied;

	(void)state;
	study_text_open(&text);
	for (int i = 0; i < 3; i++)
		fputs("1,,,r1,gather,sim,a,4,float,,out-of-place,64,10,,,1,0,noisy\n"
		      "1,,,r1,gather,sim,b,4,float,,out-of-place,64,10,,,1,0,\n",
		      text.out);
	/* Runs without a name may differ. */
	fputs("1,,,,gather,sim,a,4,float,,out-of-place,64,10,,,1,0,\n"
	      "1,,,,gather,sim,a,4,float,,out-of-place,64,11,,,1,0,\n"
	      "1,,,r1,gather,sim,a,8,float,,out-of-place,64,10,,,1,0,\n",
	      text.out);
	study_read(&text, &fitted, &studied);
	assert_true(study_found(&studied, FINDING_NOTE, "1 of 5 points stayed noisy"));
	assert_true(study_found(&studied, FINDING_NOTE, "no bounds for 4, 8 ranks over a"));
	assert_true(study_found(&studied, FINDING_WARNING, "5 rows repeat"));
	assert_int_equal(studied.study.figures[COLL_GATHER].distinct, 5);
	assert_int_equal(studied.study.figures[COLL_GATHER].duplicates, 5);
	study_end(&studied);
}

static void what_is_said_of_several_runs_is_said_once(void **state)
{
	static const char *const names[] = { "a", "b", "a", "c", "d", "e", "f", "g" };
	struct findings findings = { 0 };

	(void)state;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		findings.run = names[i];
		assert_int_equal(findings_add(&findings, FINDING_NOTE, "it is %s", "hot"), 0);
	}
	findings.run = NULL;
	assert_int_equal(findings_add(&findings, FINDING_WARNING, "it is %s", "hot"), 0);
	assert_int_equal(findings_name_runs(&findings), 0);
	assert_int_equal(findings.count, 2);
	assert_string_equal(findings.items[0].text, "it is hot");
	assert_string_equal(findings.items[1].text, "a, b, c, d, e, f and 1 more: it is hot");
	findings_clear(&findings);
}

static void scripts_hold_no_foreign_text(void **state)
{
	struct study_text text;
	struct studied studied;
	char *script = NULL;
	size_t size;
	FILE *out = open_memstream(&script, &size);

	(void)state;
	study_text_open(&text);
	fputs("1,,,r1,gather,sim,\"a\"\"; system(\"\"touch x\"\"); # `id`\",4,float,,out-of-place,64,10,,,1,0,\n"
	      "1,,,r1,gather,sim,b,4,float,,out-of-place,64,10,,,1,0,\n",
	      text.out);
	study_read(&text, &given, &studied);
	plot_script(out, &studied.study.figures[COLL_GATHER], PLOT_LATENCY);
	fclose(out);
	assert_non_null(strstr(script, "label[1] = \"a?? system??touch x??? ? ?id?\"\n"));
	assert_null(strchr(script, '`'));
	assert_null(strstr(script, "system("));
	free(script);
	study_end(&studied);
}

static void facts_may_be_anything(void **state)
{
	char folder[] = "/tmp/collperf-test-XXXXXX", path[64], why[256] = "";
	struct facts facts;
	char *hosts;
	FILE *out;

	(void)state;
	assert_non_null(mkdtemp(folder));
	assert_int_equal(facts_read(folder, &facts, why, sizeof why), 0);
	assert_int_equal(facts.count, 0);
	facts_clear(&facts);
	snprintf(path, sizeof path, "%s/run.json", folder);
	out = fopen(path, "w");
	fputs("{\"started\":[1,{\"x\":null}],\"args\":[\"a\",2,true],\"ranks\":[{\"host\":\"n1\"},{\"host\":\"n2\"},{\"host\":"
	      "\"n1\"}],"
	      "\"host\":{\"deep\":{}}}",
	      out);
	fclose(out);
	assert_int_equal(facts_read(folder, &facts, why, sizeof why), 0);
	assert_null(facts_find(&facts, "started"));
	assert_string_equal(facts_find(&facts, "args"), "a 2 yes");
	hosts = facts_join(&facts, "host");
	assert_string_equal(hosts, "n1, n2");
	free(hosts);
	facts_clear(&facts);
	out = fopen(path, "w");
	fputs("{\"cut", out);
	fclose(out);
	assert_int_equal(facts_read(folder, &facts, why, sizeof why), 1);
	assert_non_null(strstr(why, "run.json"));
	facts_clear(&facts);
	unlink(path);
	rmdir(folder);
}

static int run_report(const char *one, const char *two, const char *three)
{
	char *argv[] = { (char *)"report", (char *)one, (char *)two, (char *)three, NULL };
	int argc = 1;

	while (argv[argc])
		argc++;
	return report_main(argc, argv);
}

static void bad_command_lines_are_usage(void **state)
{
	(void)state;
	assert_int_equal(run_report(NULL, NULL, NULL), 2);
	assert_int_equal(run_report("x.csv", "--alpha", "5us"), 2);
	assert_int_equal(run_report("x.csv", "--alpha", "5"), 2);
	assert_int_equal(run_report("x.csv", "--alpha=5x", "--bandwidth=1G"), 2);
	assert_int_equal(run_report("x.csv", "--bogus", NULL), 2);
	assert_int_equal(run_report("x.csv", "-o", NULL), 2);
	assert_int_equal(run_report("/no/such/file.csv", NULL, NULL), 3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(texts_are_escaped),
		cmocka_unit_test(what_is_no_utf8_is_replaced),
		cmocka_unit_test(labels_hold_safe_characters_only),
		cmocka_unit_test(numbers_are_for_people),
		cmocka_unit_test(quantities_are_checked_whole),
		cmocka_unit_test(launches_of_one_size_are_one_point),
		cmocka_unit_test(series_are_labelled_by_what_differs),
		cmocka_unit_test(jobs_of_one_rank_are_not_drawn),
		cmocka_unit_test(findings_stand_worst_first),
		cmocka_unit_test(another_path_than_asked_for_is_found),
		cmocka_unit_test(what_is_repeated_counts_once),
		cmocka_unit_test(what_is_said_of_several_runs_is_said_once),
		cmocka_unit_test(scripts_hold_no_foreign_text),
		cmocka_unit_test(facts_may_be_anything),
		cmocka_unit_test(bad_command_lines_are_usage),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
