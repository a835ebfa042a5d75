/* SPDX-License-Identifier: Apache-2.0 */
/* Compressed layers over memory: members, cuts at every byte, garbage. */
#include "io/file.h"
#include "io/gzip_out.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>
#include <zlib.h>

/* printf 'hello profile\n' | gzip -9n */
static const unsigned char hello_gz[] = {0x1f, 0x8b, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03,
	0xcb, 0x48, 0xcd, 0xc9, 0xc9, 0x57, 0x28, 0x28, 0xca, 0x4f, 0xcb, 0xcc, 0x49, 0xe5, 0x02,
	0x00, 0x7c, 0xea, 0xa3, 0x6f, 0x0e, 0x00, 0x00, 0x00};
static const char hello[] = "hello profile\n";

/* Read INNER through the layer in pieces of PIECE bytes; the text, or the fault. */
static ptrdiff_t unpack_src(
	struct as_src *inner, size_t piece, char *text, size_t size, const char **fault)
{
	struct as_src *src;
	struct as_err err;
	size_t n = 0;
	ptrdiff_t got;

	assert_int_equal(as_gzip_open(&as_alloc_libc, inner, &src, &err), AS_OK);
	assert_null(src->pread);
	assert_true(src->size == AS_SIZE_UNKNOWN);
	while ((got = src->read(src, text + n, piece < size - n ? piece : size - n)) > 0)
		n += (size_t)got;
	*fault = src->fault;
	as_file_close(src);
	return got < 0 ? got : (ptrdiff_t)n;
}

static ptrdiff_t unpack(
	struct as_slice data, size_t piece, char *text, size_t size, const char **fault)
{
	struct as_src_mem mem;

	as_src_mem_init(&mem, data, "memory");
	return unpack_src(&mem.src, piece, text, size, fault);
}

static void test_a_member_is_unpacked_in_pieces_of_any_size(void **state)
{
	struct as_slice data = {(const char *)hello_gz, sizeof(hello_gz)};
	const char *fault;
	char text[64];

	(void)state;
	for (size_t piece = 1; piece < 20; piece++) {
		assert_int_equal(unpack(data, piece, text, sizeof(text), &fault), 14);
		assert_memory_equal(text, hello, 14);
		assert_null(fault);
	}
}

static void test_one_member_and_what_it_holds_are_known(void **state)
{
	struct as_slice text = as_slice_of(hello), gz = {(const char *)hello_gz, sizeof(hello_gz)};
	char two[2 * sizeof(hello_gz)];

	(void)state;
	memcpy(two, hello_gz, sizeof(hello_gz));
	memcpy(two + sizeof(hello_gz), hello_gz, sizeof(hello_gz));
	assert_true(as_gzip_holds(gz, text));
	assert_false(as_gzip_holds(gz, as_slice_of("hello profile")));
	assert_false(as_gzip_holds(gz, as_slice_of("hello profile\n\n")));
	assert_false(as_gzip_holds(gz, as_slice_of("hello profilE\n")));
	assert_false(as_gzip_holds((struct as_slice){two, sizeof(two)}, text));
	assert_false(as_gzip_holds((struct as_slice){two, sizeof(hello_gz) + 1}, text));
	for (size_t n = 0; n < gz.len; n++)
		assert_false(as_gzip_holds((struct as_slice){gz.p, n}, text));
}

/* A chunk at a time, as of a pipe: small files are unpacked at once. */
static void test_a_source_that_cannot_seek_gives_the_same(void **state)
{
	const char *fault;
	char text[64];

	(void)state;
	for (size_t n = 0; n <= sizeof(hello_gz); n++) {
		struct as_src_mem mem;
		ptrdiff_t got;

		as_src_mem_init(&mem, (struct as_slice){(const char *)hello_gz, n}, "pipe");
		mem.src.pread = NULL;
		mem.src.size = AS_SIZE_UNKNOWN;
		got = unpack_src(&mem.src, 64, text, sizeof(text), &fault);
		assert_int_equal(got, n == sizeof(hello_gz) ? 14 : -EIO);
	}
	assert_memory_equal(text, hello, 14);
}

