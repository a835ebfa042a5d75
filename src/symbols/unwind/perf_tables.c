/* SPDX-License-Identifier: Apache-2.0 */
#include "symbols/unwind/perf_tables.h"

#include "base/index.h"
#include "symbols/unwind/perf_entry.h"

enum {
	PAGE_BITS = 8,
	PAGE = 1 << PAGE_BITS,
	HOT = 1 << 13,
	PLACES_MAX = 1 << 20, /* 4 MiB */
	PAGES_MAX = 1 << 17,  /* 3 MiB, and as many for the index */
	ROWS_MAX = 1 << 16,   /* 1.75 MiB */
};

/* Where a row begins in its page, and the row's number + 1 above that; 0: none. */
typedef uint32_t as_page_place;

struct page {
	uint64_t number;
	uint32_t object, first, n;
	bool debug; /* by .debug_frame */
};

/* A row that was found: stacks lead through the same few thousand places. */
struct hot {
	uint64_t addr;
	uint32_t object, number; /* of the row, + 1; 0: nothing */
};

struct as_unwind_tables {
	const struct as_alloc *al;
	struct as_entries entries;
	struct as_index pages, rows;
	AS_VEC(struct page) page;
	AS_VEC(as_page_place) place;
	AS_VEC(struct as_row) row;
	struct hot hot[HOT];
};

static void tables_drop_pages(struct as_unwind_tables *t)
{
	t->page.n = t->place.n = t->row.n = 0;
	memset(t->hot, 0, sizeof(t->hot));
	as_index_release(&t->pages);
	as_index_release(&t->rows);
	as_index_init(&t->pages, t->al);
	as_index_init(&t->rows, t->al);
}

struct as_unwind_tables *as_unwind_tables_new(const struct as_alloc *al)
{
	struct as_unwind_tables *t = as_alloc_new(al, sizeof(*t));

	if (!t)
		return NULL;
	t->al = al;
	as_entries_init(&t->entries, al);
	tables_drop_pages(t);
	return t;
}

void as_unwind_tables_free(struct as_unwind_tables *t)
{
	if (!t)
		return;
	tables_drop_pages(t);
	as_index_release(&t->pages);
	as_index_release(&t->rows);
	as_vec_free(t->al, &t->page);
	as_vec_free(t->al, &t->place);
	as_vec_free(t->al, &t->row);
	as_entries_release(&t->entries);
	as_alloc_free(t->al, t, sizeof(*t));
}

uint64_t as_tables_generation(const struct as_unwind_tables *t)
{
	return t->entries.im.generation;
}

uint32_t as_tables_object(struct as_unwind_tables *t, uint32_t pid,
	const struct as_perf_range *range, struct as_slice id, uint64_t *bias)
{
	uint64_t generation = t->entries.im.generation;
	uint32_t object = as_images_find(&t->entries.im, pid, range, id);

	if (t->entries.im.generation != generation) {
		tables_drop_pages(t);
		as_entries_forget(&t->entries);
	}
	if (object == AS_NO_OBJECT || !as_images_bias(&t->entries.im.image.p[object], range, bias))
		return AS_NO_OBJECT;
	return object;
}

uint64_t as_tables_entry(const struct as_unwind_tables *t, uint32_t object)
{
	as_assert(object < t->entries.im.image.n);
	return t->entries.im.image.p[object].entry;
}

/* ---- rows ---- */

static bool tables_put_rule(struct as_row *row, unsigned i, const struct as_cfi_rule *rule)
{
	row->kind[i] = (uint8_t)rule->kind;
	if (rule->kind != AS_CFI_AT)
		return rule->kind == AS_CFI_UNDEFINED || rule->kind == AS_CFI_SAME;
	row->off[i] = (int16_t)rule->off;
	return row->off[i] == rule->off;
}

