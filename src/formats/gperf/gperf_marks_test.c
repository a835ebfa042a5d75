/* SPDX-License-Identifier: Apache-2.0 */
/* Lines of our own in the list of mappings: what is read is what was written. */
#include "formats/gperf/gperf_write_testing.h"

static enum as_addr_kind kind_of(const struct as_profile *prof, const char *path)
{
	for (uint32_t i = 1; i < prof->object.n; i++)
		if (as_slice_is(as_object_path(prof, (as_object){i}), path))
			return prof->object.p[i].addr_kind;
	return AS_ADDR_UNKNOWN;
}

/* What is written and read N times. */
static void test_virtual_addresses_stay_known_as_such(void **state)
{
	struct as_profile *prof;
	struct as_build b;
	struct written w, again;
	struct got g;

	(void)state;
	begin(&b, "samples");
	SAMPLE(&b, 1, {"/lib/b", "", 0x401234}, {"/bin/a", "", 0x1000}, {"/bin/c", "f", 0});
	SAMPLE(&b, 2, {"[heap]", "", 0x7f0000001010}, {"[heap]", "", 0x7f0000002010},
		{"/memfd:x", "", 0x7f0000003020});
	b.prof->object.p[1].addr_kind = AS_ADDR_VIRTUAL;
	b.prof->object.p[2].addr_kind = AS_ADDR_FILE_OFFSET;
	finish(&b, &prof);
	write_prof(&w, prof, NULL, 0);
	as_profile_free(prof);
	assert_int_equal(w.rc, AS_OK);
	assert_int_equal(lost(&w, "addresses"), 1);
	for (int i = 0; i < 2; i++) {
		read_how(&g, w.sink.data.p, w.sink.data.n, (struct how){.strict = true});
		assert_int_equal(g.rc, AS_OK);
		assert_int_equal(
			(int)samples_at(g.prof, "/lib/b+0x401234 /bin/a+0x1000 /bin/c+0x1"), 1);
		assert_int_equal(
			(int)samples_at(g.prof, "[heap]+0x7f0000001010 [heap]+0x7f0000002010 "
						"/memfd:x+0x7f0000003020"),
			2);
		assert_int_equal(kind_of(g.prof, "/lib/b"), AS_ADDR_VIRTUAL);
		assert_int_equal(kind_of(g.prof, "/bin/a"), AS_ADDR_FILE_OFFSET);
		assert_int_equal(kind_of(g.prof, "[heap]"), AS_ADDR_ABSOLUTE);
		write_prof(&again, g.prof, NULL, 0);
		assert_int_equal(again.sink.data.n, w.sink.data.n);
		assert_memory_equal(again.sink.data.p, w.sink.data.p, w.sink.data.n);
		written_release(&again);
		got_release(&g);
	}
	written_release(&w);
}

/* An object of another format may be called what no line of a list can say. */
static void test_a_name_with_blanks_around_it_keeps_its_kind_of_addresses(void **state)
{
	static const char *const names[] = {
		"/bin/a ", " /bin/a", "/bin/a (deleted)", "/bin/a (deleted) "};

	(void)state;
	for (size_t i = 0; i < AS_ARRAY_LEN(names); i++) {
		struct as_profile *prof;
		struct as_build b;
		struct written w, again;
		struct got g;

		begin(&b, "samples");
		SAMPLE(&b, 1, {names[i], "", 0x401234});
		b.prof->object.p[1].addr_kind = AS_ADDR_VIRTUAL;
		finish(&b, &prof);
		write_prof(&w, prof, NULL, 0);
		as_profile_free(prof);
		read_how(&g, w.sink.data.p, w.sink.data.n, (struct how){.strict = true});
		assert_int_equal(g.rc, AS_OK);
		assert_int_equal((int)samples_at(g.prof, "/bin/a+0x401234"), 1);
		assert_int_equal(kind_of(g.prof, "/bin/a"), AS_ADDR_VIRTUAL);
		write_prof(&again, g.prof, NULL, 0);
		assert_int_equal(again.sink.data.n, w.sink.data.n);
		assert_memory_equal(again.sink.data.p, w.sink.data.p, w.sink.data.n);
		written_release(&again);
		written_release(&w);
		got_release(&g);
	}
}

/* Whatever the libraries are called: the handler's frames are gone before anything is written. */
static void test_no_frame_that_is_written_is_cut_as_the_handlers(void **state)
{
	static const char *const libs[] = {"/usr/lib/libprofiler.so.0", "/usr/lib/libx.so"};
	struct as_profile *prof;
	struct as_build b;
	struct written w;
	struct got g;

	(void)state;
	for (int i = 0; i < 2; i++) {
		const char mark[] = "\nassay: no frames of a signal handler\n";
		char path[80];

		begin(&b, "samples");
		SAMPLE(&b, 1, {"/bin/a", "", 0x1000}, {libs[i], "", 0x234}, {"/bin/a", "", 0x2000});
		SAMPLE(&b, 2, {"/bin/a", "", 0x1010}, {libs[i], "", 0x234}, {"/bin/a", "", 0x2000});
		for (size_t o = 1; o < b.prof->object.n; o++)
			b.prof->object.p[o].addr_kind = AS_ADDR_FILE_OFFSET;
		finish(&b, &prof);
		write_prof(&w, prof, NULL, 0);
		as_profile_free(prof);
		assert_int_equal(w.rc, AS_OK);
		assert_int_equal(as_slice_find_text((struct as_slice){w.sink.data.p, w.sink.data.n},
					 mark) < w.sink.data.n,
			i == 0);
		read_how(&g, w.sink.data.p, w.sink.data.n, (struct how){.strict = true});
		snprintf(path, sizeof(path), "/bin/a+0x1000 %s+0x234 /bin/a+0x2000", libs[i]);
		assert_int_equal((int)samples_at(g.prof, path), 1);
		got_release(&g);
		written_release(&w);
	}
}

int gperf_marks_tests(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_virtual_addresses_stay_known_as_such),
		cmocka_unit_test(test_a_name_with_blanks_around_it_keeps_its_kind_of_addresses),
		cmocka_unit_test(test_no_frame_that_is_written_is_cut_as_the_handlers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
