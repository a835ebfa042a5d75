/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "record/perf_unwind.h"

#include <dwarf.h>
#include <elfutils/libdwelf.h>
#include <elfutils/libdwfl.h>
#include <gelf.h>
#include <unistd.h>

#include "record/perf_parse.h"
#include "record/perf_regs.h"
#include "record/perf_rows.h"

struct as_unwind {
	const struct as_alloc *al;
	Dwfl *dwfl;
	pid_t pid;
	bool attached;
	/* of the sample that is unwound */
	const struct as_stack *stack;
	uint64_t sp;
	bool beyond; /* the unwinder asked for what is behind the copy */
	struct as_rowset rows;
	struct as_frames *frames;
};

bool as_unwind_possible(void)
{
	return AS_PERF_HAVE_REGS;
}

/* ---- objects ---- */

static struct as_slice build_id_of(int fd, char text[AS_BUILD_ID_TEXT])
{
	static const char digit[] = "0123456789abcdef";
	struct as_slice id = {text, 0};
	const uint8_t *p = NULL;
	const void *bytes;
	ssize_t n = 0;
	Elf *elf;

	elf_version(EV_CURRENT);
	elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
	if (elf && (n = dwelf_elf_gnu_build_id(elf, &bytes)) > 0)
		p = bytes;
	for (; p && id.len < 2 * (size_t)n && id.len + 2 < AS_BUILD_ID_TEXT; p++) {
		text[id.len++] = digit[*p >> 4];
		text[id.len++] = digit[*p & 15];
	}
	elf_end(elf);
	return id;
}

struct as_slice as_object_build_id(
	uint32_t pid, const struct as_perf_range *range, char text[AS_BUILD_ID_TEXT])
{
	struct as_slice id = {text, 0};
	int fd = as_object_open(pid, range);

	if (fd < 0)
		return id;
	id = build_id_of(fd, text);
	close(fd);
	return id;
}

/* Separate debug files would cost more time than their few unwind tables are worth. */
static int no_debuginfo(Dwfl_Module *mod, void **userdata, const char *name, Dwarf_Addr base,
	const char *file, const char *link, GElf_Word crc, char **found)
{
	(void)mod, (void)userdata, (void)name, (void)base, (void)file, (void)link, (void)crc;
	*found = NULL;
	return -1;
}

static int perf_unwind_no_elf(Dwfl_Module *mod, void **userdata, const char *name, Dwarf_Addr base,
	char **file, Elf **elf)
{
	(void)mod, (void)userdata, (void)name, (void)base, (void)file, (void)elf;
	return -1;
}

static const Dwfl_Callbacks callbacks = {
	.find_elf = perf_unwind_no_elf,
	.find_debuginfo = no_debuginfo,
	.section_address = dwfl_offline_section_address,
};

struct as_unwind *as_unwind_new(const struct as_alloc *al, uint32_t pid)
{
	struct as_unwind *u = as_alloc_new(al, sizeof(*u));

	if (!u)
		return NULL;
	elf_version(EV_CURRENT);
	as_rowset_init(&u->rows, al);
	u->al = al;
	u->pid = (pid_t)pid;
	u->dwfl = dwfl_begin(&callbacks);
	if (!u->dwfl) {
		as_alloc_free(al, u, sizeof(*u));
		return NULL;
	}
	return u;
}

void as_unwind_free(struct as_unwind *u)
{
	if (!u)
		return;
	dwfl_end(u->dwfl);
	as_rowset_release(&u->rows);
	as_alloc_free(u->al, u, sizeof(*u));
}

void as_unwind_maps_begin(struct as_unwind *u)
{
	dwfl_report_begin_add(u->dwfl);
}

