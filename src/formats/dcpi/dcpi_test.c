/* SPDX-License-Identifier: Apache-2.0 */
/* Reading the header, and knowing the format. The numbers in brackets are those of the acceptance
 * checks that the tests stand for, docs/formats/dcpi.md. */
#include "formats/dcpi/dcpi_testing.h"

static void read_changed(struct mem_read *r, const char *old, const char *new)
{
	struct dcpi_bytes f = {0};

	as_dcpi_add_lines(&f, old, new);
	as_dcpi_add(&f, "samples\n");
	WORDS(&f, 0x10, 1, 5, 1, 5);
	as_dcpi_read_file(r, &f);
	as_dcpi_bytes_free(&f);
}

/* [1] */
static void test_the_golden_file_has_47_samples_at_6_addresses(void **state)
{
	struct mem_read r;
	const struct as_object_row *o;

	(void)state;
	assert_int_equal(strlen(as_dcpi_golden_lines) + strlen("samples \n"), DCPI_GOLDEN_HEADER);
	as_dcpi_read_bytes(&r, as_dcpi_golden, DCPI_GOLDEN, (struct dcpi_how){.strict = true});
	assert_int_equal(r.rc, AS_OK);
	assert_int_equal(as_dcpi_complaints(&r), 0);
	assert_int_equal(as_dcpi_found(&r, AS_F_DC_STRIDE_GUESSED), 1);
	as_dcpi_expect_rows(r.prof, GOLDEN_ROWS);
	assert_true(r.prof->total[0] == 47);
	o = &r.prof->object.p[1];
	assert_true(as_slice_is(as_str_get(r.prof, o->path), "/usr/local/bin/xemacs"));
	assert_true(as_slice_is(as_str_get(r.prof, o->id), "19970328081403c0c18b"));
	assert_int_equal(o->text_start, 0x120000000);
	assert_int_equal(o->text_size, 8388608);
	assert_int_equal(o->addr_kind, AS_ADDR_VIRTUAL);
	assert_true(as_slice_is(as_str_get(r.prof, r.prof->event.p[0].name), "cycles"));
	assert_true(as_slice_is(as_str_get(r.prof, r.prof->event.p[0].period_unit), "events"));
	assert_int_equal(r.prof->event.p[0].period, 63488);
	assert_true(as_slice_is(as_str_get(r.prof, r.prof->epoch), "1996-12-04T23:34Z"));
	assert_true(as_slice_is(as_str_get(r.prof, r.prof->version), "pdb-0.07"));
	assert_true(as_slice_is(as_str_get(r.prof, r.prof->part.p[0].name), "xemacs.dcpi"));
	assert_true(as_slice_is(as_meta_get(r.prof, 0, "platform"), "walnut"));
	assert_int_equal(r.prof->meta.n, 10);
	mem_read_free(&r);
}

/* [2] */
static void test_keys_come_in_any_order_behind_any_blanks(void **state)
{
	static const char text[] = "cpuspeed 333\npath\t\t/usr/local/bin/xemacs\ntsize \t8388608\n"
				   "TSTART of no meaning\ntstart 1ABCDEF00\nperiod 63488\n"
				   "event cycles\nplatform walnut \nepoch 9612042334\n"
				   "image 19970328081403C0C18B\nversion pdb-0.06\nsamples\n";
	struct dcpi_bytes f = {0};
	struct mem_read r;

	(void)state;
	as_dcpi_add(&f, text);
	WORDS(&f, 4, 1, 9, 1, 9);
	as_dcpi_read_file(&r, &f);
	assert_int_equal(r.rc, AS_OK);
	assert_int_equal(as_dcpi_complaints(&r), 0);
	as_dcpi_expect_rows(r.prof, "1abcdef04:9");
	assert_true(as_slice_is(as_str_get(r.prof, r.prof->version), "pdb-0.06"));
	/* blanks at the end of a value belong to it; those before it stay with it */
	assert_true(as_slice_is(as_meta_get(r.prof, 0, "platform"), " walnut "));
	mem_read_free(&r);
	as_dcpi_bytes_free(&f);
}

