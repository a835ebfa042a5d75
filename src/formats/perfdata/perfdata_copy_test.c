/* SPDX-License-Identifier: Apache-2.0 */
/* Copies of stacks: what the host's unwinder is told of them, and the paths that it makes. */
#include "formats/perfdata/perfdata_testing.h"

int perfdata_copy_tests(void);

enum {
	ATTR = 96,
	ABI_32 = 1,
	ABI_64 = 2,
};
#define COPIES (USUAL | AS_PERF_S_REGS_USER | AS_PERF_S_STACK_USER)
#define MASK UINT64_C(0xff0fff) /* as perf has it: no segments */

/* An unwinder that knows one stack, and keeps what it was asked. */
struct known {
	struct as_frames frames;
	struct as_stack asked;
	unsigned n_asked, n_begun, n_ended, n_mapped;
	bool stale;
};

struct as_unwind {
	struct known *known;
};

static struct as_unwind *known_begin(void *ctx)
{
	struct as_unwind *u = malloc(sizeof(*u));

	assert_non_null(u);
	u->known = ctx;
	u->known->n_begun++;
	return u;
}

static void known_end(struct as_unwind *u)
{
	if (u)
		u->known->n_ended++;
	free(u);
}

static bool known_is_stale(const struct as_unwind *u)
{
	return u->known->stale;
}

static bool known_add(
	void *ctx, struct as_unwind *u, const struct as_perf_range *range, struct as_slice id)
{
	assert_ptr_equal(u->known, ctx);
	assert_string_equal(range->path.p, "/a");
	assert_int_equal(id.len, 0);
	u->known->n_mapped++;
	return true;
}

static void known_added(struct as_unwind *u)
{
	(void)u;
}

static void known_unwind(
	struct as_unwind *u, const struct as_stack *stack, struct as_frames *frames)
{
	u->known->asked = *stack;
	u->known->n_asked++;
	*frames = u->known->frames;
}

static void put_copies_attr(struct file *f)
{
	size_t at;

	begin(f, PD_ATTR, 0);
	at = f->n;
	put_attr(f, &(struct event){.type = 1, .period = 10, .sample_type = COPIES});
	memcpy(f->p + at + 4, &(uint32_t){ATTR}, 4);
	put64(f, 0); /* config2 */
	put64(f, 0); /* branches */
	put64(f, MASK);
	put64(f, 16); /* bytes of the stack, and which clock */
	put64(f, 100);
	end(f);
}

/* Of process 7 at TIME, in user code at 0x1100 or in the kernel; registers hold 0x1100 + their
 * number but for the program counter. */
static void put_copy(struct file *f, uint64_t time, bool kernel, uint64_t abi)
{
	begin(f, AS_PERF_SAMPLE, kernel ? AS_PERF_MODE_KERNEL : AS_PERF_MODE_USER);
	put64(f, 100);
	put64(f, kernel ? 0xffffffff81000010 : 0x1100);
	put32(f, 7);
	put32(f, 7);
	put64(f, time);
	put64(f, 10);
	put64(f, kernel ? 3 : 0);
	for (unsigned i = 0; kernel && i < 3; i++)
		put64(f, ((const uint64_t[]){AS_PERF_CONTEXT_KERNEL, 0xffffffff81000010,
				 0xffffffff81000021})[i]);
	put64(f, abi);
	for (unsigned i = 0; abi && i < 24; i++)
		if (MASK >> i & 1)
			put64(f, i == 8 ? 0x1100 : 0x7000 + i);
	put64(f, 16);
	put64(f, UINT64_C(0x1111111111111111));
	put64(f, UINT64_C(0x2222222222222222));
	put64(f, 16);
	end(f);
}

static void begin_copies(struct file *f)
{
	begin_pipe(f, NULL, 0, false);
	put_copies_attr(f);
	put_mmap(f, 7, 1, 0x1000, "/a");
}

static void read_by(struct mem_read *r, const struct file *f, struct known *known)
{
	struct as_unwinder un = {.ctx = known,
		.begin = known_begin,
		.end = known_end,
		.is_stale = known_is_stale,
		.add = known_add,
		.added = known_added,
		.unwind = known_unwind};
	struct mem_how how = {.fmt = &as_format_perfdata,
		.detail = AS_DETAIL_FULL,
		.unwinder = known ? &un : NULL};

	mem_read(r, &how, (struct as_slice){f->p, f->n});
	if (r->rc != AS_OK)
		fail_msg("%s", r->err.msg);
}

static void assert_paths(const struct mem_read *r, const char *expected)
{
	char text[1024];

	assert_string_equal(paths_of(r->prof, text, sizeof(text)), expected);
}

