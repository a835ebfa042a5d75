/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The rows of real objects against libdw's: for each row that libdw has of each entry of the
 * unwind tables of libc, libstdc++, ld.so and the vdso, a step over a stack whose words are told
 * by their addresses leads to the same registers.
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>
#include <dlfcn.h>
#include <dwarf.h>
#include <elfutils/libdwfl.h>
#include <fcntl.h>
#include <gelf.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "record/perf_ids.h"
#include "record/perf_proc.h"
#include "symbols/unwind/perf_step.h"

#if defined(__x86_64__)

enum { STACK = 1 << 20, VALUES_MAX = 16 };

struct compared {
	const char *name; /* the end of the path */
	uint64_t bias;
	bool unsorted; /* a copy that has no .eh_frame_hdr */
	struct as_unwind_tables *tables;
	struct as_unwind_asker asker;
	size_t n, special, signal;
};

/* A word of memory: what it holds follows from where it is. */
static uint64_t word_at(uint64_t addr)
{
	return as_hash_mix(addr, 1);
}

static bool read_any(void *ctx, uint64_t addr, uint64_t *word)
{
	(void)ctx;
	*word = word_at(addr);
	return true;
}

static void begin_registers(struct as_step_regs *regs, uint64_t pc)
{
	for (unsigned i = 0; i < AS_CFI_REGS; i++)
		regs->value[i] = STACK + 0x1000 * i;
	regs->value[AS_CFI_PC] = pc;
	regs->known = (1u << AS_CFI_REGS) - 1;
}

/* ---- by libdw ---- */

/* The operations that objects have by now, over registers as begin_registers() makes them. */
static uint64_t eval_ops(const Dwarf_Op *op, size_t n, uint64_t cfa, uint64_t pc, bool *place)
{
	uint64_t v[VALUES_MAX] = {0};
	struct as_step_regs regs;
	size_t k = 0;

	begin_registers(&regs, pc);
	for (; n--; op++) {
		bool numbered = op->atom == DW_OP_bregx || op->atom == DW_OP_regx;
		uint64_t reg = numbered ? op->number : (uint64_t)op->atom - DW_OP_breg0;

		assert_true(k < VALUES_MAX - 1);
		if (op->atom == DW_OP_bregx)
			v[k++] = regs.value[reg] + op->number2;
		else if (op->atom == DW_OP_regx)
			v[k++] = regs.value[reg];
		else if (op->atom >= DW_OP_breg0 && op->atom < DW_OP_breg0 + AS_CFI_REGS)
			v[k++] = regs.value[reg] + op->number;
		else if (op->atom >= DW_OP_lit0 && op->atom <= DW_OP_lit31)
			v[k++] = op->atom - DW_OP_lit0;
		else if (op->atom == DW_OP_call_frame_cfa)
			*place = true, v[k++] = cfa;
		else if (op->atom == DW_OP_stack_value)
			*place = false;
		else if (op->atom == DW_OP_plus_uconst)
			v[k - 1] += op->number;
		else if (op->atom == DW_OP_deref)
			v[k - 1] = word_at(v[k - 1]);
		else if (op->atom == DW_OP_and)
			k--, v[k - 1] &= v[k];
		else if (op->atom == DW_OP_ge)
			k--, v[k - 1] = v[k - 1] >= v[k];
		else if (op->atom == DW_OP_shl)
			k--, v[k - 1] <<= v[k];
		else if (op->atom == DW_OP_plus)
			k--, v[k - 1] += v[k];
		else
			fail_msg("operation %x", op->atom);
	}
	assert_true(k > 0);
	return v[k - 1];
}

/* Of registers that no instruction speaks of libdw takes rax for one that is the caller's, and rbx
 * for none; it is the other way round. */
