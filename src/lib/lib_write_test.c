/* SPDX-License-Identifier: Apache-2.0 */
/* Writing, through the public API. */
#define _XOPEN_SOURCE 700
#include "lib/lib_testing.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

/* ---- writing ---- */

struct sink {
	size_t n, room; /* fails beyond it */
	unsigned calls;
};

static int sink_write(void *ctx, const void *buf, size_t n)
{
	struct sink *s = ctx;

	(void)buf;
	s->calls++;
	if (s->n + n > s->room)
		return -ENOSPC;
	s->n += n;
	return 0;
}

static void test_a_callback_gets_all_bytes_or_fails(void **state)
{
	struct assay_profile *prof = profile_of(extended_example);
	struct assay_write_options o = {.size = sizeof(o), .format = "callgrind"};
	struct assay_buffer *buf = bytes_of(prof, "callgrind");
	struct sink all = {.room = SIZE_MAX / 2}, none = {.room = 0};
	struct assay_error err;

	(void)state;
	assert_int_equal(assay_write_callback(prof, &o, sink_write, &all, &err), ASSAY_OK);
	assert_int_equal(all.n, assay_buffer_bytes(buf).len);
	assert_int_equal(assay_write_callback(prof, &o, sink_write, &none, &err), ASSAY_E_IO);
	assert_int_equal(err.sys_errno, ENOSPC);
	assert_int_equal(assay_write_callback(prof, &o, NULL, NULL, &err), ASSAY_E_ARG);
	assay_buffer_free(buf);
	assay_profile_free(prof);
}

static void test_several_threads_write_the_same_as_one(void **state)
{
	struct assay_write_options o = {.size = sizeof(o), .format = "callgrind", .threads = 4};
	size_t size = 2 << 20, n = 0;
	char *text = malloc(size);
	struct assay_profile *prof;
	struct assay_buffer *one, *many;
	struct assay_slice s, t;

	(void)state;
	assert_non_null(text);
	n += (size_t)snprintf(text, size, "events: Ir\n");
	for (unsigned i = 0; n + 64 < size; i++)
		n += (size_t)snprintf(text + n, size - n,
			"fn=(%u) f%u\n%u %u\n+1 7\ncfn=(%u)\ncalls=1 1\n+3 9\n", i % 5000 + 1,
			i % 5000, i % 90, i % 1000, i % 70 + 1);
	assert_int_equal(assay_open_memory(text, n, NULL, &prof, NULL), ASSAY_OK);
	one = bytes_of(prof, "callgrind");
	assert_int_equal(assay_write_memory(prof, &o, &many, NULL), ASSAY_OK);
	s = assay_buffer_bytes(one);
	t = assay_buffer_bytes(many);
	assert_true(s.len > 256 * 1024);
	assert_int_equal(s.len, t.len);
	assert_memory_equal(s.p, t.p, s.len);
	assay_buffer_free(one);
	assay_buffer_free(many);
	assay_profile_free(prof);
	free(text);
}

static void test_the_text_of_a_loss_has_the_form_of_its_amount(void **state)
{
	static const char text[] = "events: Ir Dr\nfn=f\n1 5 6\n";
	static const char *const expected[] = {"event", "events"};
	struct assay_write_options o = {.size = sizeof(o), .format = "folded"};
	struct assay_loss loss = {.size = sizeof(loss)};
	struct assay_profile *prof;

	(void)state;
	assert_int_equal(assay_open_memory(text, sizeof(text) - 1, NULL, &prof, NULL), ASSAY_OK);
	assert_int_equal(assay_losses_new(NULL, &o.losses), ASSAY_OK);
	for (size_t k = 0; k < 2; k++) {
		struct sink sink = {.room = SIZE_MAX / 2};
		size_t i = 0;

		assert_int_equal(assay_write_callback(prof, &o, sink_write, &sink, NULL), ASSAY_OK);
		do
			assert_int_equal(assay_losses_get(o.losses, i++, &loss), ASSAY_OK);
		while (strcmp(loss.kind, "events") != 0);
		assert_int_equal(loss.amount, k + 1);
		assert_true(slice_is(loss.text, expected[k]));
	}
	assay_losses_free(o.losses);
	assay_profile_free(prof);
}