/* Signals' frames have what they interrupted in all registers. */
static bool tables_is_plain(const struct as_cfi_row *cfi, struct as_row *row)
{
	bool ok = cfi->cfa.kind == AS_CFI_IS && cfi->cfa_reg < AS_CFI_PC &&
		  cfi->cfa.off == (int32_t)cfi->cfa.off && !cfi->signal &&
		  cfi->reg[AS_CFI_SP].kind == AS_CFI_IS && !cfi->reg[AS_CFI_SP].off &&
		  cfi->reg[AS_CFI_PC].kind != AS_CFI_SAME;

	if (!ok)
		return false;
	row->cfa_reg = (uint8_t)cfi->cfa_reg;
	row->cfa_off = (int32_t)cfi->cfa.off;
	for (unsigned i = 0; i < 4; i++)
		ok = ok && tables_put_rule(row, AS_ROW_R12 + i, &cfi->reg[AS_CFI_R12 + i]);
	return ok && tables_put_rule(row, AS_ROW_BX, &cfi->reg[AS_CFI_BX]) &&
	       tables_put_rule(row, AS_ROW_BP, &cfi->reg[AS_CFI_BP]) &&
	       tables_put_rule(row, AS_ROW_PC, &cfi->reg[AS_CFI_PC]);
}

/* The number + 1 of a row like it. */
static bool tables_need_row(struct as_unwind_tables *t, const struct as_row *like, uint32_t *number)
{
	uint64_t hash = as_hash_bytes((const char *)like, sizeof(*like)), at = AS_INDEX_START;
	uint32_t i;

	while (as_index_find(&t->rows, hash, &at, &i))
		if (memcmp(&t->row.p[i], like, sizeof(*like)) == 0) {
			*number = i + 1;
			return true;
		}
	*number = (uint32_t)t->row.n + 1;
	return as_vec_push(t->al, &t->row, *like) && as_index_add(&t->rows, hash, *number - 1);
}

struct page_maker {
	struct as_unwind_tables *t;
	uint64_t base;
	size_t first; /* place */
	bool no_memory;
};

/* From ADDR on. What begins there already had no code. */
static bool tables_put_place(struct page_maker *m, uint64_t addr, uint32_t number)
{
	as_page_place place = (uint32_t)(addr - m->base) | number << PAGE_BITS;
	struct as_unwind_tables *t = m->t;

	if (addr - m->base >= PAGE)
		return true;
	while (t->place.n > m->first && t->place.p[t->place.n - 1] % PAGE >= place % PAGE)
		t->place.n--;
	m->no_memory |= !as_vec_push(t->al, &t->place, place);
	return !m->no_memory;
}

static bool tables_take_row(void *ctx, uint64_t start, uint64_t limit, const struct as_cfi_row *cfi)
{
	struct page_maker *m = ctx;
	struct as_row row;
	uint32_t number;

	memset(&row, 0, sizeof(row));
	if (!tables_is_plain(cfi, &row)) {
		memset(&row, 0, sizeof(row));
		row.special = true;
		row.signal = cfi->signal;
	}
	if (!tables_need_row(m->t, &row, &number)) {
		m->no_memory = true;
		return false;
	}
	return tables_put_place(m, start, number) && tables_put_place(m, limit, 0);
}

/* False: it can't be had now. */
static bool tables_fill_page(
	struct as_unwind_tables *t, const struct as_entry_table *table, struct page_maker *m)
{
	struct as_image_fde at, next = {.start = 0};
	uint64_t i, n;

	if (!tables_put_place(m, m->base, 0) || !as_entries_count(&t->entries, table, &n) ||
		!as_entries_up_to(&t->entries, table, m->base, &i))
		return false;
	i -= i > 0;
	if (i < n && !as_entries_at(&t->entries, table, i, &at))
		return false;
	for (; i < n && at.start < m->base + PAGE; i++, at = next) {
		uint64_t limit = m->base + PAGE;
		struct as_cfi_fde fde;

		next.start = UINT64_MAX;
		if (i + 1 < n && !as_entries_at(&t->entries, table, i + 1, &next))
			return false;
		limit = next.start < limit ? next.start : limit;
		if (limit > m->base && as_entries_read(&t->entries, table, at.addr, &fde))
			(void)as_cfi_rows(&fde, at.start > m->base ? at.start : m->base, limit,
				tables_take_row, m);
		if (m->no_memory || t->entries.im.failed)
			return false;
	}
	return true;
}

static uint64_t tables_hash_page(const struct as_entry_table *table, uint64_t number)
{
	return as_hash_mix(number, 2 * (uint64_t)table->asker->object + table->debug);
}

