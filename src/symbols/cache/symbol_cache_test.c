/* SPDX-License-Identifier: Apache-2.0 */
/* The cache gives back what was put in, or nothing; never something else. */
#define _GNU_SOURCE
#include <stdlib.h>
#undef alloca /* a macro under _GNU_SOURCE, where base/banned.h wants to poison the name */

#include "symbols/cache/symbol_cache.h"

#include <dirent.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "lib/fail_alloc.h"
#include "lib/scratch.h"
#include "symbols/cache/symbol_cache_file.h"

#define BIG (1u << 30)

static const struct as_symcache cache = {&as_alloc_libc, "cache", BIG};

static struct as_symcache_key key_of(const char *build_id)
{
	return (struct as_symcache_key){.build_id = as_slice_of(build_id),
		.inlines = true,
		.debug_file = as_slice_of("/usr/lib/debug/x 123")};
}

/* The frames of an address follow from the address alone: 0 to 3 of them. */
static bool add_address(struct as_symset *set, uint64_t addr)
{
	char name[32], file[32];
	bool ok = as_symset_next(set);

	for (uint64_t i = 0; ok && i < addr / 16 % 4; i++) {
		snprintf(name, sizeof(name), "f%" PRIu64, addr / 256 + i);
		snprintf(file, sizeof(file), i == 2 ? "%.0" PRIu64 : "/src/%" PRIu64 ".c",
			i == 2 ? 0 : addr / 4096);
		ok = as_symset_frame(set, &(struct as_symtext){.name = as_slice_of(name),
						  .file = as_slice_of(file),
						  .decl = as_slice_of(name),
						  .line = (uint32_t)addr});
	}
	return ok;
}

/* N addresses from START, STEP apart. */
static enum as_code put(
	const struct as_symcache *c, const char *id, uint64_t start, uint64_t step, size_t n)
{
	struct as_symcache_key key = key_of(id);
	enum as_code rc = AS_E_NOMEM;
	struct as_symset set;
	uint64_t *addr = malloc((n + 1) * sizeof(*addr));
	bool ok = as_symset_init(&set, c->al);

	assert_non_null(addr);
	for (size_t i = 0; i < n; i++) {
		addr[i] = start + step * i;
		ok = ok && add_address(&set, addr[i]);
	}
	if (ok && as_symset_next(&set))
		rc = as_symcache_put(c, &key, addr, n, &set);
	as_symset_release(&set);
	free(addr);
	return rc;
}

static void assert_same(const struct as_symset *a, size_t i, const struct as_symset *b, size_t k)
{
	uint32_t n = a->first.p[i + 1] - a->first.p[i];

	assert_int_equal(n, b->first.p[k + 1] - b->first.p[k]);
	for (uint32_t j = 0; j < n; j++) {
		const struct as_symframe *x = &a->frame.p[a->first.p[i] + j];
		const struct as_symframe *y = &b->frame.p[b->first.p[k] + j];

		assert_int_equal(x->line, y->line);
		assert_true(as_slice_eq(
			as_strings_get(&a->str, x->name), as_strings_get(&b->str, y->name)));
		assert_true(as_slice_eq(
			as_strings_get(&a->str, x->file), as_strings_get(&b->str, y->file)));
		assert_true(as_slice_eq(
			as_strings_get(&a->str, x->decl), as_strings_get(&b->str, y->decl)));
	}
}

/* How many of the N addresses are known; those that are have the right frames. */
static size_t get_key(const struct as_symcache *c, const struct as_symcache_key *key,
	uint64_t start, uint64_t step, size_t n)
{
	struct as_symset got, want;
	uint64_t *addr = malloc((n + 1) * sizeof(*addr));
	bool *known = malloc(n + 1);
	size_t n_known = 0;

	assert_true(addr && known);
	for (size_t i = 0; i < n; i++)
		addr[i] = start + step * i;
	assert_true(as_symset_init(&got, c->al) && as_symset_init(&want, c->al));
	assert_int_equal(as_symcache_get(c, key, addr, n, &got, known), AS_OK);
	assert_int_equal(got.first.n, n + 1);
	for (size_t i = 0; i < n; i++)
		assert_true(add_address(&want, addr[i]));
	assert_true(as_symset_next(&want));
	for (size_t i = 0; i < n; i++) {
		n_known += known[i];
		if (known[i])
			assert_same(&got, i, &want, i);
		else
			assert_int_equal(got.first.p[i], got.first.p[i + 1]);
	}
	as_symset_release(&got);
	as_symset_release(&want);
	free(addr);
	free(known);
	return n_known;
}

static size_t get(
	const struct as_symcache *c, const char *id, uint64_t start, uint64_t step, size_t n)
{
	struct as_symcache_key key = key_of(id);

	return get_key(c, &key, start, step, n);
}

