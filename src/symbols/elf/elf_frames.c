/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where functions are, whether they have symbols or not: the unwind tables (.eh_frame, LSB 5.0
 * ch. 10) have an entry for each that an exception or a debugger may pass, in a stripped object,
 * too. The sorted table of .eh_frame_hdr is searched; without one all entries are read.
 *
 * An entry is believed if its code lies in one segment of the file and in one stretch of code.
 * That of a procedure linkage table stands for many stubs, and is that of no function.
 */
#include "symbols/elf/elf_parts.h"

#include <dwarf.h>
#include <stdlib.h>

enum {
	PE_SIZE = 0x07, /* of how pointers are written, beside DW_EH_PE_* */
	PE_FORM = 0x0f,
	PE_APPLY = 0x70,
	HDR_TABLE = DW_EH_PE_datarel | DW_EH_PE_signed | DW_EH_PE_udata4,
	HDR_MAX = 32,
	HDR_ENTRY = 8,
	CIE_MAX = 256,     /* bytes: they have no more than a few dozen */
	SEGMENTS_MAX = 64, /* of an object that is asked at all: a linker makes a few */
};

/* Bytes at an address. */
struct bytes {
	struct as_dw_cur cur;
	const uint8_t *p;
	uint64_t addr; /* of P */
};

static bool bytes_at(struct as_elf *elf, uint64_t addr, size_t n, struct bytes *out)
{
	const uint8_t *p = as_elf_code(elf, addr, n);

	*out = (struct bytes){.addr = addr};
	if (!p)
		return false;
	*out = (struct bytes){{p, p + n, elf->facts.big, false}, p, addr};
	return true;
}

static uint64_t elf_frames_here(const struct bytes *b)
{
	return b->addr + (uint64_t)(b->cur.p - b->p);
}

/* A pointer written as ENC says; DATA is what it may be relative to. */
static uint64_t elf_frames_pointer(
	const struct as_elf *elf, struct bytes *b, unsigned enc, uint64_t data)
{
	bool narrow = gelf_getclass(elf->main) == ELFCLASS32;
	uint64_t at = elf_frames_here(b), v = 0;
	unsigned size = 0;

	switch (enc & PE_SIZE) {
	case 0:
		size = narrow ? 4 : 8;
		break;
	case DW_EH_PE_udata2:
		size = 2;
		break;
	case DW_EH_PE_udata4:
		size = 4;
		break;
	case DW_EH_PE_udata8:
		size = 8;
		break;
	}
	if (!size || (enc & DW_EH_PE_indirect)) {
		as_dw_fail(&b->cur);
		return 0;
	}
	v = as_dw_uint(&b->cur, size);
	if ((enc & DW_EH_PE_signed) && size < 8 && v >> (8 * size - 1))
		v |= UINT64_MAX << (8 * size);
	if ((enc & PE_APPLY) == DW_EH_PE_pcrel)
		v += at;
	else if ((enc & PE_APPLY) == DW_EH_PE_datarel)
		v += data;
	else if (enc & PE_APPLY)
		as_dw_fail(&b->cur);
	return narrow ? (uint32_t)v : v;
}

/* The entry at ADDR, behind its length. */
static bool entry_at(struct as_elf *elf, uint64_t addr, struct bytes *out)
{
	uint64_t n;

	if (!bytes_at(elf, addr, 4, out))
		return false;
	n = as_dw_uint(&out->cur, 4);
	return n && n < 0xfffffff0u && bytes_at(elf, addr + 4, (size_t)n, out);
}

/* How the entries of the CIE at ADDR have their addresses. */
static bool cie_encoding(struct as_elf *elf, uint64_t addr, unsigned *enc)
{
	struct as_slice letters;
	struct bytes b;
	unsigned version;

	*enc = 0;
	if (!entry_at(elf, addr, &b) || as_dw_left(&b.cur) > CIE_MAX || as_dw_uint(&b.cur, 4) != 0)
		return false;
	version = as_dw_u8(&b.cur);
	letters = as_dw_text(&b.cur);
	if (version != 1 && version != 3)
		return false;
	as_dw_skip_leb(&b.cur);
	as_dw_skip_leb(&b.cur);
	if (version == 1)
		as_dw_skip(&b.cur, 1);
	else
		as_dw_skip_leb(&b.cur);
	if (letters.len && letters.p[0] != 'z')
		return false;
	if (letters.len)
		as_dw_skip_leb(&b.cur);
	for (size_t i = 1; i < letters.len; i++)
		switch (letters.p[i]) {
		case 'R':
			*enc = as_dw_u8(&b.cur);
			break;
		case 'L':
			as_dw_skip(&b.cur, 1);
			break;
		case 'P':
			(void)elf_frames_pointer(elf, &b, as_dw_u8(&b.cur) & PE_FORM, 0);
			break;
		case 'S':
		case 'B':
			break;
		default:
			return false;
		}
	return !b.cur.bad;
}