static const struct page *tables_new_page(
	struct as_unwind_tables *t, const struct as_entry_table *table, uint64_t number)
{
	struct page page = {
		.number = number, .object = table->asker->object, .debug = table->debug};
	struct page_maker m = {.t = t, .base = number << PAGE_BITS};
	uint64_t hash = tables_hash_page(table, number);

	if (t->place.n + PAGE > PLACES_MAX || t->page.n >= PAGES_MAX || t->row.n + PAGE > ROWS_MAX)
		tables_drop_pages(t);
	m.first = t->place.n;
	page.first = (uint32_t)m.first;
	t->entries.im.failed = false;
	if (!tables_fill_page(t, table, &m)) {
		t->place.n = m.first;
		return NULL;
	}
	page.n = (uint32_t)(t->place.n - m.first);
	if (!as_vec_push(t->al, &t->page, page) ||
		!as_index_add(&t->pages, hash, (uint32_t)t->page.n - 1))
		return NULL;
	return &t->page.p[t->page.n - 1];
}

static const struct page *tables_find_page(
	const struct as_unwind_tables *t, const struct as_entry_table *table, uint64_t number)
{
	uint64_t at = AS_INDEX_START;
	uint32_t i;

	while (as_index_find(&t->pages, tables_hash_page(table, number), &at, &i)) {
		const struct page *page = &t->page.p[i];

		if (page->object == table->asker->object && page->number == number &&
			page->debug == table->debug)
			return page;
	}
	return NULL;
}

/* The number + 1 of the row; 0: there is none. */
static uint32_t tables_row_number(
	struct as_unwind_tables *t, const struct as_entry_table *table, uint64_t addr)
{
	const struct page *page = tables_find_page(t, table, addr >> PAGE_BITS);
	const as_page_place *p;
	uint32_t lo = 0, hi;

	if (!page)
		page = tables_new_page(t, table, addr >> PAGE_BITS);
	if (!page)
		return 0;
	p = &t->place.p[page->first];
	hi = page->n;
	while (lo < hi) {
		uint32_t mid = lo + (hi - lo) / 2;

		if (p[mid] % PAGE <= addr % PAGE)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo ? p[lo - 1] >> PAGE_BITS : 0;
}

/* .debug_frame is asked where .eh_frame says nothing. */
const struct as_row *as_tables_row(
	struct as_unwind_tables *t, const struct as_unwind_asker *asker, uint64_t addr)
{
	struct as_entry_table table = {asker, false};
	struct hot *hot = &t->hot[as_hash_mix(addr, asker->object) % HOT];
	uint32_t number;

	as_assert(asker->object < t->entries.im.image.n);
	if (hot->number && hot->addr == addr && hot->object == asker->object)
		return &t->row.p[hot->number - 1];
	number = tables_row_number(t, &table, addr);
	table.debug = true;
	if (!number && t->entries.im.image.p[asker->object].debug.size)
		number = tables_row_number(t, &table, addr);
	if (!number)
		return NULL;
	*hot = (struct hot){addr, asker->object, number};
	return &t->row.p[number - 1];
}

struct sought {
	struct as_cfi_row *row;
	bool found;
};

static bool tables_take_special(
	void *ctx, uint64_t start, uint64_t limit, const struct as_cfi_row *cfi)
{
	struct sought *s = ctx;

	(void)start, (void)limit;
	*s->row = *cfi;
	s->found = true;
	return false;
}

static bool tables_seek(struct as_unwind_tables *t, const struct as_entry_table *table,
	uint64_t addr, struct sought *s)
{
	struct as_image_fde at;
	struct as_cfi_fde fde;
	uint64_t n;

	return as_entries_up_to(&t->entries, table, addr, &n) && n &&
	       as_entries_at(&t->entries, table, n - 1, &at) &&
	       as_entries_read(&t->entries, table, at.addr, &fde) &&
	       (as_cfi_rows(&fde, addr, addr + 1, tables_take_special, s), s->found);
}

bool as_tables_special(struct as_unwind_tables *t, const struct as_unwind_asker *asker,
	uint64_t addr, struct as_cfi_row *row)
{
	struct as_entry_table table = {asker, false};
	struct sought s = {.row = row};

	as_assert(asker->object < t->entries.im.image.n);
	if (addr == UINT64_MAX)
		return false;
	if (tables_seek(t, &table, addr, &s))
		return true;
	table.debug = true;
	return tables_seek(t, &table, addr, &s);
}