static void test_a_reader_sees_all_of_a_small_file_and_zeros_behind_it(void **state)
{
	static const char zeros[AS_IN_SLACK];
	struct as_slice line, rest;
	struct as_src_mem mem;
	struct as_src *src;
	struct as_err err;
	struct as_in in;

	(void)state;
	as_err_clear(&err);
	as_src_mem_init(&mem, (struct as_slice){(const char *)hello_gz, sizeof(hello_gz)}, "m");
	assert_int_equal(as_gzip_open(&as_alloc_libc, &mem.src, &src, &err), AS_OK);
	assert_int_equal(as_in_open(&in, &as_alloc_libc, src, &err), AS_OK);
	assert_int_equal(as_in_peek(&in, 1 << 20, &rest), AS_OK);
	assert_int_equal(rest.len, 14);
	assert_memory_equal(rest.p, hello, 14);
	assert_memory_equal(rest.p + 14, zeros, sizeof(zeros));
	assert_int_equal(as_in_left(&in), 14);
	assert_int_equal(as_in_line(&in, &line), AS_OK);
	assert_int_equal(line.len, 13);
	assert_int_equal(as_in_line(&in, &line), AS_END);
	assert_int_equal(as_in_left(&in), 0);
	as_in_close(&in);
	as_file_close(src);
}

static void test_members_follow_one_another_and_zeros_may_end_them(void **state)
{
	char data[2 * sizeof(hello_gz) + 100] = {0}, text[64];
	const char *fault;

	(void)state;
	memcpy(data, hello_gz, sizeof(hello_gz));
	memcpy(data + sizeof(hello_gz), hello_gz, sizeof(hello_gz));
	assert_int_equal(
		unpack((struct as_slice){data, sizeof(data)}, 64, text, sizeof(text), &fault), 28);
	assert_memory_equal(text + 14, hello, 14);
}

static void test_a_cut_at_every_byte_is_an_error_with_a_reason(void **state)
{
	const char *fault;
	char text[64];

	(void)state;
	for (size_t n = 0; n < sizeof(hello_gz); n++) {
		struct as_slice data = {(const char *)hello_gz, n};

		assert_int_equal(unpack(data, 64, text, sizeof(text), &fault), -EIO);
		assert_string_equal(fault, "the gzip data end too early");
	}
}

static void test_flipped_bytes_never_pass_unnoticed(void **state)
{
	unsigned char data[sizeof(hello_gz)];
	const char *fault;
	char text[4096];

	(void)state;
	/* Time, extra flags and system (bytes 4 to 9) mean nothing for the content. */
	for (size_t i = 0; i < sizeof(hello_gz); i++) {
		struct as_slice s = {(const char *)data, sizeof(data)};

		memcpy(data, hello_gz, sizeof(data));
		data[i] ^= 0xff;
		if (i >= 4 && i < 10)
			assert_int_equal(unpack(s, 64, text, sizeof(text), &fault), 14);
		else
			assert_true(unpack(s, 64, text, sizeof(text), &fault) < 0 && fault);
	}
}

/* A header with a checksum of its own (RFC 1952, FHCRC): a wrong one is told, whoever unpacks. */
static void test_a_header_with_a_wrong_checksum_is_refused(void **state)
{
	enum { HEAD = 10, SUM = 2 };
	char gz[sizeof(hello_gz) + SUM], text[64];
	struct as_slice data = {gz, sizeof(gz)};
	const char *fault;
	unsigned long crc;

	(void)state;
	memcpy(gz, hello_gz, HEAD);
	gz[3] = 2;
	crc = crc32(0, (const unsigned char *)gz, HEAD);
	gz[HEAD] = (char)(crc & 0xff);
	gz[HEAD + 1] = (char)(crc >> 8 & 0xff);
	memcpy(gz + HEAD + SUM, hello_gz + HEAD, sizeof(hello_gz) - HEAD);
	assert_int_equal(unpack(data, 8, text, sizeof(text), &fault), 14);
	assert_memory_equal(text, hello, 14);
	gz[HEAD] ^= 1;
	assert_true(unpack(data, 8, text, sizeof(text), &fault) < 0);
	assert_string_equal(fault, "the gzip data are damaged");
}

static void test_bytes_after_the_last_member_are_refused(void **state)
{
	char data[sizeof(hello_gz) + 8], text[64];
	const char *fault;

	(void)state;
	memcpy(data, hello_gz, sizeof(hello_gz));
	memcpy(data + sizeof(hello_gz), "\0\0garbag", 8);
	assert_int_equal(
		unpack((struct as_slice){data, sizeof(data)}, 64, text, sizeof(text), &fault),
		-EIO);
	assert_string_equal(fault, "other bytes follow the gzip data");
}

