/* SPDX-License-Identifier: Apache-2.0 */
/* Packed text comes back as it was, whatever it is; damaged bytes end in an error, or in a text. */
#include "io/file.h"
#include "io/gzip_best.h"
#include "io/pack.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

enum { ROOM = 1 << 20, MUTANTS = 3000 };

/* As unpacked, in pieces of PIECE bytes; -EIO if it says that it is damaged. */
static ptrdiff_t unpack(struct as_slice packed, size_t piece, char *text, size_t size)
{
	struct as_src_mem mem;
	struct as_src *src;
	struct as_err err;
	ptrdiff_t got = 0;
	size_t n = 0;

	as_src_mem_init(&mem, packed, "memory");
	assert_int_equal(as_unpack_open(&as_alloc_libc, &mem.src, &src, &err), AS_OK);
	while (n < size &&
		(got = src->read(src, text + n, piece < size - n ? piece : size - n)) > 0)
		n += (size_t)got;
	assert_true(got >= 0 || (got == -EIO && src->fault));
	as_file_close(src);
	return got < 0 ? got : (ptrdiff_t)n;
}

static void check_same(struct as_slice text)
{
	char *back = malloc(text.len + 1);
	struct as_packed p;
	struct as_err err;

	as_err_clear(&err);
	assert_non_null(back);
	assert_int_equal(as_pack(&p, &as_alloc_libc, text, &err), AS_OK);
	for (size_t piece = 1; piece < 100000; piece *= 7) {
		struct as_slice packed = {p.data.p, p.data.n};

		assert_int_equal(unpack(packed, piece, back, text.len + 1), text.len);
		if (text.len)
			assert_memory_equal(back, text.p, text.len);
	}
	as_packed_release(&p);
	free(back);
}

static void test_any_line_comes_back(void **state)
{
	static const char *const text[] = {
		"",
		"\n",
		"\n\n",
		"x",
		"fn=",
		"fn=\n",
		"calls=",
		"calls=1\n",
		"calls=1 2\n* 3\n",
		"calls=01 2\n3 4\n",
		"calls=1  2\n",
		"calls=18446744073709551616 1\n1 1\n",
		"1 0\n",
		"1 1 0\n",
		"1 0 1\n",
		"1 0 0 0 0 5\n",
		"1 00\n",
		"1 -1\n",
		"1  1\n",
		"1 1 \n",
		"1\n",
		"+0 1\n",
		"+01 1\n",
		"+1 1\n-1 1\n+127 1\n+128 1\n-127 1\n-126 1\n",
		"+1099511627775 1\n+1099511627776 1\n+18446744073709551616 1\n",
		"* 1\n* 1\n* 2\n",
		"1 18446744073709551615 18446744073709551615\n",
		"1 18446744073709551616\n",
		"1 3 3 3 3 3\n1 3 2 3\n1 0 3 3\n",
		"+ 1\n- 1\n** 1\n",
		"1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1\n",
		"1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1\n",
		"calls=1 2\ncalls=1 2\nfn=a\n1 2\n",
		"calls=2 +3\n+3 0 0\n+3 5 0\n1 5\n",
		"\npositions: instr line\n0x1 2 3\n+3 * 3\ncalls=1 0x5 +6\n* * 7 0 8\n",
		"\npositions: instr line\n0x1 2 3\njcnd=1/2 +5 *\n* *\n",
		"\npositions: instr line\njcnd=1/2 +5 * \n* * \njump=1 -3 0 \n* +1 \n",
		"\npositions: instr line\ncalls=3 0x5 0 \n* * 7 8\ncalls=3 0x5 0 \n* * 7 8 \n",
		"0x10 1\n0x1F 1\n0x01 1\n0x 1\n0x0 1\n0xffffffffffffffff 1\n+1 1\n",
		"0x10000000000000000 1\n18446744073709551615 1\n-1 1\n",
		"jump=1 0x9\njump=1 \njump= 1\njump=1 2 3\njump=01 2\njump=1/1 2\njump=1 2 \n",
		"jcnd=1 2\njcnd=/ 2\njcnd=1/ 2\njcnd=/1 2\njcnd=1/2/3 4\njcnd=01/2 4\n",
		"jcnd=1/2 4  \n",
		"5 9\njcnd=4/9 8\n6 5\n7 5\n8 9\njcnd=9/9 5 \n* \n9 0 0 1\n",
		"fn=(1) a\n0x10 1\ncfn=(1)\ncalls=1 0x10\n* 1\nfn=(1)\n0x10 1\n",
		"\nevents: a b c Bc d\n1 1 1 1 1\n1 1 1 1 0 1\n1 1 1 1 1 1\n1 1 1 1\n",
		"\nevents: Bc\n1 1 1 1 1\n",
		"\nevents: a b c d e f g h i j k l m n o p Bc\n1 1 1 1 1\n",
		" \n  \n1  \n",
		"\npositions: a b c\n1 2 3\n",
		"\npositions:",
		"\npositions: instr line\n1\n1 2\n* 1 1\n",
		"1 1\r\n",
		"1\t1\n",
		"fn=(1) a\r\n",
		"* 1",
	};

	(void)state;
	for (size_t i = 0; i < AS_ARRAY_LEN(text); i++)
		check_same(as_slice_of(text[i]));
	check_same((struct as_slice){"1 1\0\n\0fn=\0\xff\n", 13});
}