/* [3] */
static void test_the_line_that_ends_the_header(void **state)
{
	static const struct {
		const char *line;
		enum as_code rc;
	} ex[] = {
		{"samples\n", AS_OK},
		{"samples \n", AS_OK},
		{"samples\t \n", AS_OK},
		{"samples x\nsamples\n", AS_OK}, /* an unknown line, then the end */
		{"samples\r\n", AS_E_FORMAT},
		{"samples \r\n", AS_E_FORMAT},
		{"Samples\n", AS_E_TRUNC},
		{"samples", AS_E_TRUNC},
		{"samples ", AS_E_TRUNC},
		{" samples\n", AS_E_TRUNC},
		{"", AS_E_TRUNC},
	};
	static const uint32_t footer[] = {0, 0};

	(void)state;
	for (size_t i = 0; i < AS_ARRAY_LEN(ex); i++) {
		struct dcpi_bytes f = {0};
		struct mem_read r;

		as_dcpi_add_lines(&f, NULL, NULL);
		as_dcpi_add(&f, ex[i].line);
		if (strchr(ex[i].line, '\n'))
			as_dcpi_add_words(&f, footer, 2);
		as_dcpi_read_file(&r, &f);
		assert_int_equal(r.rc, ex[i].rc);
		assert_int_equal(as_dcpi_found(&r, AS_F_DC_CRLF), ex[i].rc == AS_E_FORMAT);
		if (ex[i].rc == AS_E_FORMAT)
			assert_non_null(strstr(r.err.msg, "text-mode transfer"));
		mem_read_free(&r);
		as_dcpi_bytes_free(&f);
	}
}

/* [4] */
static void test_the_body_begins_right_behind_the_header(void **state)
{
	static const uint32_t first[] = {0x20, 0x0a, 0x09, 0x0d, 0x0d090a20};

	(void)state;
	for (size_t i = 0; i < AS_ARRAY_LEN(first); i++)
		for (size_t pad = 0; pad < 4; pad++) {
			struct dcpi_bytes f = {0};
			struct mem_read r;
			char want[32];

			as_dcpi_add_lines(&f, "tsize", "tsize                4000000000\n");
			as_dcpi_add(&f, "samples");
			as_dcpi_add(&f, &"   "[pad]);
			as_dcpi_add(&f, "\n");
			WORDS(&f, first[i], 1, 2, 1, 2);
			as_dcpi_read_file(&r, &f);
			assert_int_equal(r.rc, AS_OK);
			assert_int_equal(as_dcpi_complaints(&r), 0);
			assert_int_equal(as_dcpi_found(&r, AS_F_DC_UNALIGNED),
				(f.data.n - 5 * sizeof(uint32_t)) % 4 != 0);
			snprintf(want, sizeof(want), "%" PRIx64 ":2",
				UINT64_C(0x120000000) + first[i]);
			as_dcpi_expect_rows(r.prof, want);
			mem_read_free(&r);
			as_dcpi_bytes_free(&f);
		}
}

/* [5] */
static void test_versions(void **state)
{
	static const struct {
		const char *line;
		enum as_code rc;
		enum as_finding_id id; /* AS_F_COUNT: none */
	} ex[] = {
		{"version pdb-0.06\n", AS_OK, AS_F_COUNT},
		{"version pdb-0.6\n", AS_OK, AS_F_COUNT},
		{"version pdb-0.07\n", AS_OK, AS_F_COUNT},
		{"version pdb-0.05\n", AS_OK, AS_F_DC_VERSION_OTHER},
		{"version pdb-0.08\n", AS_OK, AS_F_DC_VERSION_OTHER},
		{"version pdb-0.70\n", AS_OK, AS_F_DC_VERSION_OTHER},
		{"version pdb-x\n", AS_OK, AS_F_DC_VALUE_BAD},
		{"version 0.07\n", AS_OK, AS_F_DC_VALUE_BAD},
		{"version pdb-0.07 \n", AS_OK, AS_F_DC_VALUE_BAD},
		{"", AS_OK, AS_F_DC_VERSION_MISSING},
		{"version pdb-1.01\n", AS_E_UNSUPPORTED, AS_F_COUNT},
		{"version pdb-2.0\n", AS_E_UNSUPPORTED, AS_F_COUNT},
	};

	(void)state;
	for (size_t i = 0; i < AS_ARRAY_LEN(ex); i++) {
		struct mem_read r;

		read_changed(&r, "version", ex[i].line);
		assert_int_equal(r.rc, ex[i].rc);
		assert_int_equal(as_dcpi_complaints(&r), ex[i].id != AS_F_COUNT);
		if (ex[i].id != AS_F_COUNT)
			assert_int_equal(as_dcpi_found(&r, ex[i].id), 1);
		if (r.rc == AS_OK)
			as_dcpi_expect_rows(r.prof, "120000010:5");
		mem_read_free(&r);
	}
}