static void test_unwinder_gets_registers_by_dwarf_numbers(void **state)
{
	static struct known known = {.frames = {.pc = {0x1100, 0x1200}, .n = 2}};
	static struct file f;
	struct mem_read r;

	(void)state;
	begin_copies(&f);
	put_copy(&f, 2, false, ABI_64);
	put_copy(&f, 3, false, ABI_64);
	read_by(&r, &f, &known);
	assert_int_equal(known.n_asked, 2);
	assert_int_equal(known.n_begun, 1);
	assert_int_equal(known.n_mapped, 1);
	assert_int_equal(known.n_ended, 1);
	assert_int_equal(known.asked.known, 0x1ffff);
	assert_int_equal(known.asked.reg[0], 0x7000);
	assert_int_equal(known.asked.reg[1], 0x7003); /* dx */
	assert_int_equal(known.asked.reg[3], 0x7001); /* bx */
	assert_int_equal(known.asked.reg[AS_STACK_SP], 0x7007);
	assert_int_equal(known.asked.reg[8], 0x7010); /* r8 */
	assert_int_equal(known.asked.reg[15], 0x7017);
	assert_int_equal(known.asked.reg[AS_STACK_PC], 0x1100);
	assert_int_equal(known.asked.bytes.len, 16);
	assert_true(known.asked.more);
	assert_int_equal(r.findings.count[AS_F_PD_COPIES], 0);
	assert_int_equal(r.findings.count[AS_F_PD_TRUNCATED], 0);
	assert_paths(&r, "/a+4100 < /a+4200\n");
	assert_int_equal(total(r.prof, "cpu-clock samples"), 2);
	mem_read_free(&r);
}

static void test_user_part_goes_on_where_the_kernels_ends(void **state)
{
	static struct known known = {.frames = {.pc = {0x1100, 0x1200}, .n = 2, .cut = true}};
	static struct file f;
	struct mem_read r;

	(void)state;
	begin_copies(&f);
	put_copy(&f, 2, true, ABI_64);
	read_by(&r, &f, &known);
	assert_paths(&r, "[kernel.kallsyms]+ffffffff81000010 < [kernel.kallsyms]+ffffffff81000020 "
			 "< /a+4100 < /a+4200 < [truncated]+1fffffff0010\n");
	assert_int_equal(r.findings.count[AS_F_PD_TRUNCATED], 1);
	mem_read_free(&r);
}

static void test_path_ends_where_there_is_no_code(void **state)
{
	static struct known known = {.frames = {.pc = {0x1100, 0x1200, 0x9000, 0x1300}, .n = 4}};
	static struct file f;
	struct mem_read r;

	(void)state;
	begin_copies(&f);
	put_copy(&f, 2, false, ABI_64);
	read_by(&r, &f, &known);
	assert_paths(&r, "/a+4100 < /a+4200 < [truncated]+1fffffff0010\n");
	assert_int_equal(r.findings.count[AS_F_PD_TRUNCATED], 1);
	mem_read_free(&r);
}

static void test_new_program_has_an_unwinder_of_its_own(void **state)
{
	static struct known known = {.frames = {.pc = {0x1100}, .n = 1}};
	static struct file f;
	struct mem_read r;

	(void)state;
	begin_copies(&f);
	put_copy(&f, 2, false, ABI_64);
	put_comm(&f, 7, 3, "b", true);
	put_mmap(&f, 7, 4, 0x1000, "/a");
	put_copy(&f, 5, false, ABI_64);
	put_mmap(&f, 7, 6, 0x5000, "/a");
	put_copy(&f, 7, false, ABI_64);
	read_by(&r, &f, &known);
	assert_int_equal(known.n_begun, 2);
	assert_int_equal(known.n_ended, 2);
	assert_int_equal(known.n_mapped, 3); /* a library that is added is told alone */
	mem_read_free(&r);
}

static void test_unwinder_that_forgot_is_told_again(void **state)
{
	static struct known known = {.frames = {.pc = {0x1100}, .n = 1}, .stale = true};
	static struct file f;
	struct mem_read r;

	(void)state;
	begin_copies(&f);
	put_copy(&f, 2, false, ABI_64);
	put_copy(&f, 3, false, ABI_64);
	read_by(&r, &f, &known);
	assert_int_equal(known.n_begun, 2);
	assert_int_equal(known.n_mapped, 2);
	mem_read_free(&r);
}

static void test_copies_that_nobody_unwinds_are_told(void **state)
{
	static struct known known = {.frames = {.pc = {0x1100}, .n = 1}};
	static struct file f;
	struct mem_read r;

	(void)state;
	begin_copies(&f);
	put_copy(&f, 2, false, ABI_32);
	read_by(&r, &f, &known);
	assert_int_equal(known.n_asked, 0);
	assert_int_equal(r.findings.count[AS_F_PD_COPIES], 1);
	assert_paths(&r, "/a+4100\n");
	mem_read_free(&r);
	begin_copies(&f);
	put_copy(&f, 2, false, ABI_64);
	read_by(&r, &f, NULL);
	assert_int_equal(r.findings.count[AS_F_PD_COPIES], 1);
	assert_paths(&r, "/a+4100\n");
	mem_read_free(&r);
}

int perfdata_copy_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_unwinder_gets_registers_by_dwarf_numbers),
		cmocka_unit_test(test_user_part_goes_on_where_the_kernels_ends),
		cmocka_unit_test(test_path_ends_where_there_is_no_code),
		cmocka_unit_test(test_new_program_has_an_unwinder_of_its_own),
		cmocka_unit_test(test_unwinder_that_forgot_is_told_again),
		cmocka_unit_test(test_copies_that_nobody_unwinds_are_told),
	};

	return cmocka_run_group_tests_name("perfdata_copy", tests, NULL, NULL);
}