static bool step_by_libdw(Dwarf_Frame *frame, uint64_t pc, struct as_step_regs *out)
{
	Dwarf_Op mem[3], *op;
	struct as_step_regs old;
	bool place = false;
	uint64_t cfa;
	size_t n;

	assert_int_equal(dwarf_frame_cfa(frame, &op, &n), 0);
	cfa = eval_ops(op, n, 0, pc, &place);
	begin_registers(&old, pc);
	memset(out, 0, sizeof(*out));
	for (unsigned i = 0; i < AS_CFI_REGS; i++) {
		assert_int_equal(dwarf_frame_register(frame, (int)i, mem, &op, &n), 0);
		place = false;
		if (n)
			out->value[i] = eval_ops(op, n, cfa, pc, &place);
		else if ((op && i != AS_CFI_BX) || i == 0)
			continue; /* undefined */
		else
			out->value[i] = old.value[i];
		if (place)
			out->value[i] = word_at(out->value[i]);
		out->known |= 1u << i;
	}
	return out->known >> AS_CFI_PC & 1;
}

/* ---- both ---- */

static void same_registers(const struct compared *c, uint64_t pc, const struct as_step_regs *mine,
	const struct as_step_regs *its, bool all)
{
	static const uint8_t kept[] = {AS_CFI_BX, AS_CFI_BP, AS_CFI_SP, 12, 13, 14, 15, AS_CFI_PC};

	for (unsigned i = 0; i < AS_CFI_REGS; i++) {
		bool asked = all || memchr(kept, (int)i, sizeof(kept));
		unsigned a = mine->known >> i & 1, b = its->known >> i & 1;

		if (asked && (a != b || (a && mine->value[i] != its->value[i])))
			fail_msg("%s: register %u at %" PRIx64 ": %u %" PRIx64 ", %u %" PRIx64,
				c->name, i, pc, a, mine->value[i], b, its->value[i]);
	}
}

static void compare_at(struct compared *c, Dwarf_Frame *frame, uint64_t pc, bool signal)
{
	const struct as_step_memory memory = {read_any, NULL};
	const struct as_row *row = as_tables_row(c->tables, &c->asker, pc);
	struct as_step_regs mine, its;
	struct as_cfi_row cfi;
	enum as_step step;
	bool goes_on;

	if (!row)
		fail_msg("%s: no row at %" PRIx64, c->name, pc);
	begin_registers(&mine, pc);
	if (row->special)
		assert_true(as_tables_special(c->tables, &c->asker, pc, &cfi));
	step = row->special ? as_step_special(&cfi, &memory, &mine)
			    : as_step_row(row, &memory, &mine);
	goes_on = step_by_libdw(frame, pc, &its);
	assert_int_equal(step == AS_STEP_ON, goes_on);
	assert_int_equal(row->signal, signal);
	if (goes_on)
		same_registers(c, pc, &mine, &its, row->special);
	c->n++;
	c->special += row->special;
	c->signal += signal;
}

static void compare_entry(struct compared *c, Dwarf_CFI *cfi, uint64_t start, uint64_t limit)
{
	for (uint64_t pc = start; pc < limit;) {
		Dwarf_Addr from, to;
		Dwarf_Frame *frame;
		bool signal;

		assert_int_equal(dwarf_cfi_addrframe(cfi, pc, &frame), 0);
		assert_true(dwarf_frame_info(frame, &from, &to, &signal) >= 0);
		assert_true(from <= pc && to > pc);
		compare_at(c, frame, pc, signal);
		compare_at(c, frame, to - 1, signal);
		free(frame);
		pc = to;
	}
}

/* Addresses are relative to where they are written, as 32 bits: so all linkers have it. */
static void compare_section(
	struct compared *c, Elf *elf, Elf_Scn *scn, const GElf_Shdr *sh, Dwarf_CFI *cfi)
{
	GElf_Ehdr eh;
	Elf_Data *data = elf_getdata(scn, NULL);
	Dwarf_Off off = 0, next;
	Dwarf_CFI_Entry entry;

	assert_non_null(data);
	assert_non_null(cfi);
	assert_non_null(gelf_getehdr(elf, &eh));
	while (dwarf_next_cfi(eh.e_ident, data, true, off, &next, &entry) == 0) {
		if (!dwarf_cfi_cie_p(&entry)) {
			const uint8_t *at = entry.fde.start;
			uint64_t here = sh->sh_addr + (uint64_t)(at - (uint8_t *)data->d_buf);
			int32_t by;
			uint32_t size;

			memcpy(&by, at, 4);
			memcpy(&size, at + 4, 4);
			here += (uint64_t)(int64_t)by;
			compare_entry(c, cfi, here, here + size);
		}
		off = next;
	}
}