static bool elf_frames_is_inside(
	const struct as_dw_range *of, size_t n, const struct as_dw_range *range)
{
	for (size_t i = 0; i < n; i++)
		if (range->start >= of[i].start && range->limit <= of[i].limit)
			return true;
	return false;
}

/* The code of the entry at ADDR. */
static bool read_entry(struct as_elf *elf, uint64_t addr, struct as_dw_range *out)
{
	struct bytes b;
	uint64_t back, size;
	unsigned enc;

	if (!entry_at(elf, addr, &b))
		return false;
	back = as_dw_uint(&b.cur, 4);
	if (!back || !cie_encoding(elf, addr + 4 - back, &enc))
		return false;
	out->start = elf_frames_pointer(elf, &b, enc, elf->frames.hdr);
	size = elf_frames_pointer(elf, &b, enc & PE_SIZE, 0);
	out->limit = out->start + size;
	return !b.cur.bad && out->start && out->limit > out->start &&
	       as_elf_code(elf, out->start, (size_t)size) &&
	       elf_frames_is_inside(elf->code.p, elf->code.n, out) &&
	       !elf_frames_is_inside(elf->frames.plt.p, elf->frames.plt.n, out);
}

/* ---- what is there ---- */

static void find_hdr(struct as_elf *elf)
{
	struct as_elf_frames *fr = &elf->frames;
	unsigned frame_enc, count_enc, table_enc;
	size_t n = 0;
	struct bytes b;
	GElf_Phdr ph;

	(void)elf_getphdrnum(elf->main, &n);
	for (size_t i = 0; i < n && i < INT32_MAX; i++) {
		if (!gelf_getphdr(elf->main, (int)i, &ph) || ph.p_type != PT_GNU_EH_FRAME ||
			!bytes_at(elf, ph.p_vaddr, HDR_MAX, &b) || as_dw_u8(&b.cur) != 1)
			continue;
		frame_enc = as_dw_u8(&b.cur);
		count_enc = as_dw_u8(&b.cur);
		table_enc = as_dw_u8(&b.cur);
		if (table_enc != HDR_TABLE || count_enc == DW_EH_PE_omit)
			continue;
		if (frame_enc != DW_EH_PE_omit)
			(void)elf_frames_pointer(elf, &b, frame_enc, ph.p_vaddr);
		fr->n = elf_frames_pointer(elf, &b, count_enc, ph.p_vaddr);
		fr->table = elf_frames_here(&b);
		if (b.cur.bad || !fr->n || fr->n > ph.p_memsz / HDR_ENTRY ||
			!as_elf_code(elf, fr->table, (size_t)fr->n * HDR_ENTRY))
			continue;
		fr->hdr = ph.p_vaddr;
		return;
	}
}

static bool elf_frames_add_all(struct as_elf *elf, const GElf_Shdr *shdr)
{
	uint64_t at = shdr->sh_addr, end = at + shdr->sh_size;
	struct as_dw_range range;
	struct bytes b;

	while (at < end && entry_at(elf, at, &b)) {
		if (read_entry(elf, at, &range) && !as_vec_push(elf->al, &elf->frames.range, range))
			return false;
		at = b.addr + as_dw_left(&b.cur);
	}
	return true;
}

static int cmp_range(const void *a, const void *b)
{
	const struct as_dw_range *x = a, *y = b;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	return (x->limit > y->limit) - (x->limit < y->limit);
}