/* The difference between run-time and link-time addresses in RANGE. */
static bool perf_unwind_find_bias(int fd, const struct as_perf_range *range, uint64_t *bias)
{
	Elf *elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
	uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
	bool found = false;
	GElf_Phdr ph;
	size_t n = 0;

	if (elf && elf_getphdrnum(elf, &n))
		n = 0;
	for (size_t i = 0; i < n && !found; i++) {
		if (!gelf_getphdr(elf, (int)i, &ph) || ph.p_type != PT_LOAD || !(ph.p_flags & PF_X))
			continue;
		if (range->offset + (range->limit - range->start) <= ph.p_offset ||
			range->offset >= ph.p_offset + ph.p_filesz + page)
			continue;
		*bias = range->start - range->offset - (ph.p_vaddr - ph.p_offset);
		found = true;
	}
	elf_end(elf);
	return found;
}

static bool is_other(int fd, struct as_slice id)
{
	char text[AS_BUILD_ID_TEXT];
	struct as_slice its = {text, 0};

	if (id.len)
		its = build_id_of(fd, text);
	return its.len && !as_slice_eq(its, id);
}

void as_unwind_maps_add(struct as_unwind *u, const struct as_perf_range *range, struct as_slice id)
{
	int fd = as_object_open((uint32_t)u->pid, range);
	uint64_t bias;

	if (fd < 0)
		return;
	/* on success the descriptor is the module's */
	if (is_other(fd, id) || !perf_unwind_find_bias(fd, range, &bias) ||
		!dwfl_report_elf(u->dwfl, range->path.p, range->path.p, fd, bias, true))
		close(fd);
}

/* ---- what libdw asks for ---- */

static pid_t next_thread(Dwfl *dwfl, void *arg, void **thread)
{
	struct as_unwind *u = arg;

	(void)dwfl;
	if (*thread)
		return 0;
	*thread = u;
	return u->pid;
}

static bool perf_unwind_read_stack(struct as_unwind *u, uint64_t addr, uint64_t *word)
{
	struct as_slice bytes = u->stack->bytes;

	if (addr < u->sp)
		return false;
	if (addr - u->sp >= bytes.len || bytes.len - (addr - u->sp) < sizeof(*word)) {
		u->beyond = u->stack->more;
		return false;
	}
	memcpy(word, bytes.p + (addr - u->sp), sizeof(*word));
	return true;
}

static bool read_word(Dwfl *dwfl, Dwarf_Addr addr, Dwarf_Word *word, void *arg)
{
	(void)dwfl;
	return perf_unwind_read_stack(arg, addr, word);
}

/* The index in AS_PERF_REGS of each DWARF register. */
#if AS_PERF_HAVE_REGS
static const uint8_t position[AS_PERF_N_REGS] = {
	0, 3, 2, 1, 4, 5, 6, 7, 9, 10, 11, 12, 13, 14, 15, 16, 8};
#endif

static bool set_registers(Dwfl_Thread *thread, void *arg)
{
#if AS_PERF_HAVE_REGS
	const struct as_unwind *u = arg;
	Dwarf_Word value[AS_PERF_N_REGS];

	for (size_t i = 0; i < AS_PERF_N_REGS; i++)
		value[i] = as_perf_word(u->stack->regs, position[i]);
	return dwfl_thread_state_registers(thread, 0, AS_PERF_N_REGS, value);
#else
	(void)thread, (void)arg;
	return false;
#endif
}

void as_unwind_maps_end(struct as_unwind *u)
{
	static const Dwfl_Thread_Callbacks threads = {
		.next_thread = next_thread,
		.memory_read = read_word,
		.set_initial_registers = set_registers,
	};

	dwfl_report_end(u->dwfl, NULL, NULL);
	as_rowset_release(&u->rows); /* there may be tables now where there were none */
	as_rowset_init(&u->rows, u->al);
	if (!u->attached)
		u->attached = dwfl_attach_state(u->dwfl, NULL, u->pid, &threads, u);
}

/* ---- a stack ---- */