static void test_of_version_1_the_header_can_be_shown(void **state)
{
	struct mem_read r;

	(void)state;
	read_changed(&r, "version", "version              pdb-1.01\n");
	assert_int_equal(r.rc, AS_E_UNSUPPORTED);
	assert_string_equal(r.err.msg, "pdb-1.01: the binary layout of version 1 is undocumented");
	assert_int_equal(r.prof->self.n, 0);
	assert_int_equal(r.prof->meta.n, 10);
	assert_true(as_slice_is(as_str_get(r.prof, r.prof->version), "pdb-1.01"));
	assert_true(as_slice_is(as_str_get(r.prof, r.prof->event.p[0].name), "cycles"));
	assert_int_equal(r.prof->object.p[1].text_start, 0x120000000);
	mem_read_free(&r);
}

static void test_an_unknown_version_is_believed_only_with_its_footer(void **state)
{
	static const char *const versions[] = {"version pdb-0.08\n", "version x\n", ""};

	(void)state;
	for (size_t i = 0; i < AS_ARRAY_LEN(versions); i++)
		for (int damage = 0; damage < 2; damage++) {
			struct dcpi_bytes f = {0};
			struct mem_read r;

			as_dcpi_add_lines(&f, "version", versions[i]);
			as_dcpi_add(&f, "samples\n");
			if (damage)
				WORDS(&f, 0x10, 7, 5, 1, 5);
			else
				WORDS(&f, 0x10, 1, 5, 1, 6);
			as_dcpi_read_file(&r, &f);
			assert_int_equal(r.rc, AS_E_FORMAT);
			assert_non_null(strstr(r.err.msg, "it is not the layout of pdb-0.07"));
			mem_read_free(&r);
			as_dcpi_bytes_free(&f);
		}
}

/* [6] */
static void test_every_required_line_is_missed(void **state)
{
	static const char *const keys[] = {
		"image", "epoch", "platform", "event", "tsize", "cpuspeed"};

	(void)state;
	for (size_t i = 0; i < AS_ARRAY_LEN(keys); i++) {
		struct mem_read r;

		read_changed(&r, keys[i], "");
		assert_int_equal(r.rc, AS_OK);
		assert_int_equal(as_dcpi_found(&r, AS_F_DC_KEY_MISSING), 1);
		assert_int_equal(as_dcpi_complaints(&r), 1);
		assert_non_null(strstr(as_dcpi_said(&r, AS_F_DC_KEY_MISSING), keys[i]));
		as_dcpi_expect_rows(r.prof, "120000010:5");
		mem_read_free(&r);
	}
}

static void test_lines_that_may_be_missing_are_warned_of(void **state)
{
	struct mem_read r;

	(void)state;
	read_changed(&r, "tstart", "");
	assert_int_equal(as_dcpi_found(&r, AS_F_DC_TSTART_MISSING), 1);
	assert_int_equal(r.findings.n[AS_ERROR], 0);
	as_dcpi_expect_rows(r.prof, "10:5");
	assert_int_equal(r.prof->object.p[1].addr_kind, AS_ADDR_UNKNOWN);
	mem_read_free(&r);
	read_changed(&r, "period", "");
	assert_int_equal(as_dcpi_found(&r, AS_F_DC_PERIOD_ZERO), 1);
	assert_int_equal(r.findings.n[AS_ERROR], 0);
	assert_int_equal(r.prof->event.p[0].period, 0);
	mem_read_free(&r);
	read_changed(&r, "path", "");
	assert_int_equal(as_dcpi_complaints(&r), 0);
	assert_true(as_slice_is(as_object_path(r.prof, (as_object){1}), "19970328081403c0c18b"));
	mem_read_free(&r);
}

