/* SPDX-License-Identifier: Apache-2.0 */
/* Claims about this program's own code: true ones, and each way in which they can be wrong. */
#include "symbols/code_check.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "lib/fail_alloc.h"
#include "symbols/code.h"

struct fixture {
	struct as_elf *elf;
	struct as_code_list list; /* as_code_check() itself, as the disassembler has it */
	struct as_code_claim claim[4096];
	size_t n;
};

static struct as_elf_symbol symbol(struct as_elf *elf, const char *name)
{
	struct as_elf_symbol sym;

	for (size_t i = 0; as_elf_symbol_nth(elf, i, &sym); i++)
		if (as_slice_is(sym.name, name))
			return sym;
	skip(); /* stripped */
	return sym;
}

/* Every instruction of as_code_check(), under the name FUNC. */
static void begin(struct fixture *f, const char *func)
{
	struct as_elf_opts opts = {.no_debuginfo = true};
	struct as_code_query query = {.n = 1};
	struct as_err err;
	uint64_t addr;

	f->n = 0;
	as_err_clear(&err);
	if (as_elf_open(&f->elf, &as_alloc_libc, "/proc/self/exe", &opts, &err) != AS_OK)
		skip();
	addr = symbol(f->elf, "as_code_check").start;
	query.addr = &addr;
	if (as_code_read(&f->list, &as_alloc_libc, f->elf, &query, &err) != AS_OK) {
		as_code_list_release(&f->list);
		as_elf_close(f->elf);
		skip();
	}
	for (; f->n < f->list.insn.n && f->n < AS_ARRAY_LEN(f->claim); f->n++)
		f->claim[f->n] =
			(struct as_code_claim){f->list.insn.p[f->n].addr, as_slice_of(func), false};
	assert_true(f->n > 10);
}

static void end(struct fixture *f)
{
	as_code_list_release(&f->list);
	as_elf_close(f->elf);
}

static struct as_code_verdict verdict(const struct fixture *f, const char *want)
{
	struct as_code_verdict v;
	struct as_slice text;
	struct as_arena ar;
	struct as_err err;

	assert_int_equal(as_code_check(f->elf, &as_alloc_libc, f->claim, f->n, &v, &err), AS_OK);
	assert_int_equal(v.n, f->n);
	as_arena_init(&ar, &as_alloc_libc);
	text = as_code_verdict_text(&v, as_slice_of("prog"), &ar);
	if (want)
		assert_non_null(strstr(text.p, want));
	else
		assert_int_equal(text.len, 0);
	as_arena_release(&ar);
	return v;
}

static void test_the_program_itself_fits(void **state)
{
	static const char *const func[] = {"as_code_check", "", "not in the symbol table"};

	(void)state;
	for (size_t i = 0; i < AS_ARRAY_LEN(func); i++) {
		struct fixture f;
		struct as_code_verdict v;

		begin(&f, func[i]);
		v = verdict(&f, NULL);
		assert_int_equal(v.n_no_insn, 0);
		assert_int_equal(v.n_elsewhere, 0);
		end(&f);
	}
}

/* All instructions of more than one byte are shifted by one. */
static void test_addresses_inside_of_instructions_are_counted(void **state)
{
	struct as_code_verdict v;
	struct fixture f;
	size_t want = 0;

	(void)state;
	begin(&f, "as_code_check");
	for (size_t i = 0; i < f.n; i++) {
		if (f.list.insn.p[i].size > 1 && i % 3 == 0) {
			f.claim[i].addr++;
			want++;
		}
	}
	v = verdict(&f, "prog is not the binary that was recorded: ");
	assert_int_equal(v.n_no_insn, want);
	assert_int_equal(v.n_elsewhere, 0);
	end(&f);
}

static void test_the_last_byte_of_a_call_is_where_callers_are(void **state)
{
	struct fixture f;
	size_t calls = 0;

	(void)state;
	begin(&f, "as_code_check");
	for (size_t i = 0; i < f.n; i++) {
		if (f.list.insn.p[i].is_call) {
			f.claim[i].addr += f.list.insn.p[i].size - 1;
			f.claim[i].call_only = true;
			calls++;
		}
	}
	assert_true(calls > 0);
	assert_int_equal(verdict(&f, NULL).n_no_insn, 0);
	for (size_t i = 0; i < f.n; i++)
		f.claim[i].call_only = false;
	assert_int_equal(verdict(&f, "no beginnings of instructions").n_no_insn, calls);
	end(&f);
}

static void test_code_of_another_function_is_noticed(void **state)
{
	struct as_code_verdict v;
	struct fixture f;
	struct as_elf_symbol other;

	(void)state;
	begin(&f, "as_disasm_next"); /* which the profile has elsewhere, too */
	assert_int_equal(verdict(&f, NULL).n_elsewhere, 0);
	other = symbol(f.elf, "as_disasm_next");
	if (other.start > f.claim[f.n - 1].addr) {
		f.claim[f.n++] =
			(struct as_code_claim){other.start, as_slice_of("as_code_check"), false};
	} else {
		memmove(f.claim + 1, f.claim, f.n++ * sizeof(*f.claim));
		f.claim[0] =
			(struct as_code_claim){other.start, as_slice_of("as_code_check"), false};
	}
	v = verdict(&f, "are in other functions there");
	assert_int_equal(v.n_elsewhere, f.n);
	assert_int_equal(v.n_no_insn, 0);
	end(&f);
}

static void test_where_no_code_is_no_instruction_begins(void **state)
{
	struct fixture f;

	(void)state;
	begin(&f, "as_code_check");
	f.n = 1;
	f.claim[0].addr = UINT64_MAX - 20;
	assert_int_equal(verdict(&f, "1 of 1 costed addresses").n_no_insn, 1);
	end(&f);
}

static void test_every_lack_of_memory_is_told(void **state)
{
	struct as_code_verdict v;
	struct fixture f;

	(void)state;
	begin(&f, "as_code_check");
	for (uint64_t n = 1;; n++) {
		struct fail_alloc fa;
		struct as_err err;
		enum as_code rc;

		fail_alloc_init(&fa, n);
		rc = as_code_check(f.elf, &fa.al, f.claim, f.n, &v, &err);
		assert_int_equal(fa.held, 0);
		assert_false(fa.wrong_size);
		if (rc == AS_OK)
			break;
		assert_int_equal(rc, AS_E_NOMEM);
	}
	end(&f);
}

int code_check_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_the_program_itself_fits),
		cmocka_unit_test(test_addresses_inside_of_instructions_are_counted),
		cmocka_unit_test(test_the_last_byte_of_a_call_is_where_callers_are),
		cmocka_unit_test(test_code_of_another_function_is_noticed),
		cmocka_unit_test(test_where_no_code_is_no_instruction_begins),
		cmocka_unit_test(test_every_lack_of_memory_is_told),
	};

	return cmocka_run_group_tests_name("code_check", tests, NULL, NULL);
}