static int take_frame(Dwfl_Frame *state, void *arg)
{
	struct as_frames *frames = ((struct as_unwind *)arg)->frames;
	bool interrupted;
	Dwarf_Addr pc;

	if (!dwfl_frame_pc(state, &pc, &interrupted) || pc == 0)
		return DWARF_CB_ABORT; /* the end */
	if (frames->n == AS_FRAMES_MAX) {
		frames->cut = true;
		return DWARF_CB_ABORT;
	}
	frames->pc[frames->n++] = interrupted ? pc : pc - 1;
	return DWARF_CB_OK;
}

#if AS_PERF_HAVE_REGS
/* From the registers of a function to those of its caller; false: there is none, or it can't be
 * told. */
static bool perf_unwind_step(
	struct as_unwind *u, const struct as_row *row, uint64_t reg[AS_ROW_REGS])
{
	uint64_t cfa = reg[row->cfa_reg] + (uint64_t)(int64_t)row->cfa_off;

	for (unsigned i = 0; i < AS_ROW_REGS; i++)
		if (row->rule[i] == AS_ROW_AT &&
			!perf_unwind_read_stack(u, cfa + (uint64_t)(int64_t)row->off[i], &reg[i]) &&
			i == AS_ROW_PC) {
			u->frames->broken = true;
			return false;
		}
	reg[AS_ROW_SP] = cfa;
	return row->rule[AS_ROW_PC] == AS_ROW_AT && reg[AS_ROW_PC] != 0;
}

/* By rows that are kept. False: there is a frame that only libdw can tell the caller of. */
static bool unwind_by_rows(struct as_unwind *u, struct as_frames *frames)
{
	uint64_t reg[AS_ROW_REGS], last = 0;

	for (size_t i = 0; i < AS_ROW_REGS; i++)
		reg[i] = as_perf_word(u->stack->regs, position[i]);
	for (bool more = true; more && frames->n < AS_FRAMES_MAX;) {
		uint64_t pc = reg[AS_ROW_PC] - (frames->n > 0);
		const struct as_row *row = as_rowset_find(&u->rows, u->dwfl, pc);

		if (!row || !row->plain || reg[AS_ROW_SP] < last)
			return false;
		last = reg[AS_ROW_SP];
		frames->pc[frames->n++] = pc;
		more = perf_unwind_step(u, row, reg);
		frames->cut = more && frames->n == AS_FRAMES_MAX;
	}
	return true;
}
#endif

/* Whether a program begins there: what is in no table has no caller, either. */
static bool is_entry(const struct as_unwind *u, uint64_t pc)
{
	enum { ENTRY_MAX = 64 };
	Dwfl_Module *mod = dwfl_addrmodule(u->dwfl, pc);
	GElf_Addr bias = 0;
	Elf *elf = mod ? dwfl_module_getelf(mod, &bias) : NULL;
	GElf_Ehdr eh;

	return elf && gelf_getehdr(elf, &eh) && pc >= eh.e_entry + bias &&
	       pc - (eh.e_entry + bias) < ENTRY_MAX;
}

static void unwind_by_libdw(struct as_unwind *u, struct as_frames *frames)
{
	int rc = -1;

	if (u->attached)
		rc = dwfl_getthread_frames(u->dwfl, u->pid, take_frame, u);
	frames->broken = rc < 0 && !(frames->n && is_entry(u, frames->pc[frames->n - 1]));
	if (!frames->n)
		frames->pc[frames->n++] = as_perf_word(u->stack->regs, AS_PERF_REG_PC);
}

void as_unwind_stack(struct as_unwind *u, const struct as_stack *stack, struct as_frames *frames)
{
	as_assert(stack->regs.len == (size_t)8 * AS_PERF_N_REGS);
	u->stack = stack;
	u->sp = as_perf_word(stack->regs, AS_PERF_REG_SP);
	u->beyond = false;
	u->frames = frames;
	frames->n = 0;
	frames->cut = frames->broken = false;
#if AS_PERF_HAVE_REGS
	if (unwind_by_rows(u, frames)) {
		frames->cut |= u->beyond;
		return;
	}
#endif
	u->beyond = frames->cut = frames->broken = false;
	frames->n = 0;
	unwind_by_libdw(u, frames);
	frames->cut |= u->beyond;
}