static void test_an_event_without_a_name_is_a_loss_where_it_gets_one(void **state)
{
	static const char *const kept[] = {"pprof", "dump"}, *const lost[] = {
								     "callgrind", "dcpicat"};
	/* profile.proto: sample types "" and "cpu", a sample of 3 and 4, two strings */
	static const char bytes[] = "\x0a\0\x0a\2\x08\1\x12\4\x12\2\3\4\x32\0\x32\3cpu";
	struct assay_write_options o = {.size = sizeof(o)};
	struct assay_loss loss = {.size = sizeof(loss)};
	struct assay_profile *prof;

	(void)state;
	assert_int_equal(assay_open_memory(bytes, sizeof(bytes) - 1, NULL, &prof, NULL), ASSAY_OK);
	for (size_t i = 0; i < 4; i++) {
		struct sink sink = {.room = SIZE_MAX / 2};
		uint64_t amount = 0;

		o.format = i < 2 ? kept[i] : lost[i - 2];
		assert_int_equal(assay_losses_new(NULL, &o.losses), ASSAY_OK);
		assert_int_equal(assay_write_callback(prof, &o, sink_write, &sink, NULL), ASSAY_OK);
		for (size_t k = 0; assay_losses_get(o.losses, k, &loss) == ASSAY_OK; k++)
			amount += strcmp(loss.kind, "event-names") == 0 ? loss.amount : 0;
		assert_int_equal(amount, i < 2 ? 0 : 1);
		assay_losses_free(o.losses);
	}
	assay_profile_free(prof);
}

static void test_losses_are_told_and_strict_writes_nothing(void **state)
{
	struct assay_profile *prof = sampled();
	struct assay_write_options o = {.size = sizeof(o), .format = "callgrind"};
	struct assay_loss loss = {.size = sizeof(loss)};
	struct assay_losses *losses;
	struct sink sink = {.room = SIZE_MAX / 2};
	struct assay_error err;
	bool paths = false;

	(void)state;
	assert_int_equal(assay_losses_new(NULL, &losses), ASSAY_OK);
	o.losses = losses;
	assert_int_equal(assay_write_callback(prof, &o, sink_write, &sink, &err), ASSAY_OK);
	assert_true(sink.n > 0);
	for (size_t i = 0; i < assay_losses_count(losses); i++) {
		assert_int_equal(assay_losses_get(losses, i, &loss), ASSAY_OK);
		if (strcmp(loss.kind, "paths") != 0)
			continue;
		paths = true;
		assert_int_equal(loss.amount, 2); /* of more than one frame */
		assert_true(slice_is(loss.text, "call paths"));
	}
	assert_true(paths);
	assert_int_equal(assay_losses_get(losses, assay_losses_count(losses), &loss), ASSAY_E_ARG);
	o.strict = true;
	sink.n = sink.calls = 0;
	assert_int_equal(
		assay_write_callback(prof, &o, sink_write, &sink, &err), ASSAY_E_UNSUPPORTED);
	assert_int_equal(sink.calls, 0);
	assert_non_null(strstr(err.message, "callgrind"));
	assay_losses_free(losses);
	assay_profile_free(prof);
}

static void test_a_file_appears_whole_and_is_not_overwritten_unasked(void **state)
{
	char dir[] = "/tmp/assay-lib-XXXXXX", path[64];
	struct assay_write_options o = {.size = sizeof(o)};
	struct assay_profile *prof = profile_of(extended_example), *again;
	struct assay_error err;

	(void)state;
	assert_non_null(mkdtemp(dir));
	(void)snprintf(path, sizeof(path), "%s/callgrind.out.7", dir);
	assert_int_equal(assay_write_file(prof, path, NULL, &err), ASSAY_OK);
	assert_int_equal(assay_write_file(prof, path, NULL, &err), ASSAY_E_IO);
	assert_int_equal(err.sys_errno, EEXIST);
	o.overwrite = true;
	assert_int_equal(assay_write_file(prof, path, &o, &err), ASSAY_OK);
	assert_int_equal(assay_open_file(path, NULL, &again, &err), ASSAY_OK);
	assert_int_equal(info_of(again).n_calls, 3);
	assert_int_equal(unlink(path), 0);
	(void)snprintf(path, sizeof(path), "%s/x.unknown", dir);
	assert_int_equal(assay_write_file(prof, path, NULL, &err), ASSAY_E_ARG);
	assert_int_equal(rmdir(dir), 0); /* nothing was left behind */
	assay_profile_free(prof);
	assay_profile_free(again);
}