/* The sections called NAME, or those that begin so; each goes to TAKE, false if out of memory. */
static bool each_section(struct as_elf *elf, const char *name, bool whole,
	bool (*take)(struct as_elf *elf, const GElf_Shdr *shdr))
{
	struct as_elf_walk it = {.elf = elf->main};

	while (as_elf_walk_next(&it)) {
		const GElf_Shdr *shdr = &it.shdr;

		if ((shdr->sh_flags & SHF_ALLOC) &&
			shdr->sh_addr + shdr->sh_size >= shdr->sh_addr &&
			strncmp(it.name, name, whole ? strlen(name) + 1 : strlen(name)) == 0 &&
			!take(elf, shdr))
			return false;
	}
	return true;
}

static bool add_plt(struct as_elf *elf, const GElf_Shdr *shdr)
{
	struct as_dw_range range = {shdr->sh_addr, shdr->sh_addr + shdr->sh_size};

	return elf->frames.plt.n >= 8 || as_vec_push(elf->al, &elf->frames.plt, range);
}

enum as_code as_elf_frames_load(struct as_elf *elf)
{
	struct as_elf_frames *fr = &elf->frames;

	if (fr->ready || elf->load.n > SEGMENTS_MAX)
		return AS_OK;
	AS_TRY(as_memory(each_section(elf, ".plt", false, add_plt)));
	find_hdr(elf);
	if (!fr->hdr && !each_section(elf, ".eh_frame", true, elf_frames_add_all))
		return AS_E_NOMEM;
	if (fr->range.n)
		qsort(fr->range.p, fr->range.n, sizeof(*fr->range.p), cmp_range);
	fr->ready = true;
	return AS_OK;
}

void as_elf_frames_release(struct as_elf *elf)
{
	as_vec_free(elf->al, &elf->frames.range);
	as_vec_free(elf->al, &elf->frames.plt);
}

/* ---- looking up ---- */

static int64_t table_value(struct as_elf *elf, uint64_t i, unsigned which)
{
	struct bytes b;

	(void)bytes_at(elf, elf->frames.table + i * HDR_ENTRY + 4u * which, 4, &b);
	return (int32_t)as_dw_uint(&b.cur, 4);
}

static bool search_hdr(struct as_elf *elf, uint64_t vaddr, struct as_dw_range *out)
{
	const struct as_elf_frames *fr = &elf->frames;
	int64_t want = (int64_t)(vaddr - fr->hdr);
	uint64_t lo = 0, hi = fr->n;

	while (lo < hi) {
		uint64_t mid = lo + (hi - lo) / 2;

		if (table_value(elf, mid, 0) <= want)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo && read_entry(elf, fr->hdr + (uint64_t)table_value(elf, lo - 1, 1), out) &&
	       out->start == fr->hdr + (uint64_t)table_value(elf, lo - 1, 0);
}

static bool search_ranges(const struct as_elf_frames *fr, uint64_t vaddr, struct as_dw_range *out)
{
	size_t n = as_rows_up_to(fr->range.p, fr->range.n, start, vaddr);

	if (n)
		*out = fr->range.p[n - 1];
	return n != 0;
}

static bool frame_at(struct as_elf *elf, uint64_t vaddr, struct as_dw_range *out)
{
	bool found = elf->frames.hdr ? search_hdr(elf, vaddr, out)
				     : search_ranges(&elf->frames, vaddr, out);

	return found && vaddr >= out->start && vaddr < out->limit;
}

/* A symbol of no size that begins where the tables say a function does is that function's. */
static const struct as_elf_row *elf_frames_name_of(
	const struct as_elf *elf, const struct as_dw_range *frame)
{
	const struct as_elf_row *row = as_elf_symtab_find(&elf->symtab, frame->start);

	return row && !row->sized && row->start == frame->start ? row : NULL;
}

bool as_elf_around(struct as_elf *elf, uint64_t vaddr, struct as_elf_around *out)
{
	const struct as_elf_row *row = as_elf_symtab_find(&elf->symtab, vaddr);
	struct as_dw_range frame;

	*out = (struct as_elf_around){.row = row};
	if (row) {
		out->start = row->start;
		out->limit = row->limit;
	}
	/* A symbol without size reaches to the next function, be that one without a name. */
	if ((row && row->sized) || !frame_at(elf, vaddr, &frame) ||
		(row && row->start > frame.start))
		return row != NULL;
	*out = (struct as_elf_around){elf_frames_name_of(elf, &frame), frame.start, frame.limit};
	return true;
}