static void test_a_kernel_stands_at_the_end_of_all_addresses(void **state)
{
	struct mem_read r;

	(void)state;
	read_changed(&r, "tstart", "tstart ffffffff00000000\n");
	assert_int_equal(as_dcpi_complaints(&r), 0);
	as_dcpi_expect_rows(r.prof, "ffffffff00000010:5");
	mem_read_free(&r);
}

static void test_lines_that_stand_twice(void **state)
{
	static const struct {
		const char *line;
		enum as_finding_id id;
		uint64_t n;
	} ex[] = {
		{"image 1\nimage 1\n", AS_F_DC_KEY_DUPLICATE, 1},
		{"event cycles\nevent imiss\nevent x\n", AS_F_DC_KEY_DUPLICATE, 1},
		{"platform a\nplatform b\n", AS_F_DC_KEY_DUPLICATE, 1},
		{"period 5\nperiod 5\n", AS_F_DC_KEY_DUPLICATE, 0},
		{"period 5\nperiod 6\n", AS_F_DC_KEY_DUPLICATE, 1},
		{"period 0\n", AS_F_DC_PERIOD_ZERO, 1},
		{"path /a\npath /b\n", AS_F_DC_KEY_DUPLICATE, 0},
		{"cpucount 1\ncpucount 2\ncpuamask 1f\n", AS_F_DC_KEY_DUPLICATE, 0},
	};

	(void)state;
	for (size_t i = 0; i < AS_ARRAY_LEN(ex); i++) {
		struct as_slice key = {ex[i].line, as_slice_find(as_slice_of(ex[i].line), ' ')};
		char name[16];
		struct mem_read r;

		snprintf(name, sizeof(name), "%.*s", AS_SLICE_FMT(key));
		read_changed(
			&r, strstr(as_dcpi_golden_lines, name) ? name : "cpuspeed", ex[i].line);
		assert_int_equal(r.rc, AS_OK);
		assert_int_equal(as_dcpi_found(&r, ex[i].id), ex[i].n);
		/* the first one holds */
		if (strcmp(name, "event") == 0)
			assert_true(
				as_slice_is(as_str_get(r.prof, r.prof->event.p[0].name), "cycles"));
		if (strcmp(name, "path") == 0)
			assert_true(as_slice_is(as_object_path(r.prof, (as_object){1}), "/a"));
		if (strcmp(ex[i].line, "period 5\nperiod 6\n") == 0)
			assert_int_equal(r.prof->event.p[0].period, 5);
		mem_read_free(&r);
	}
}