/* printf 'hello profile\n' | zstd --no-check, twice, with a skippable frame between. */
static const unsigned char hello_zst[] = {0x28, 0xb5, 0x2f, 0xfd, 0x20, 0x0e, 0x71, 0x00, 0x00, 'h',
	'e', 'l', 'l', 'o', ' ', 'p', 'r', 'o', 'f', 'i', 'l', 'e', '\n', 0x50, 0x2a, 0x4d, 0x18,
	0x02, 0x00, 0x00, 0x00, 'x', 'y', 0x28, 0xb5, 0x2f, 0xfd, 0x20, 0x0e, 0x71, 0x00, 0x00, 'h',
	'e', 'l', 'l', 'o', ' ', 'p', 'r', 'o', 'f', 'i', 'l', 'e', '\n'};

static ptrdiff_t unpack_zst(size_t n, char *text, size_t size, const char **fault)
{
	struct as_src_mem mem;
	struct as_src *src;
	struct as_err err;
	size_t have = 0;
	ptrdiff_t got;

	as_src_mem_init(&mem, (struct as_slice){(const char *)hello_zst, n}, "memory");
	assert_int_equal(as_zstd_open(&as_alloc_libc, &mem.src, &src, &err), AS_OK);
	while ((got = src->read(src, text + have, size - have)) > 0)
		have += (size_t)got;
	*fault = src->fault;
	as_file_close(src);
	return got < 0 ? got : (ptrdiff_t)have;
}

static void test_zstd_frames_are_one_stream_and_cuts_within_one_are_errors(void **state)
{
	const char *fault;
	char text[64];

	(void)state;
	if (!as_zstd_is_built())
		return;
	assert_int_equal(unpack_zst(sizeof(hello_zst), text, sizeof(text), &fault), 28);
	assert_memory_equal(text + 14, hello, 14);
	for (size_t n = 0; n < sizeof(hello_zst); n++) {
		ptrdiff_t got = unpack_zst(n, text, sizeof(text), &fault);

		/* Whole after the first frame, and after the skippable one. */
		if (n == 23 || n == 33) {
			assert_int_equal(got, 14);
			continue;
		}
		assert_int_equal(got, -EIO);
		assert_string_equal(fault, "the zstd data end too early");
	}
}

/* N bytes, written in pieces and packed by so many threads, into OUT. */
static void pack(
	size_t n, size_t piece, unsigned jobs, enum as_gzip_effort effort, struct as_sink_mem *out)
{
	struct as_sink_gzip gz;
	struct as_err err;
	char data[1024];

	as_sink_mem_init(out, &as_alloc_libc);
	assert_int_equal(
		as_sink_gzip_open(&gz, &as_alloc_libc, &out->sink, jobs, effort, &err), AS_OK);
	for (size_t at = 0, some; at < n; at += some) {
		some = piece < n - at ? piece : n - at;
		for (size_t i = 0; i < some; i++)
			data[i] = (char)((at + i) * (at + i) % 251);
		assert_int_equal(gz.sink.write(&gz.sink, data, some), 0);
	}
	assert_int_equal(as_sink_gzip_finish(&gz, &err), AS_OK);
}

static void test_what_is_packed_is_unpacked_again(void **state)
{
	/* Nothing, less than a piece, one to the byte and one byte more, several. */
	static const size_t size[] = {0, 1, 1000, 262144, 262145, 600000, 2000000};
	size_t room = 2100000;
	char *text = malloc(room);
	const char *fault;

	(void)state;
	assert_non_null(text);
	for (size_t i = 0; i < 2 * AS_ARRAY_LEN(size); i++) {
		size_t wanted = size[i / 2];
		struct as_sink_mem one;
		ptrdiff_t n;

		pack(wanted, 1000, 1, i % 2 ? AS_GZIP_SMALL : AS_GZIP_QUICK, &one);
		n = unpack((struct as_slice){one.data.p, one.data.n}, 4096, text, room, &fault);
		assert_int_equal(n, wanted);
		for (size_t k = 0; k < wanted; k++)
			assert_int_equal(text[k], (char)(k * k % 251));
		as_sink_mem_release(&one);
	}
	free(text);
}