static struct as_symcache_stat stat_of(const struct as_symcache *c)
{
	struct as_symcache_stat st;

	assert_int_equal(as_symcache_stat(c, &st, NULL), AS_OK);
	return st;
}

static void test_what_was_put_is_got(void **state)
{
	(void)state;
	assert_int_equal(stat_of(&cache).files, 0);
	assert_int_equal(get(&cache, "ab12", 0x1000, 8, 100), 0);
	assert_int_equal(put(&cache, "ab12", 0x1000, 16, 500), AS_OK);
	assert_int_equal(get(&cache, "ab12", 0x1000, 16, 500), 500);
	assert_int_equal(get(&cache, "ab12", 0x1000, 8, 1000), 500);
	assert_int_equal(get(&cache, "ab12", 0, 1, 100), 0);
	assert_int_equal(get(&cache, "ab12", 0x1000, 16 * 499, 3), 2);
	assert_int_equal(get(&cache, "ab12", 0x1000, 1, 0), 0);
	assert_int_equal(get(&cache, "ab13", 0x1000, 16, 500), 0);
	assert_int_equal(stat_of(&cache).files, 1);
}

static void test_answers_are_merged(void **state)
{
	uint64_t before;

	(void)state;
	assert_int_equal(put(&cache, "ab12", 0x1000, 32, 300), AS_OK);
	assert_int_equal(put(&cache, "ab12", 0x1010, 32, 300), AS_OK);
	assert_int_equal(put(&cache, "ab12", 0x800, 16, 200), AS_OK);
	assert_int_equal(get(&cache, "ab12", 0x1000, 16, 600), 600);
	assert_int_equal(get(&cache, "ab12", 0x800, 16, 200), 200);
	before = stat_of(&cache).bytes;
	assert_int_equal(put(&cache, "ab12", 0x1000, 16, 100), AS_OK); /* nothing new */
	assert_int_equal(stat_of(&cache).bytes, before);
	assert_int_equal(stat_of(&cache).files, 1);
}

static void test_every_part_of_the_key_counts(void **state)
{
	struct as_symcache_key key = key_of("ab12");

	(void)state;
	assert_int_equal(put(&cache, "ab12", 0x1000, 16, 50), AS_OK);
	key.inlines = false;
	assert_int_equal(get_key(&cache, &key, 0x1000, 16, 50), 0);
	key = key_of("ab12");
	key.debug_file = as_slice_of("/usr/lib/debug/x 124");
	assert_int_equal(get_key(&cache, &key, 0x1000, 16, 50), 0);
	key = key_of("ab12");
	assert_int_equal(get_key(&cache, &key, 0x1000, 16, 50), 50);
}

static void test_without_build_id_or_directory_nothing_is_kept(void **state)
{
	static const char *const odd[] = {"", "../../x", "AB12", "ab/12", "xyz"};
	struct as_symcache none = {&as_alloc_libc, NULL, BIG}, off = {&as_alloc_libc, "cache", 0};

	(void)state;
	for (size_t i = 0; i < AS_ARRAY_LEN(odd); i++) {
		assert_int_equal(put(&cache, odd[i], 0x1000, 16, 50), AS_OK);
		assert_int_equal(get(&cache, odd[i], 0x1000, 16, 50), 0);
	}
	assert_int_equal(put(&none, "ab12", 0x1000, 16, 50), AS_OK);
	assert_int_equal(get(&none, "ab12", 0x1000, 16, 50), 0);
	assert_int_equal(put(&off, "ab12", 0x1000, 16, 50), AS_OK);
	assert_int_equal(get(&off, "ab12", 0x1000, 16, 50), 0);
	assert_int_equal(stat_of(&cache).files, 0);
	assert_int_equal(stat_of(&none).files, 0);
	assert_int_equal(as_symcache_trim(&none, 0, NULL), AS_OK);
}

static void test_directory_that_cannot_be_written_is_no_error(void **state)
{
	struct as_symcache bad = {&as_alloc_libc, "file/cache", BIG};
	FILE *f = fopen("file", "w");

	(void)state;
	assert_non_null(f);
	assert_int_equal(fclose(f), 0);
	assert_int_equal(put(&bad, "ab12", 0x1000, 16, 50), AS_OK);
	assert_int_equal(get(&bad, "ab12", 0x1000, 16, 50), 0);
	bad.dir = "made/on/the/way";
	assert_int_equal(put(&bad, "ab12", 0x1000, 16, 50), AS_OK);
	assert_int_equal(get(&bad, "ab12", 0x1000, 16, 50), 50);
}