static void compare_module(struct compared *c, Dwfl_Module *mod)
{
	Elf_Scn *scn = NULL;
	Dwarf_Addr bias;
	Dwarf_CFI *cfi;
	GElf_Shdr sh;
	size_t names;
	Elf *elf;

	assert_non_null(mod);
	elf = dwfl_module_getelf(mod, &bias);
	assert_non_null(elf);
	assert_int_equal(bias, 0);
	cfi = dwfl_module_eh_cfi(mod, &bias);
	assert_int_equal(bias, 0);
	assert_int_equal(elf_getshdrstrndx(elf, &names), 0);
	while ((scn = elf_nextscn(elf, scn))) {
		assert_non_null(gelf_getshdr(scn, &sh));
		if (strcmp(elf_strptr(elf, names, sh.sh_name), ".eh_frame") == 0)
			compare_section(c, elf, scn, &sh, cfi);
	}
}

/* The file at PATH, or what the kernel has at RANGE. */
static int open_object(const char *path, const struct as_perf_range *range)
{
	size_t n = (size_t)(range->limit - range->start);
	int fd;

	if (path[0] == '/')
		return open(path, O_RDONLY | O_CLOEXEC);
	fd = memfd_create("vdso", MFD_CLOEXEC);
	assert_int_equal(write(fd, (const void *)(uintptr_t)range->start, n), n);
	return fd;
}

static void compare_with_libdw(struct compared *c, int fd)
{
	static const Dwfl_Callbacks callbacks = {
		.find_elf = dwfl_build_id_find_elf,
		.find_debuginfo = dwfl_standard_find_debuginfo,
		.section_address = dwfl_offline_section_address,
	};
	Dwfl *dwfl = dwfl_begin(&callbacks);

	assert_non_null(dwfl);
	assert_true(fd >= 0);
	dwfl_report_begin(dwfl);
	compare_module(c, dwfl_report_elf(dwfl, c->name, c->name, fd, 0, true));
	dwfl_end(dwfl); /* closes FD */
}

/* A copy of the file FD whose segment that tells of a sorted table tells of nothing. */
static int copy_unsorted(int fd)
{
	int copy = memfd_create("copy", MFD_CLOEXEC);
	off_t size = lseek(fd, 0, SEEK_END);
	Elf64_Ehdr *eh;
	Elf64_Phdr *ph;
	char *p;

	assert_int_equal(ftruncate(copy, size), 0);
	p = mmap(NULL, (size_t)size, PROT_READ | PROT_WRITE, MAP_SHARED, copy, 0);
	assert_true(p != MAP_FAILED);
	assert_int_equal(pread(fd, p, (size_t)size, 0), size);
	eh = (void *)p;
	ph = (void *)(p + eh->e_phoff);
	for (unsigned i = 0; i < eh->e_phnum; i++)
		if (ph[i].p_type == PT_GNU_EH_FRAME)
			ph[i].p_type = PT_NULL;
	munmap(p, (size_t)size);
	return copy;
}

static void compare_range(void *ctx, const struct as_perf_range *range)
{
	struct compared *c = ctx;
	const struct as_slice none = {NULL, 0};
	char path[4096];
	struct as_perf_range r = *range;
	int fd, copy = -1;

	if (c->n || !as_slice_ends(range->path, c->name))
		return;
	snprintf(path, sizeof(path), "%.*s", (int)range->path.len, range->path.p);
	r.path = as_slice_of(path);
	fd = open_object(path, &r);
	if (c->unsorted) {
		copy = copy_unsorted(fd);
		snprintf(path, sizeof(path), "/proc/self/fd/%d", copy);
		r.path = as_slice_of(path);
		r.ino = 0;
	}
	c->asker = (struct as_unwind_asker){
		.pid = (uint32_t)getpid(), .start = r.start, .limit = r.limit};
	c->asker.object = as_tables_object(c->tables, c->asker.pid, &r, none, &c->bias);
	assert_int_not_equal(c->asker.object, AS_NO_OBJECT);
	compare_with_libdw(c, fd);
	if (copy >= 0)
		close(copy);
}