static void test_unknown_formats_and_options_are_misuse(void **state)
{
	static const char *const bad_option[] = {"nosuch=1"};
	static const char *const bad_value[] = {"compress-pos=maybe"};
	struct assay_profile *prof = profile_of(extended_example);
	struct assay_write_options o[] = {
		{.size = sizeof(o[0]), .format = "nosuch"},
		{.size = sizeof(o[0])},
		{.size = 1, .format = "callgrind"},
		{.size = sizeof(o[0]),
			.format = "callgrind",
			.driver_options = bad_option,
			.n_driver_options = 1},
		{.size = sizeof(o[0]),
			.format = "callgrind",
			.driver_options = bad_value,
			.n_driver_options = 1},
		{.size = sizeof(o[0]), .format = "callgrind", .piece = 2},
	};
	struct assay_buffer *buf;
	struct assay_error err;

	(void)state;
	for (size_t i = 0; i < sizeof(o) / sizeof(o[0]); i++) {
		assert_int_equal(assay_write_memory(prof, &o[i], &buf, &err), ASSAY_E_ARG);
		assert_null(buf);
		assert_true(strlen(err.message) > 5);
	}
	assert_int_equal(assay_write_memory(NULL, NULL, &buf, &err), ASSAY_E_ARG);
	assay_profile_free(prof);
}

static void test_a_format_of_many_files_asks_which(void **state)
{
	struct assay_profile *prof = open_fixture("demo.prof"), *piece;
	struct assay_write_options o = {.size = sizeof(o), .format = "dcpi"};
	struct assay_event ev = {.size = sizeof(ev)};
	struct assay_buffer *buf;
	struct assay_error err;
	char name[256], last[256] = "";
	int64_t sum = 0;
	uint32_t n;

	(void)state;
	assert_int_equal(assay_write_pieces(prof, &o, &n, &err), ASSAY_OK);
	assert_true(n > 1);
	assert_int_equal(assay_write_memory(prof, &o, &buf, &err), ASSAY_E_UNSUPPORTED);
	assert_null(buf);
	for (o.piece = 1; o.piece <= n; o.piece++) {
		struct assay_slice s;

		assert_int_equal(
			assay_write_piece_name(prof, &o, name, sizeof(name), &err), ASSAY_OK);
		assert_string_not_equal(name, last);
		memcpy(last, name, sizeof(name));
		assert_int_equal(assay_write_memory(prof, &o, &buf, &err), ASSAY_OK);
		s = assay_buffer_bytes(buf);
		assert_int_equal(assay_open_memory(s.p, s.len, NULL, &piece, &err), ASSAY_OK);
		assert_int_equal(assay_event_get(piece, 0, &ev), ASSAY_OK);
		sum += number(ev.total);
		assay_profile_free(piece);
		assay_buffer_free(buf);
	}
	assert_int_equal(assay_write_memory(prof, &o, &buf, &err), ASSAY_E_ARG);
	assert_int_equal(assay_event_get(prof, 0, &ev), ASSAY_OK);
	assert_true(sum > 0 && sum <= number(ev.total));
	assay_profile_free(prof);
}

int lib_write_tests(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_a_callback_gets_all_bytes_or_fails),
		cmocka_unit_test(test_several_threads_write_the_same_as_one),
		cmocka_unit_test(test_the_text_of_a_loss_has_the_form_of_its_amount),
		cmocka_unit_test(test_an_event_without_a_name_is_a_loss_where_it_gets_one),
		cmocka_unit_test(test_losses_are_told_and_strict_writes_nothing),
		cmocka_unit_test(test_a_file_appears_whole_and_is_not_overwritten_unasked),
		cmocka_unit_test(test_unknown_formats_and_options_are_misuse),
		cmocka_unit_test(test_a_format_of_many_files_asks_which),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