/* The path of the only file in the cache. */
static void only_file(char *path, size_t size)
{
	DIR *dir = opendir("cache");
	const struct dirent *d;
	unsigned n = 0;

	assert_non_null(dir);
	while ((d = readdir(dir)))
		if (d->d_name[0] != '.') {
			snprintf(path, size, "cache/%s", d->d_name);
			n++;
		}
	closedir(dir);
	assert_int_equal(n, 1);
}

static void write_at(const char *path, const char *p, size_t n)
{
	FILE *f = fopen(path, "wb");

	assert_non_null(f);
	assert_int_equal(fwrite(p, 1, n, f), n);
	assert_int_equal(fclose(f), 0);
}

static bool is_taken(const char *bytes, size_t n)
{
	struct as_symcache_view view;

	return as_symcache_parse(&view, (struct as_slice){bytes, n}, as_slice_of("key"));
}

static void test_each_damaged_byte_is_noticed(void **state)
{
	struct as_symcache_image image;
	struct as_symset set;
	uint64_t addr[20];

	(void)state;
	assert_true(as_symset_init(&set, &as_alloc_libc));
	for (size_t i = 0; i < 20; i++) {
		addr[i] = 0x1000 + 16 * i;
		assert_true(add_address(&set, addr[i]));
	}
	assert_true(as_symset_next(&set));
	assert_int_equal(as_symcache_make(&image, as_slice_of("key"), addr, 20, &set), AS_OK);
	assert_true(is_taken(image.p, image.size));
	for (size_t cut = 0; cut < image.size; cut++)
		assert_false(is_taken(image.p, cut));
	for (size_t i = 0; i < image.size * 8; i++) {
		image.p[i / 8] = (char)(image.p[i / 8] ^ 1 << i % 8);
		assert_false(is_taken(image.p, image.size));
		image.p[i / 8] = (char)(image.p[i / 8] ^ 1 << i % 8);
	}
	for (size_t i = 0; i + 8 <= image.size; i += 8) {
		char word[8];

		memcpy(word, image.p + i, 8);
		memset(image.p + i, word[0] ? 0 : 0xff, 8);
		assert_false(is_taken(image.p, image.size) && memcmp(word, image.p + i, 8));
		memcpy(image.p + i, word, 8);
	}
	assert_true(is_taken(image.p, image.size));
	as_alloc_free(set.al, image.p, image.size);
	as_symset_release(&set);
}

static void test_damaged_files_are_not_used_and_are_replaced(void **state)
{
	char path[512], *bytes = malloc(1 << 20);
	size_t n;
	FILE *f;

	(void)state;
	assert_non_null(bytes);
	assert_int_equal(put(&cache, "ab12", 0x1000, 16, 20), AS_OK);
	only_file(path, sizeof(path));
	f = fopen(path, "rb");
	assert_non_null(f);
	n = fread(bytes, 1, 1 << 20, f);
	assert_int_equal(fclose(f), 0);
	for (size_t cut = 0; cut < n; cut += n / 8) {
		write_at(path, bytes, cut);
		assert_int_equal(get(&cache, "ab12", 0x1000, 16, 20), 0);
	}
	bytes[n] = 0;
	write_at(path, bytes, n + 1);
	assert_int_equal(get(&cache, "ab12", 0x1000, 16, 20), 0);
	write_at(path, bytes, n);
	assert_int_equal(get(&cache, "ab12", 0x1000, 16, 20), 20);
	write_at(path, bytes, n / 2);
	assert_int_equal(put(&cache, "ab12", 0x1000, 16, 10), AS_OK);
	assert_int_equal(get(&cache, "ab12", 0x1000, 16, 20), 10);
	free(bytes);
}

static void set_time(const char *id, long when)
{
	struct timespec ts[2] = {{.tv_sec = when}, {.tv_sec = when}};
	DIR *dir = opendir("cache");
	const struct dirent *d;
	char path[512];

	assert_non_null(dir);
	while ((d = readdir(dir))) {
		snprintf(path, sizeof(path), "cache/%s", d->d_name);
		if (strncmp(d->d_name, id, strlen(id)) == 0)
			assert_int_equal(utimensat(AT_FDCWD, path, ts, 0), 0);
	}
	closedir(dir);
}

static void test_longest_unused_go_first(void **state)
{
	struct as_symcache small = cache;
	uint64_t one;

	(void)state;
	assert_int_equal(put(&cache, "aa", 0x1000, 16, 100), AS_OK);
	one = stat_of(&cache).bytes;
	assert_int_equal(put(&cache, "bb", 0x1000, 16, 100), AS_OK);
	assert_int_equal(put(&cache, "cc", 0x1000, 16, 100), AS_OK);
	set_time("aa", 3000);
	set_time("bb", 1000);
	set_time("cc", 2000);
	assert_int_equal(get(&cache, "bb", 0x1000, 16, 1), 1); /* used: now the youngest */
	small.max_size = one * 3 + 10;
	assert_int_equal(put(&small, "dd", 0x1000, 16, 100), AS_OK);
	assert_int_equal(stat_of(&cache).files, 3);
	assert_int_equal(get(&cache, "cc", 0x1000, 16, 100), 0);
	assert_int_equal(get(&cache, "aa", 0x1000, 16, 100), 100);
	assert_int_equal(as_symcache_trim(&cache, one, NULL), AS_OK);
	assert_int_equal(stat_of(&cache).files, 1);
	small.max_size = one - 1; /* too large to be kept */
	assert_int_equal(put(&small, "ee", 0x1000, 16, 100), AS_OK);
	assert_int_equal(get(&cache, "ee", 0x1000, 16, 100), 0);
}