static void test_values_that_are_not_what_their_key_requires(void **state)
{
	static const struct {
		const char *key, *line;
		enum as_finding_id id;
	} ex[] = {
		{"image", "image 19xyz\n", AS_F_DC_VALUE_BAD},
		{"tstart", "tstart 12g\n", AS_F_DC_VALUE_BAD},
		{"tstart", "tstart 10000000000000000\n", AS_F_DC_VALUE_BAD},
		{"tstart", "tstart 0x120000000\n", AS_F_DC_HEX_PREFIX},
		{"tstart", "tstart 120000000 \n", AS_F_DC_VALUE_BAD},
		{"tsize", "tsize 8388608x\n", AS_F_DC_VALUE_BAD},
		{"tsize", "tsize 0x8000\n", AS_F_DC_VALUE_BAD},
		{"tsize", "tsize 18446744073709551616\n", AS_F_DC_VALUE_BAD},
		{"period", "period -1\n", AS_F_DC_VALUE_BAD},
		{"cpuspeed", "cpuspeed fast\n", AS_F_DC_VALUE_BAD},
		{"cpuspeed", "cpuspeed 333\ncpuamask 12g\n", AS_F_DC_VALUE_BAD},
		{"cpuspeed", "cpuspeed 333\ncpuimplv f\n", AS_F_DC_VALUE_BAD},
		{"cpuspeed", "cpuspeed 333\nstride 0\n", AS_F_DC_VALUE_BAD},
		{"platform", "platform\n", AS_F_DC_LINE_MALFORMED},
		{"platform", "platform \t\n", AS_F_DC_LINE_MALFORMED},
		{"path", "\n", AS_F_DC_LINE_MALFORMED},
		{"path", " path /x\n", AS_F_DC_LINE_MALFORMED},
	};

	(void)state;
	for (size_t i = 0; i < AS_ARRAY_LEN(ex); i++) {
		struct mem_read r;

		read_changed(&r, ex[i].key, ex[i].line);
		assert_int_equal(r.rc, AS_OK);
		assert_int_equal(as_dcpi_found(&r, ex[i].id), 1);
		mem_read_free(&r);
	}
}

/* [7] */
static void test_epochs(void **state)
{
	static const struct {
		const char *line, *iso;
		enum as_finding_id id; /* AS_F_COUNT: none */
	} ex[] = {
		{"epoch 9612042334\n", "1996-12-04T23:34Z", AS_F_COUNT},
		{"epoch 2511210817\n", "2025-11-21T08:17Z", AS_F_COUNT},
		{"epoch 200212042334\n", "2002-12-04T23:34Z", AS_F_DC_EPOCH_LONG},
		{"epoch 19970328081403\n", "1997-03-28T08:14:03Z", AS_F_DC_EPOCH_LONG},
		{"epoch 9613042334\n", "", AS_F_DC_EPOCH_BAD},
		{"epoch 9602300000\n", "", AS_F_DC_EPOCH_BAD},
		{"epoch yesterday\n", "", AS_F_DC_EPOCH_BAD},
		{"epoch 7001010000\nepoch-unknown yes\n", "", AS_F_COUNT},
	};

	(void)state;
	for (size_t i = 0; i < AS_ARRAY_LEN(ex); i++) {
		struct mem_read r;

		read_changed(&r, "epoch", ex[i].line);
		assert_int_equal(r.rc, AS_OK);
		assert_true(as_slice_is(as_str_get(r.prof, r.prof->epoch), ex[i].iso));
		if (ex[i].id != AS_F_COUNT)
			assert_int_equal(as_dcpi_found(&r, ex[i].id), 1);
		assert_int_equal(as_dcpi_complaints(&r), ex[i].id == AS_F_DC_EPOCH_BAD);
		mem_read_free(&r);
	}
}