static struct compared compare(const char *name, bool unsorted)
{
	struct compared c = {.name = name, .unsorted = unsorted};

	c.tables = as_unwind_tables_new(&as_alloc_libc);
	assert_non_null(c.tables);
	as_proc_maps((uint32_t)getpid(), compare_range, &c);
	as_unwind_tables_free(c.tables);
	return c;
}

static void test_rows_of_libc_are_libdws(void **state)
{
	struct compared c = compare("/libc.so.6", false);

	(void)state;
	if (!c.n)
		skip(); /* it is another library, or part of this program */
	assert_true(c.n > 5000);
	assert_true(c.special > 0);
	assert_true(c.signal > 0);
}

static void test_rows_without_a_sorted_table_are_the_same(void **state)
{
	struct compared sorted = compare("/libc.so.6", false);
	struct compared c = compare("/libc.so.6", true);

	(void)state;
	if (!c.n)
		skip();
	assert_int_equal(c.n, sorted.n);
}

static void test_rows_of_libstdcxx_are_libdws(void **state)
{
	void *lib = dlopen("libstdc++.so.6", RTLD_NOW);
	struct compared c = {.n = 0};

	(void)state;
	if (lib) {
		Dl_info info;
		char *path;

		assert_true(dladdr(dlsym(lib, "__cxa_throw"), &info));
		path = realpath(info.dli_fname, NULL); /* as maps has it */
		assert_non_null(path);
		c = compare(path, false);
		free(path);
		dlclose(lib);
	}
	if (!c.n)
		skip();
	assert_true(c.n > 5000);
}

static void test_rows_of_the_loader_are_libdws(void **state)
{
	struct compared c = compare("/ld-linux-x86-64.so.2", false);

	(void)state;
	if (!c.n)
		skip();
	assert_true(c.n > 500);
}

static void test_rows_of_the_vdso_are_libdws(void **state)
{
	struct compared c = compare("[vdso]", false);

	(void)state;
	if (!getauxval(AT_SYSINFO_EHDR))
		skip();
	assert_true(c.n > 5);
}

/* The file is gone when it is asked for again. */
static void test_a_build_id_is_read_once(void **state)
{
	char path[64], text[AS_BUILD_ID_TEXT], other[AS_BUILD_ID_TEXT];
	int self = open("/proc/self/exe", O_RDONLY | O_CLOEXEC), fd = copy_unsorted(self);
	struct as_perf_range range = {.limit = 4096, .exec = true};
	struct as_known_ids ids;
	struct as_slice id;
	struct stat st;

	(void)state;
	close(self);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	assert_int_equal(fstat(fd, &st), 0);
	range.path = as_slice_of(path);
	range.dev = st.st_dev;
	range.ino = st.st_ino;
	as_known_ids_init(&ids, &as_alloc_libc);
	id = as_known_id(&ids, (uint32_t)getpid(), &range, text);
	close(fd);
	if (id.len) /* it is for the linker to make one */
		assert_true(as_slice_eq(id, as_known_id(&ids, (uint32_t)getpid(), &range, other)));
	assert_int_equal(as_known_id(NULL, (uint32_t)getpid(), &range, other).len, 0);
	as_known_ids_release(&ids);
}

#endif

int perf_tables_tests(void)
{
#if defined(__x86_64__)
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rows_of_libc_are_libdws),
		cmocka_unit_test(test_rows_without_a_sorted_table_are_the_same),
		cmocka_unit_test(test_rows_of_libstdcxx_are_libdws),
		cmocka_unit_test(test_rows_of_the_loader_are_libdws),
		cmocka_unit_test(test_rows_of_the_vdso_are_libdws),
		cmocka_unit_test(test_a_build_id_is_read_once),
	};

	return cmocka_run_group_tests_name("perf_tables", tests, NULL, NULL);
#else
	return 0;
#endif
}
