/* SPDX-License-Identifier: Apache-2.0 */
/* Names for a profile: the binary that is asked is this program itself. */
#define _GNU_SOURCE
#include "symbols/symbolize_testing.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "lib/fail_alloc.h"
#include "model/build.h"

extern const char __ehdr_start[]; /* where this program's image begins, by the linker */

static char self[4096];

/* Two functions whose names are asked for. */
__attribute__((noinline)) int first_function_of_this_test(int x);
__attribute__((noinline)) int second_function_of_this_test(int x);

int first_function_of_this_test(int x)
{
	return x * 3 + (x >> 2);
}

int second_function_of_this_test(int x)
{
	return x ^ (x << 5);
}

typedef int function(int x);

/* The link-time address of F: images begin at 0, or where their file says. */
static uint64_t vaddr_of(function *f)
{
	uint64_t base = (uint64_t)(uintptr_t)__ehdr_start;
	uint16_t type; /* 2: linked to where it runs */

	memcpy(&type, __ehdr_start + 16, sizeof(type));
	return (uint64_t)(uintptr_t)f - (type == 2 ? 0 : base);
}

static void test_functions_of_this_program_have_their_names(void **state)
{
	uint64_t a = vaddr_of(first_function_of_this_test);
	uint64_t b = vaddr_of(second_function_of_this_test);
	struct fixture f;
	as_object o;

	(void)state;
	begin(&f);
	o = add_object(&f, self, "");
	add_code(&f, o, b);
	add_code(&f, o, a);
	ask(&f);
	assert_string_equal(name_at(&f, o, a), "first_function_of_this_test");
	assert_string_equal(name_at(&f, o, b), "second_function_of_this_test");
	assert_int_equal(only_report(&f)->state, AS_OBJECT_NAMED);
	assert_int_equal(only_report(&f)->n_addrs, 2);
	assert_int_equal(only_report(&f)->n_named, 2);
	end(&f);
}

static void test_an_address_outside_every_symbol_stays_nameless(void **state)
{
	struct fixture f;
	as_object o;

	(void)state;
	begin(&f);
	o = add_object(&f, self, "");
	add_code(&f, o, 8); /* in the ELF header */
	ask(&f);
	assert_null(name_at(&f, o, 8));
	assert_int_equal(only_report(&f)->n_named, 0);
	assert_int_equal(only_report(&f)->state, AS_OBJECT_NO_NAMES);
	end(&f);
}

static void test_a_missing_object_and_one_that_is_no_file_are_told_apart(void **state)
{
	struct fixture f;

	(void)state;
	begin(&f);
	add_code(&f, add_object(&f, "/nowhere/at/all", ""), 16);
	add_code(&f, add_object(&f, "[heap]", ""), 16);
	ask(&f);
	assert_int_equal(f.report.object.n, 2);
	assert_int_equal(f.report.object.p[0].state, AS_OBJECT_MISSING);
	assert_true(f.report.object.p[0].note.len > 0);
	assert_int_equal(f.report.object.p[1].state, AS_OBJECT_NOT_A_FILE);
	assert_int_equal(f.report.object.p[1].note.len, 0);
	assert_int_equal(f.chains.chain.n, 0);
	end(&f);
}

static void other_build(struct fixture *f, bool force)
{
	uint64_t a = vaddr_of(first_function_of_this_test);
	as_object o;

	begin(f);
	o = add_object(f, self, "00112233445566778899aabbccddeeff00112233");
	add_code(f, o, a);
	f->opts.force = force;
	ask(f);
	assert_int_equal(name_at(f, o, a) != NULL, force);
	assert_true(only_report(f)->note.len > 0);
}

enum { MANY = 70000 };

/* An object with more addresses than are kept while its file is not there; in order, or not. */
static void count_addresses(bool in_order)
{
	struct fixture f;
	as_object o;

	begin(&f);
	o = add_object(&f, "/nowhere/large.so", "");
	for (uint64_t i = 0; i < MANY; i++)
		add_code(&f, o, 0x1000 + 4 * (in_order ? i : i * 3 % MANY));
	add_code(&f, o, 0x1000 + 4 * (MANY - 1));
	ask(&f);
	assert_int_equal(only_report(&f)->state, AS_OBJECT_MISSING);
	assert_int_equal(only_report(&f)->n_addrs, MANY);
	assert_int_equal(only_report(&f)->n_named, 0);
	end(&f);
}