/* [14] */
static void test_what_is_no_dcpi_profile_is_neither_probed_nor_read_as_one(void **state)
{
	static const char zeros[64] = {0};
	static const struct as_slice ex[] = {
		{"", 0},
		{"x", 1},
		{"\n", 1},
		{zeros, sizeof(zeros)},
		{"\x7f"
		 "ELF\x02\x01\x01",
			7},
		{"version: 1\ncreator: callgrind\nevents: Ir\n\nfn=main\n1 20\n", 52},
		{"\0\0\0\0\0\0\0\0\3\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 24},
		{"some text\nof several lines\nsamples\n", 35},
		{"{\"a\": 1}\n", 9},
	};

	(void)state;
	for (size_t i = 0; i < AS_ARRAY_LEN(ex); i++) {
		struct as_peek pk = {ex[i], true};
		struct mem_read r;

		assert_int_equal(as_format_dcpi.probe(&pk), AS_PROBE_NO);
		as_dcpi_read_bytes(&r, ex[i].p, ex[i].len, (struct dcpi_how){0});
		assert_true(r.rc == AS_E_NOTPROFILE || r.rc == AS_E_TRUNC);
		mem_read_free(&r);
	}
}

static void test_a_header_does_not_go_on_for_ever(void **state)
{
	struct dcpi_bytes f = {0};
	struct mem_read r;

	(void)state;
	as_dcpi_add_lines(&f, NULL, NULL);
	while (f.data.n <= DCPI_HEADER_MAX)
		as_dcpi_add(&f, "note a line that nobody knows\n");
	as_dcpi_read_file(&r, &f);
	assert_int_equal(r.rc, AS_E_LIMIT);
	mem_read_free(&r);
	as_dcpi_bytes_free(&f);
}

static void test_the_probe_is_as_sure_as_the_header_allows(void **state)
{
	static const struct {
		const char *text;
		enum as_probe want;
	} ex[] = {
		{"version pdb-0.07\nimage 1\nsamples\n", AS_PROBE_SURE},
		{"image 1\nversion\tpdb-1.01\nsamples \n", AS_PROBE_SURE},
		{"image 1\nversion pdb-0.07\nepoch 96", AS_PROBE_MAGIC},
		{"image 1\n\nversion pdb-0.07\n", AS_PROBE_MAGIC},
		{"image 1\nevent cycles\nsamples\n", AS_PROBE_LIKELY},
		{"image 1\nevent cycles\n", AS_PROBE_NO},
		{"image 1\nsamples\n", AS_PROBE_NO},
		{" version pdb-0.07\nsamples\n", AS_PROBE_NO},
		{"version 0.07\nimage 1\nsamples\n", AS_PROBE_NO},
	};
	struct as_peek golden = {{as_dcpi_golden, DCPI_GOLDEN}, true};

	(void)state;
	assert_int_equal(as_format_dcpi.probe(&golden), AS_PROBE_SURE);
	for (size_t i = 0; i < AS_ARRAY_LEN(ex); i++) {
		struct as_peek pk = {as_slice_of(ex[i].text), true};

		assert_int_equal(as_format_dcpi.probe(&pk), ex[i].want);
	}
}

/* [15] */
static void test_errors_say_where_and_what(void **state)
{
	struct dcpi_bytes f = {0};
	struct mem_read r;

	(void)state;
	as_dcpi_add_bytes(&f, as_dcpi_golden, DCPI_GOLDEN);
	f.data.p[DCPI_GOLDEN_HEADER + 16] = 99; /* counts of the second chunk */
	as_dcpi_read_bytes(&r, f.data.p, f.data.n, (struct dcpi_how){.strict = true});
	assert_int_equal(r.rc, AS_E_FORMAT);
	assert_int_equal(r.err.off, DCPI_GOLDEN_HEADER + 12);
	assert_string_equal(r.err.msg, "chunk 2: it claims 99 counts, 36 bytes follow; the 29 "
				       "samples before it were kept");
	mem_read_free(&r);
	as_dcpi_bytes_free(&f);
}

int dcpi_tests(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_the_golden_file_has_47_samples_at_6_addresses),
		cmocka_unit_test(test_keys_come_in_any_order_behind_any_blanks),
		cmocka_unit_test(test_the_line_that_ends_the_header),
		cmocka_unit_test(test_the_body_begins_right_behind_the_header),
		cmocka_unit_test(test_versions),
		cmocka_unit_test(test_of_version_1_the_header_can_be_shown),
		cmocka_unit_test(test_an_unknown_version_is_believed_only_with_its_footer),
		cmocka_unit_test(test_every_required_line_is_missed),
		cmocka_unit_test(test_lines_that_may_be_missing_are_warned_of),
		cmocka_unit_test(test_a_kernel_stands_at_the_end_of_all_addresses),
		cmocka_unit_test(test_lines_that_stand_twice),
		cmocka_unit_test(test_values_that_are_not_what_their_key_requires),
		cmocka_unit_test(test_epochs),
		cmocka_unit_test(test_what_is_no_dcpi_profile_is_neither_probed_nor_read_as_one),
		cmocka_unit_test(test_a_header_does_not_go_on_for_ever),
		cmocka_unit_test(test_the_probe_is_as_sure_as_the_header_allows),
		cmocka_unit_test(test_errors_say_where_and_what),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