static void test_the_bytes_are_those_of_one_thread_whatever_their_number(void **state)
{
	static const unsigned jobs[] = {0, 2, 3, 16, 100};

	(void)state;
	for (size_t i = 0; i < AS_ARRAY_LEN(jobs); i++) {
		struct as_sink_mem one, many;

		pack(3000000, 1024, 1, AS_GZIP_QUICK, &one);
		pack(3000000, 777, jobs[i], AS_GZIP_QUICK, &many);
		assert_int_equal(one.data.n, many.data.n);
		assert_memory_equal(one.data.p, many.data.p, one.data.n);
		as_sink_mem_release(&one);
		as_sink_mem_release(&many);
	}
}

static int full(struct as_sink *sink, const void *buf, size_t n)
{
	(void)sink, (void)buf;
	return n ? -ENOSPC : 0;
}

static void test_a_full_disk_is_told_at_the_end(void **state)
{
	char zeros[1024] = {0};

	(void)state;
	for (size_t n = 0; n < 3000; n += 2999) {
		struct as_sink sink = {.write = full};
		struct as_sink_gzip gz;
		struct as_err err;

		as_err_clear(&err);
		assert_int_equal(
			as_sink_gzip_open(&gz, &as_alloc_libc, &sink, 2, AS_GZIP_QUICK, &err),
			AS_OK);
		for (size_t i = 0; i < n; i++)
			assert_int_equal(gz.sink.write(&gz.sink, zeros, sizeof(zeros)), -ENOSPC);
		assert_int_equal(as_sink_gzip_finish(&gz, &err), AS_E_IO);
		assert_int_equal(err.sys_errno, ENOSPC);
	}
}

/* What is written is forgotten, but for so many bytes. */
struct bounded {
	struct as_sink sink;
	size_t left;
};

static int bounded(struct as_sink *sink, const void *buf, size_t n)
{
	struct bounded *b = (struct bounded *)(void *)sink;

	(void)buf;
	if (n > b->left)
		return -ENOSPC;
	b->left -= n;
	return 0;
}

static void test_writing_can_end_at_any_time(void **state)
{
	static const size_t kilobytes[] = {0, 100, 200, 3000};
	char zeros[1024] = {0};

	(void)state;
	for (size_t k = 0; k < 2 * AS_ARRAY_LEN(kilobytes); k++) {
		size_t n = kilobytes[k / 2];
		struct bounded some = {.sink = {.write = bounded}, .left = 1000};
		struct as_sink_gzip gz;
		struct as_err err;

		as_err_clear(&err);
		assert_int_equal(
			as_sink_gzip_open(&gz, &as_alloc_libc, &some.sink, 3, AS_GZIP_QUICK, &err),
			AS_OK);
		for (size_t i = 0; i < n; i++)
			(void)gz.sink.write(&gz.sink, zeros, sizeof(zeros));
		if (k % 2)
			as_sink_gzip_abort(&gz);
		else /* 3 MB of zeros are 3 kB */
			assert_int_equal(
				as_sink_gzip_finish(&gz, &err), n < 3000 ? AS_OK : AS_E_IO);
	}
}

int gzip_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_a_member_is_unpacked_in_pieces_of_any_size),
		cmocka_unit_test(test_one_member_and_what_it_holds_are_known),
		cmocka_unit_test(test_a_source_that_cannot_seek_gives_the_same),
		cmocka_unit_test(test_a_reader_sees_all_of_a_small_file_and_zeros_behind_it),
		cmocka_unit_test(test_members_follow_one_another_and_zeros_may_end_them),
		cmocka_unit_test(test_a_cut_at_every_byte_is_an_error_with_a_reason),
		cmocka_unit_test(test_flipped_bytes_never_pass_unnoticed),
		cmocka_unit_test(test_a_header_with_a_wrong_checksum_is_refused),
		cmocka_unit_test(test_bytes_after_the_last_member_are_refused),
		cmocka_unit_test(test_zstd_frames_are_one_stream_and_cuts_within_one_are_errors),
		cmocka_unit_test(test_what_is_packed_is_unpacked_again),
		cmocka_unit_test(test_the_bytes_are_those_of_one_thread_whatever_their_number),
		cmocka_unit_test(test_a_full_disk_is_told_at_the_end),
		cmocka_unit_test(test_writing_can_end_at_any_time),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
