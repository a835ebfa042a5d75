/* SPDX-License-Identifier: Apache-2.0 */
#include "symbols/unwind/perf_entry.h"

#include <dwarf.h>
#include <stdlib.h>

#include "symbols/dwarf/dwarf_cursor.h"

enum {
	HDR_MAX = 32,
	HDR_ENTRY = 8,
	HDR_TABLE = DW_EH_PE_datarel | DW_EH_PE_signed | DW_EH_PE_udata4,
	SORTED_MAX = 1 << 18, /* 4 MiB */
};

void as_entries_init(struct as_entries *en, const struct as_alloc *al)
{
	en->al = al;
	en->cie_addr = 0;
	as_images_init(&en->im, al);
}

void as_entries_release(struct as_entries *en)
{
	as_images_release(&en->im);
}

void as_entries_forget(struct as_entries *en)
{
	en->cie_addr = 0;
}

/* ---- an entry ---- */

/* The bytes of the entry at ADDR, behind its length, into BUF. */
static bool entry_bytes(struct as_entries *en, const struct as_unwind_asker *asker, uint64_t addr,
	char buf[AS_ENTRY_MAX], struct as_slice *out)
{
	uint32_t n;

	if (!as_images_fetch(&en->im, asker, addr, &n, sizeof(n)) || n < 4 || n > AS_ENTRY_MAX ||
		!as_images_fetch(&en->im, asker, addr + sizeof(n), buf, n))
		return false;
	*out = (struct as_slice){buf, n};
	return true;
}

static bool entry_need_cie(struct as_entries *en, const struct as_entry_table *t, uint64_t addr)
{
	struct as_slice bytes;

	if (en->cie_addr == addr && en->cie_object == t->asker->object)
		return true;
	en->cie_addr = 0;
	if (!entry_bytes(en, t->asker, addr, en->cie_bytes, &bytes) ||
		!as_cfi_read_cie(bytes, t->debug, &en->cie))
		return false;
	en->cie_addr = addr;
	en->cie_object = t->asker->object;
	return true;
}

static bool entry_parse(struct as_entries *en, const struct as_entry_table *t,
	struct as_slice bytes, uint64_t addr, struct as_cfi_fde *fde)
{
	uint64_t cie = as_cfi_cie_addr(bytes, addr + 4, t->debug);

	if (t->debug)
		cie += AS_IMAGE_DEBUG;
	return !as_cfi_is_cie(bytes, t->debug) && entry_need_cie(en, t, cie) &&
	       as_cfi_read_fde(bytes, addr + 4, &en->cie, fde);
}

bool as_entries_read(struct as_entries *en, const struct as_entry_table *t, uint64_t addr,
	struct as_cfi_fde *fde)
{
	struct as_slice bytes;

	return entry_bytes(en, t->asker, addr, en->fde_bytes, &bytes) &&
	       entry_parse(en, t, bytes, addr, fde);
}

/* ---- their order ---- */

static struct as_image *entry_image(const struct as_entries *en, const struct as_entry_table *t)
{
	as_assert(t->asker->object < en->im.image.n);
	return &en->im.image.p[t->asker->object];
}

/* .eh_frame_hdr, if it is one that can be searched. */
static bool entry_find_hdr(
	struct as_entries *en, const struct as_entry_table *t, struct as_image *image)
{
	static const uint8_t sizes[] = {8, 0, 2, 4, 8, 0, 0, 0};
	uint8_t head[HDR_MAX];
	struct as_dw_cur c = {head + 4, head + HDR_MAX, false, false};
	struct as_image_table *table = &image->table[0];
	unsigned frame, count;

	if (!image->hdr || !as_images_fetch(&en->im, t->asker, image->hdr, head, HDR_MAX))
		return false;
	frame = head[1] == DW_EH_PE_omit ? 0 : sizes[head[1] & 7];
	count = head[2] == DW_EH_PE_omit ? 0 : sizes[head[2] & 7];
	if (head[0] != 1 || head[3] != HDR_TABLE || !count || (!frame && head[1] != DW_EH_PE_omit))
		return false;
	as_dw_skip(&c, frame);
	table->n = as_dw_uint(&c, count);
	table->table = image->hdr + (uint64_t)(c.p - head);
	return table->n && table->n <= UINT32_MAX / HDR_ENTRY;
}