/* Callgrind ends many lines in a blank; all its lines of numbers are to be told as such. */
static void test_lines_of_numbers_are_no_text(void **state)
{
	static const char *const line[] = {
		"+3 * 12 0 7\n",
		"jcnd=12/13 +15 * \n* * \n",
		"jump=1234 0x4a51be0 0 \n* 0 \n",
		"calls=1234 0x4a51be0 0 \n* * 123456 45678\n",
	};
	static const char head[] = "\npositions: instr line\nevents: Ir Dr Dw\n";
	enum { COPIES = 1000 };
	char text[64 * COPIES];

	(void)state;
	for (size_t i = 0; i < AS_ARRAY_LEN(line); i++) {
		size_t n = strlen(head), len = strlen(line[i]);
		struct as_packed p;
		struct as_err err;

		memcpy(text, head, n);
		for (int k = 0; k < COPIES; k++, n += len)
			memcpy(text + n, line[i], len);
		check_same((struct as_slice){text, n});
		assert_int_equal(
			as_pack(&p, &as_alloc_libc, (struct as_slice){text, n}, &err), AS_OK);
		assert_true(p.data.n * 10 < n * 6);
		as_packed_release(&p);
	}
}

static struct as_slice fixture(const char *name)
{
	char path[4096], *text = malloc(ROOM);
	FILE *f;
	size_t n;

	snprintf(path, sizeof(path), "%s/%s", getenv("FIXTURES"), name);
	f = fopen(path, "rb");
	assert_non_null(f);
	assert_non_null(text);
	n = fread(text, 1, ROOM, f);
	fclose(f);
	assert_in_range(n, 1, ROOM - 1);
	return (struct as_slice){text, n};
}

static void test_files_come_back_and_callgrinds_are_smaller(void **state)
{
	static const struct {
		const char *name;
		bool smaller;
	} file[] = {{"callgrind.out.demo.full", true}, {"callgrind.out.demo", false},
		{"cachegrind.out.demo", false}, {"demo.prof", false}};

	(void)state;
	for (size_t i = 0; i < AS_ARRAY_LEN(file); i++) {
		struct as_slice text = fixture(file[i].name);
		struct as_gzip_best plain, packed;
		struct as_packed p;
		struct as_err err;

		check_same(text);
		assert_int_equal(as_pack(&p, &as_alloc_libc, text, &err), AS_OK);
		assert_int_equal(as_gzip_best(&plain, &as_alloc_libc, text, &err), AS_OK);
		assert_int_equal(as_gzip_best(&packed, &as_alloc_libc,
					 (struct as_slice){p.data.p, p.data.n}, &err),
			AS_OK);
		if (file[i].smaller)
			assert_true(packed.n * 5 < plain.n * 4);
		as_gzip_best_release(&plain, &as_alloc_libc);
		as_gzip_best_release(&packed, &as_alloc_libc);
		as_packed_release(&p);
		free((void *)(uintptr_t)text.p);
	}
}

/* Nothing is read beyond the bytes (the sanitizers look), and reading ends. */
static void test_damage_ends(void **state)
{
	struct as_slice text = fixture("callgrind.out.demo");
	char *back = malloc(ROOM);
	struct as_packed p;
	struct as_err err;
	uint64_t seed = 1;
	size_t failed = 0;

	(void)state;
	assert_int_equal(as_pack(&p, &as_alloc_libc, text, &err), AS_OK);
	for (int i = 0; i < MUTANTS; i++) {
		size_t n = p.data.n;
		char *copy = malloc(n);

		assert_non_null(copy);
		memcpy(copy, p.data.p, n);
		for (int k = 0; k < 3; k++) {
			seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407;
			copy[(seed >> 33) % (k ? n : 120)] = (char)(seed >> 25);
		}
		if (i & 1)
			n = (size_t)(seed >> 40) % n;
		failed += unpack((struct as_slice){copy, n}, 4096, back, ROOM) < 0;
		free(copy);
	}
	assert_in_range(failed, MUTANTS / 2, MUTANTS);
	as_packed_release(&p);
	free(back);
	free((void *)(uintptr_t)text.p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_any_line_comes_back),
		cmocka_unit_test(test_lines_of_numbers_are_no_text),
		cmocka_unit_test(test_files_come_back_and_callgrinds_are_smaller),
		cmocka_unit_test(test_damage_ends),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