static void test_other_files_stay(void **state)
{
	(void)state;
	assert_int_equal(put(&cache, "aa", 0x1000, 16, 100), AS_OK);
	write_at("cache/notes.txt", "x", 1);
	write_at("cache/ab-1.names.77-0.tmp", "x", 1);
	write_at("cache/x.tmp", "x", 1);
	assert_int_equal(stat_of(&cache).files, 2);
	set_time("ab-1", 1000);
	assert_int_equal(as_symcache_trim(&cache, BIG, NULL), AS_OK); /* an old temporary */
	assert_int_equal(stat_of(&cache).files, 1);
	assert_int_equal(as_symcache_trim(&cache, 0, NULL), AS_OK);
	assert_int_equal(stat_of(&cache).files, 0);
	assert_int_equal(access("cache/notes.txt", F_OK), 0);
	assert_int_equal(access("cache/x.tmp", F_OK), 0);
}

/* Whatever happens meanwhile, get() checks that each answer is right. */
static void work(unsigned who)
{
	for (unsigned i = 0; i < 60; i++) {
		(void)put(&cache, "aa", 0x1000 + 0x100 * (who + 2 * i), 16, 40);
		(void)get(&cache, "aa", 0x1000, 16, 2000);
		if (i % 16 == 15)
			assert_int_equal(as_symcache_trim(&cache, who ? 0 : 1000, NULL), AS_OK);
	}
}

static void test_programs_at_once_see_right_answers(void **state)
{
	enum { N = 4 };
	pid_t pid[N];
	int status;

	(void)state;
	for (unsigned i = 0; i < N; i++) {
		pid[i] = fork();
		assert_true(pid[i] >= 0);
		if (pid[i] == 0) {
			work(i);
			_exit(0);
		}
	}
	for (unsigned i = 0; i < N; i++) {
		assert_int_equal(waitpid(pid[i], &status, 0), pid[i]);
		assert_int_equal(status, 0);
	}
	assert_int_equal(as_symcache_trim(&cache, 0, NULL), AS_OK);
	assert_int_equal(rmdir("cache"), 0); /* no temporaries are left */
}

static void test_memory_may_run_out(void **state)
{
	(void)state;
	assert_int_equal(put(&cache, "aa", 0x1000, 16, 50), AS_OK);
	for (uint64_t n = 1;; n++) {
		struct as_symcache_key key = key_of("aa");
		uint64_t addr[2] = {0x1010, 0x1010 + 16 * n};
		struct fail_alloc fa;
		struct as_symcache c = {&fa.al, "cache", BIG};
		struct as_symset set;
		bool known[2];
		enum as_code rc = AS_E_NOMEM, put_rc;

		fail_alloc_init(&fa, n);
		put_rc = put(&c, "aa", 0x2000 + 16 * n, 16, 3);
		if (as_symset_init(&set, &fa.al))
			rc = as_symcache_get(&c, &key, addr, 2, &set, known);
		as_symset_release(&set);
		assert_int_equal(fa.held, 0);
		assert_false(fa.wrong_size);
		if (rc == AS_OK && put_rc == AS_OK)
			break;
		assert_true(put_rc == AS_OK || put_rc == AS_E_NOMEM);
		assert_int_equal(rc, AS_E_NOMEM);
	}
	assert_int_equal(get(&cache, "aa", 0x1000, 16, 50), 50);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, scratch_enter, scratch_leave)

int symbol_cache_tests(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_what_was_put_is_got),
		TEST(test_answers_are_merged),
		TEST(test_every_part_of_the_key_counts),
		TEST(test_without_build_id_or_directory_nothing_is_kept),
		TEST(test_directory_that_cannot_be_written_is_no_error),
		TEST(test_each_damaged_byte_is_noticed),
		TEST(test_damaged_files_are_not_used_and_are_replaced),
		TEST(test_longest_unused_go_first),
		TEST(test_other_files_stay),
		TEST(test_programs_at_once_see_right_answers),
		TEST(test_memory_may_run_out),
	};

	return cmocka_run_group_tests_name("symbol_cache", tests, NULL, NULL);
}