static void test_addresses_of_a_large_object_that_is_missing_are_counted(void **state)
{
	(void)state;
	count_addresses(true);
	count_addresses(false);
}

static void test_a_file_of_another_build_id_is_refused_unless_forced(void **state)
{
	struct as_symbol_binary binary = {.arena = NULL};
	struct as_elf *elf;
	struct fixture f;
	struct as_elf_opts none = {0};
	struct as_err err;

	(void)state;
	assert_int_equal(as_elf_open(&elf, &as_alloc_libc, self, &none, NULL), AS_OK);
	if (!as_elf_facts(elf)->build_id.len) {
		as_elf_close(elf);
		return; /* linked without: there is nothing to compare */
	}
	as_elf_close(elf);
	other_build(&f, false);
	assert_int_equal(only_report(&f)->state, AS_OBJECT_CHANGED);
	as_err_clear(&err);
	binary.arena = &f.prof->arena;
	assert_int_equal(
		as_symbol_object(f.prof, (as_object){1}, &f.opts, &binary, &err), AS_E_ARG);
	assert_non_null(strstr(err.msg, "--force"));
	end(&f);
	other_build(&f, true);
	assert_int_equal(only_report(&f)->state, AS_OBJECT_NAMED);
	end(&f);
}

static void test_an_image_id_of_dcpi_is_no_build_id(void **state)
{
	uint64_t a = vaddr_of(first_function_of_this_test);
	struct fixture f;
	as_object o;

	(void)state;
	begin(&f);
	o = add_object(&f, self, "19970328081403c0c18b");
	add_code(&f, o, a);
	ask(&f);
	assert_non_null(name_at(&f, o, a));
	end(&f);
}

static void test_code_that_was_mapped_otherwise_is_another_file(void **state)
{
	uint64_t a = vaddr_of(first_function_of_this_test);
	struct as_map map = {.start = 0x10000000, .limit = 0x20000000, .exec = true};
	struct fixture f;

	(void)state;
	begin(&f);
	map.object = add_object(&f, self, "");
	assert_int_equal(as_build_map(&f.b, &map), AS_OK); /* 256 MB of code */
	add_code(&f, map.object, a);
	ask(&f);
	assert_null(name_at(&f, map.object, a));
	assert_int_equal(only_report(&f)->state, AS_OBJECT_CHANGED);
	end(&f);
}

static void test_path_map_symfs_and_object_find_what_moved(void **state)
{
	uint64_t a = vaddr_of(first_function_of_this_test);
	const char *base = strrchr(self, '/') + 1;
	char old[5000], map[9000], dir[4096];
	const char *map_p = map, *self_p = self;
	struct fixture f;

	(void)state;
	snprintf(old, sizeof(old), "/old/place/%s", base);
	snprintf(dir, sizeof(dir), "%.*s", (int)(base - self - 1), self);
	snprintf(map, sizeof(map), "/old/place=%s", dir);
	for (int way = 0; way < 3; way++) {
		as_object o;

		begin(&f);
		o = add_object(&f, old, "");
		add_code(&f, o, a);
		f.opts.path_map = way == 0 ? &map_p : NULL;
		f.opts.n_path_map = way == 0;
		f.opts.symfs = way == 1 ? dir : NULL;
		f.opts.object = way == 2 ? &self_p : NULL;
		f.opts.n_object = way == 2;
		ask(&f);
		assert_non_null(name_at(&f, o, a));
		end(&f);
	}
}

static void test_kernel_addresses_are_named_by_kallsyms(void **state)
{
	uint64_t addr = UINT64_C(0xffffffff81000010);
	struct fixture f;

	(void)state;
	write_text("ffffffff81000000 T startup_64\nffffffff81000100 T next_one\n");
	begin(&f);
	f.b.prof->object.p[0].addr_kind = AS_ADDR_ABSOLUTE;
	add_code(&f, (as_object){0}, addr);
	f.opts.kallsyms = text;
	ask(&f);
	assert_string_equal(name_at(&f, (as_object){0}, addr), "startup_64");
	end(&f);
	unlink(text);
}