static int cmp_entry(const void *a, const void *b)
{
	const struct as_image_fde *x = a, *y = b;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	return (x->addr > y->addr) - (x->addr < y->addr);
}

struct entry_list {
	const struct as_alloc *al;
	AS_VEC(struct as_image_fde) fde;
};

/* All of [ADDR, END), one behind the other, as far as they can be told. False: they can't be had
 * now. */
static bool entry_collect(struct as_entries *en, const struct as_entry_table *t, uint64_t addr,
	uint64_t end, struct entry_list *list)
{
	struct as_slice bytes;
	struct as_cfi_fde fde;
	uint32_t size;

	en->im.failed = false;
	while (addr < end && end - addr > sizeof(size) && list->fde.n < SORTED_MAX &&
		as_images_fetch(&en->im, t->asker, addr, &size, sizeof(size)) &&
		size <= end - addr - sizeof(size)) {
		struct as_image_fde found = {.addr = addr};

		if (entry_bytes(en, t->asker, addr, en->fde_bytes, &bytes) &&
			entry_parse(en, t, bytes, addr, &fde)) {
			found.start = fde.start;
			if (!as_vec_push(list->al, &list->fde, found))
				return false;
		}
		addr += sizeof(size) + (uint64_t)size;
	}
	return !en->im.failed;
}

/* For objects whose linker made no sorted table. */
static bool entry_sort(struct as_entries *en, const struct as_entry_table *t,
	const struct as_image_part *part, struct as_image_table *table)
{
	uint64_t addr = t->debug ? AS_IMAGE_DEBUG : part->addr;
	struct entry_list list = {.al = en->al};
	struct as_image_fde *sorted;
	bool ok;

	if (part->size > AS_IMAGE_DEBUG || addr > AS_IMAGE_DEBUG)
		return true;
	ok = entry_collect(en, t, addr, addr + part->size, &list) &&
	     as_arena_array(&en->im.arena, &sorted, list.fde.n);
	if (ok && list.fde.n) {
		qsort(list.fde.p, list.fde.n, sizeof(*list.fde.p), cmp_entry);
		memcpy(sorted, list.fde.p, list.fde.n * sizeof(*sorted));
		table->sorted = sorted;
		table->n = list.fde.n;
	}
	as_vec_free(list.al, &list.fde);
	return ok;
}

bool as_entries_count(struct as_entries *en, const struct as_entry_table *t, uint64_t *n)
{
	struct as_image *image = entry_image(en, t);
	struct as_image_table *table = &image->table[t->debug];

	en->im.failed = false;
	if (!table->ready && (t->debug || !entry_find_hdr(en, t, image))) {
		table->n = 0;
		if (en->im.failed ||
			!entry_sort(en, t, t->debug ? &image->debug : &image->eh, table))
			return false;
	}
	table->ready = true;
	*n = table->n;
	return true;
}

bool as_entries_at(
	struct as_entries *en, const struct as_entry_table *t, uint64_t i, struct as_image_fde *out)
{
	const struct as_image *image = entry_image(en, t);
	const struct as_image_table *table = &image->table[t->debug];
	int32_t entry[2];

	as_assert(i < table->n);
	if (table->sorted) {
		*out = table->sorted[i];
		return true;
	}
	if (!as_images_fetch(&en->im, t->asker, table->table + i * HDR_ENTRY, entry, sizeof(entry)))
		return false;
	out->start = image->hdr + (uint64_t)(int64_t)entry[0];
	out->addr = image->hdr + (uint64_t)(int64_t)entry[1];
	return true;
}

bool as_entries_up_to(
	struct as_entries *en, const struct as_entry_table *t, uint64_t addr, uint64_t *n)
{
	struct as_image_fde fde;
	uint64_t lo = 0, hi;

	if (!as_entries_count(en, t, &hi))
		return false;
	while (lo < hi) {
		uint64_t mid = lo + (hi - lo) / 2;

		if (!as_entries_at(en, t, mid, &fde))
			return false;
		if (fde.start <= addr)
			lo = mid + 1;
		else
			hi = mid;
	}
	*n = lo;
	return true;
}