static void test_kept_names_of_the_kernel_are_read_once(void **state)
{
	static const char *const list[] = {"ffffffff81000000 T first\nffffffff81000100 T next\n",
		"ffffffff81000000 T second\nffffffff81000100 T next\n"};
	struct as_kept_names *kept = as_kept_names_new(&as_alloc_libc);
	uint64_t addr = UINT64_C(0xffffffff81000010);
	struct fixture f;

	(void)state;
	assert_non_null(kept);
	for (int i = 0; i < 4; i++) { /* not kept, kept from then on, not kept */
		write_text(list[i / 2]);
		begin(&f);
		f.b.prof->object.p[0].addr_kind = AS_ADDR_ABSOLUTE;
		add_code(&f, (as_object){0}, addr);
		f.opts.kallsyms = text;
		f.opts.kept = i == 1 || i == 2 ? kept : NULL;
		ask(&f);
		assert_string_equal(name_at(&f, (as_object){0}, addr), i == 3 ? "second" : "first");
		end(&f);
		unlink(text);
	}
	as_kept_names_free(kept);
}

/* A copy of this program at TEXT, without its cache. */
static void copy_self(void)
{
	char buf[65536];
	int in = open(self, O_RDONLY), out = open(text, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	ssize_t n;

	assert_true(in >= 0 && out >= 0);
	while ((n = read(in, buf, sizeof(buf))) > 0)
		assert_int_equal(write(out, buf, (size_t)n), n);
	close(in);
	close(out);
}

/* The name of code at ADDR in the file TEXT; "-": it has none. */
static const char *name_in_copy(struct as_kept_names *kept, const char *id, uint64_t addr)
{
	const char *name;
	struct fixture f;
	as_object o;

	begin(&f);
	f.opts.kept = kept;
	o = add_object(&f, text, id);
	add_code(&f, o, addr);
	ask(&f);
	name = name_at(&f, o, addr);
	end(&f);
	return name ? name : "-";
}

static void test_a_kept_file_is_open_and_has_its_answers_until_it_changes(void **state)
{
	struct as_kept_names *kept = as_kept_names_new(&as_alloc_libc);
	uint64_t a = vaddr_of(first_function_of_this_test);
	uint64_t b = vaddr_of(second_function_of_this_test);
	const struct timespec past[2] = {{1000000000, 0}, {1000000000, 0}};
	struct as_elf_opts none = {0};
	char id[128], moved[5000];
	struct as_elf *elf;
	struct stat st;

	(void)state;
	assert_int_equal(as_elf_open(&elf, &as_alloc_libc, self, &none, NULL), AS_OK);
	snprintf(id, sizeof(id), "%.*s", AS_SLICE_FMT(as_elf_facts(elf)->build_id));
	as_elf_close(elf);
	write_text("");
	copy_self();
	assert_int_equal(utimensat(AT_FDCWD, text, past, 0), 0);
	assert_int_equal(stat(text, &st), 0);
	assert_string_equal(name_in_copy(kept, id, a), "first_function_of_this_test");
	snprintf(moved, sizeof(moved), "%s.moved", text);
	assert_int_equal(rename(text, moved), 0);
	close(open(text, O_WRONLY | O_CREAT, 0600)); /* of the same size and time, all zeros */
	assert_int_equal(truncate(text, st.st_size), 0);
	assert_int_equal(utimensat(AT_FDCWD, text, past, 0), 0);
	if (id[0]) {
		assert_string_equal(name_in_copy(kept, id, a), "first_function_of_this_test");
		assert_string_equal(name_in_copy(kept, id, b), "second_function_of_this_test");
	}
	assert_string_equal(name_in_copy(NULL, id, a), "-");
	assert_int_equal(utimensat(AT_FDCWD, text, NULL, 0), 0);
	assert_string_equal(name_in_copy(kept, id, a), "-");
	assert_int_equal(rename(moved, text), 0);
	assert_string_equal(name_in_copy(kept, id, b), "second_function_of_this_test");
	as_kept_names_free(kept);
	unlink(text);
}

static void test_names_of_the_kernel_are_not_passed_on_unasked(void **state)
{
	uint64_t addr = UINT64_C(0xffffffff81000010);
	char dir[] = "/tmp/assay-kernel-XXXXXX", path[64];
	const char *given = path;
	struct fixture f;

	(void)state;
	assert_non_null(mkdtemp(dir));
	snprintf(path, sizeof(path), "%s/kallsyms", dir);
	write_text("ffffffff81000000 T startup_64\nffffffff81000100 T next_one\n");
	assert_int_equal(link(text, path), 0);
	for (int i = 0; i < 2; i++) {
		begin(&f);
		f.b.prof->object.p[0].addr_kind = AS_ADDR_ABSOLUTE;
		add_code(&f, (as_object){0}, addr);
		f.opts.kallsyms = text;
		f.opts.passed_on = true;
		f.opts.object = &given;
		f.opts.n_object = i ? 1 : 0;
		ask(&f);
		if (i)
			assert_string_equal(name_at(&f, (as_object){0}, addr), "startup_64");
		else
			assert_null(name_at(&f, (as_object){0}, addr));
		end(&f);
	}
	unlink(path);
	rmdir(dir);
	unlink(text);
}

static void test_named_code_wants_no_symbols(void **state)
{
	struct fixture f;
	struct as_pos pos = {.addr = 16};
	as_val one = 1;

	(void)state;
	begin(&f);
	assert_int_equal(as_build_func(&f.b, as_slice_of("f"), add_object(&f, self, ""),
				 (as_file){0}, 0, &pos.func),
		AS_OK);
	assert_int_equal(as_build_self(&f.b, 0, &pos, &one, 1), AS_OK);
	ask(&f);
	assert_false(as_wants_symbols(f.prof));
	assert_int_equal(f.report.object.n, 0);
	end(&f);
}

/* KEPT: of an object with a build id, and of what is kept of it. */
static void run_out_of_memory(bool kept)
{
	struct as_elf_opts none = {0};
	enum as_code rc = AS_E_NOMEM;
	char id[128] = "";
	struct as_elf *elf;
	struct fixture f;

	assert_int_equal(as_elf_open(&elf, &as_alloc_libc, self, &none, NULL), AS_OK);
	if (kept)
		snprintf(id, sizeof(id), "%.*s", AS_SLICE_FMT(as_elf_facts(elf)->build_id));
	as_elf_close(elf);
	begin(&f);
	add_code(&f, add_object(&f, self, id), vaddr_of(first_function_of_this_test));
	add_code(&f, add_object(&f, "/nowhere", ""), 16);
	assert_int_equal(as_build_finish(&f.b, &f.prof), AS_OK);
	for (uint64_t n = 1; rc != AS_OK; n++) {
		struct fail_alloc fa;

		fail_alloc_init(&fa, n);
		f.prof->al = &fa.al; /* of what is made out of it */
		f.opts.kept = kept ? as_kept_names_new(&fa.al) : NULL;
		rc = as_symbolize(f.prof, &f.opts, &f.chains, &f.report, NULL);
		as_chains_release(&f.chains);
		as_symbol_report_release(&f.report);
		as_kept_names_free(f.opts.kept);
		f.prof->al = &as_alloc_libc;
		assert_int_equal(fa.held, 0);
		assert_false(fa.wrong_size);
		assert_true(rc == AS_OK || rc == AS_E_NOMEM);
	}
	as_profile_free(f.prof);
}

static void test_running_out_of_memory_is_an_error_and_leaks_nothing(void **state)
{
	(void)state;
	run_out_of_memory(false);
	run_out_of_memory(true);
}

int symbolize_tests(void)
{
	ssize_t n = readlink("/proc/self/exe", self, sizeof(self) - 1);
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_functions_of_this_program_have_their_names),
		cmocka_unit_test(test_an_address_outside_every_symbol_stays_nameless),
		cmocka_unit_test(test_a_missing_object_and_one_that_is_no_file_are_told_apart),
		cmocka_unit_test(test_addresses_of_a_large_object_that_is_missing_are_counted),
		cmocka_unit_test(test_a_file_of_another_build_id_is_refused_unless_forced),
		cmocka_unit_test(test_an_image_id_of_dcpi_is_no_build_id),
		cmocka_unit_test(test_code_that_was_mapped_otherwise_is_another_file),
		cmocka_unit_test(test_path_map_symfs_and_object_find_what_moved),
		cmocka_unit_test(test_kernel_addresses_are_named_by_kallsyms),
		cmocka_unit_test(test_kept_names_of_the_kernel_are_read_once),
		cmocka_unit_test(test_a_kept_file_is_open_and_has_its_answers_until_it_changes),
		cmocka_unit_test(test_names_of_the_kernel_are_not_passed_on_unasked),
		cmocka_unit_test(test_named_code_wants_no_symbols),
		cmocka_unit_test(test_running_out_of_memory_is_an_error_and_leaks_nothing),
	};

	return n > 0 ? cmocka_run_group_tests_name("symbolize", tests, NULL, NULL) : 1;
}
