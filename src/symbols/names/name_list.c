/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lines are first all taken, then laid out side by side: no two entries of a finished list
 * overlap, so a binary search finds the only one.
 */
#include "symbols/names/name_list.h"

#include "base/pool.h"
#include "base/sort.h"

enum {
	PAGE = 4096,
	LINE_MAX_BYTES = 1 << 16, /* of a line; longer ones are odd */
};

/* A line as it stands. */
struct row {
	struct as_name_entry entry; /* limit 0: up to the next one (kallsyms) */
	char type;
};

struct reader {
	struct as_name_list *list;
	const struct as_alloc *al; /* for scratch */
	AS_VEC(struct row) row;
	uint32_t *order; /* rows by address */
	size_t n_odd;
	size_t n_zero; /* rows at address 0 */
	bool no_memory;
};

static bool word_hex(struct as_slice *rest, uint64_t *out)
{
	struct as_slice word;

	if (!as_slice_word(rest, &word))
		return false;
	if (as_slice_starts(word, "0x"))
		word = as_slice_skip(word, 2);
	return as_slice_hex(word, out);
}

static void name_list_keep(struct reader *rd, struct row row)
{
	if (rd->row.n >= UINT32_MAX - 1 || !as_vec_push(rd->al, &rd->row, row))
		rd->no_memory = true;
}

/* Other names may stand at the same address, of which the list keeps one. */
static void name_list_take_start(struct as_name_list *list, const struct as_name_entry *entry)
{
	bool is = as_slice_is(entry->name, "_text") || as_slice_is(entry->name, "_stext");

	if (is && !entry->module.len && (!list->kernel_start || entry->start < list->kernel_start))
		list->kernel_start = entry->start;
}

/* "ffffffff81000000 T _stext", "ffffffffc0401000 t nf_hook\t[nf_tables]". */
static bool take_kallsyms(struct reader *rd, struct as_slice line)
{
	struct row row = {0};
	struct as_slice word;

	if (!word_hex(&line, &row.entry.start) || !as_slice_word(&line, &word) || word.len != 1)
		return false;
	row.type = word.p[0];
	if (!as_slice_word(&line, &row.entry.name))
		return false;
	if (as_slice_word(&line, &word) && word.len > 2 && word.p[0] == '[' &&
		word.p[word.len - 1] == ']')
		row.entry.module = (struct as_slice){word.p + 1, word.len - 2};
	rd->n_zero += row.entry.start == 0;
	name_list_take_start(rd->list, &row.entry);
	name_list_keep(rd, row);
	return true;
}

/* "7f0c3a40 1c0 LazyCompile:*f file.js:3". */
static bool take_perf_map(struct reader *rd, struct as_slice line)
{
	struct row row = {.type = 't'};
	uint64_t size;

	if (!word_hex(&line, &row.entry.start) || !word_hex(&line, &size))
		return false;
	row.entry.name = as_slice_trim(line);
	if (!row.entry.name.len || !size || row.entry.start + size < size)
		return false;
	row.entry.limit = row.entry.start + size;
	row.entry.name = as_arena_dup(&rd->list->arena, row.entry.name);
	if (!row.entry.name.p)
		rd->no_memory = true;
	name_list_keep(rd, row);
	return true;
}

static void name_list_take_lines(
	struct reader *rd, struct as_slice text, bool (*take)(struct reader *, struct as_slice))
{
	struct as_slice line;

	while (!rd->no_memory && text.len && as_slice_cut(&text, '\n', &line)) {
		line = as_slice_chop(line);
		if (line.len && (line.len > LINE_MAX_BYTES || !take(rd, line)))
			rd->n_odd++;
	}
}

static bool name_list_is_code(char type)
{
	return type && strchr("tTwWi", type);
}

/* Of several names for one address, a global one is meant first, then a local, a weak one. */
static int name_list_rank(char type)
{
	return type == 'T' ? 0 : type == 't' || type == 'i' ? 1 : name_list_is_code(type) ? 2 : 3;
}

static int name_list_by_address(const void *ctx, uint32_t a, uint32_t b)
{
	const struct row *x = (const struct row *)ctx + a, *y = (const struct row *)ctx + b;

	if (x->entry.start != y->entry.start)
		return x->entry.start < y->entry.start ? -1 : 1;
	return name_list_rank(x->type) - name_list_rank(y->type);
}

/* Mapping symbols of ARM, and what belongs to no address. */
static bool name_list_is_marker(const struct row *row)
{
	return row->entry.name.p[0] == '$' || row->type == 'A' || row->type == 'a';
}

static uint64_t page_behind(uint64_t addr)
{
	uint64_t limit = (addr | (PAGE - 1)) + 1 + PAGE;

	return limit > addr ? limit : UINT64_MAX;
}

/* Modules come in stretches, so each is copied about once. */
static bool add_symbol(struct as_name_list *list, struct as_name_entry entry)
{
	const struct as_name_entry *last = list->entry.n ? &list->entry.p[list->entry.n - 1] : NULL;

	entry.limit = page_behind(entry.start);
	entry.name = as_arena_dup(&list->arena, entry.name);
	if (last && as_slice_eq(last->module, entry.module))
		entry.module = last->module;
	else
		entry.module = as_arena_dup(&list->arena, entry.module);
	return entry.name.p && entry.module.p && as_vec_push(list->al, &list->entry, entry);
}

/* A symbol ends where the next one begins, be it data. Where another module begins, or none, the
 * end is not known: between modules there may be gigabytes of nothing. */
static bool lay_out_kallsyms(struct reader *rd)
{
	struct as_name_list *list = rd->list;
	const struct row *last = NULL;

	for (size_t i = 0; i < rd->row.n; i++) {
		const struct row *row = &rd->row.p[rd->order[i]];
		struct as_name_entry *open;

		if (name_list_is_marker(row) || (last && last->entry.start == row->entry.start))
			continue;
		open = list->entry.n ? &list->entry.p[list->entry.n - 1] : NULL;
		if (open && last && name_list_is_code(last->type)) {
			bool same = as_slice_eq(open->module, row->entry.module);

			if (same || row->entry.start < open->limit)
				open->limit = row->entry.start;
		}
		last = row;
		if (name_list_is_code(row->type) && !add_symbol(list, row->entry))
			return false;
	}
	return true;
}

/* The rows that reach over the sweep's position, the latest line on top; those that have ended
 * are dropped when they come up. */
struct heap {
	AS_VEC(uint32_t) row;
};

static void heap_pop(struct heap *h)
{
	uint32_t moved = h->row.p[--h->row.n];
	size_t i = 0, child;

	while ((child = 2 * i + 1) < h->row.n) {
		if (child + 1 < h->row.n && h->row.p[child + 1] > h->row.p[child])
			child++;
		if (h->row.p[child] <= moved)
			break;
		h->row.p[i] = h->row.p[child];
		i = child;
	}
	h->row.p[i] = moved;
}

static bool heap_push(const struct as_alloc *al, struct heap *h, uint32_t row)
{
	size_t i = h->row.n;

	if (!as_vec_push(al, &h->row, row))
		return false;
	for (; i > 0 && h->row.p[(i - 1) / 2] < row; i = (i - 1) / 2)
		h->row.p[i] = h->row.p[(i - 1) / 2];
	h->row.p[i] = row;
	return true;
}

static bool add_stretch(
	struct as_name_list *list, const struct row *row, uint64_t start, uint64_t limit)
{
	struct as_name_entry *last = list->entry.n ? &list->entry.p[list->entry.n - 1] : NULL;
	struct as_name_entry entry = row->entry;

	if (last && last->limit == start && last->name.p == entry.name.p) {
		last->limit = limit;
		return true;
	}
	entry.start = start;
	entry.limit = limit;
	return as_vec_push(list->al, &list->entry, entry);
}

/* From POS to STOP: what of the rows in H is seen there. */
static bool add_until(struct reader *rd, struct heap *h, uint64_t pos, uint64_t stop)
{
	while (h->row.n && pos < stop) {
		const struct row *top = &rd->row.p[h->row.p[0]];
		uint64_t limit = top->entry.limit < stop ? top->entry.limit : stop;

		if (limit > pos) {
			if (!add_stretch(rd->list, top, pos, limit))
				return false;
			pos = limit;
		}
		if (top->entry.limit <= pos)
			heap_pop(h);
	}
	return true;
}

/* A compiler writes a line each time it puts code somewhere: the later line is what is there. */
static bool lay_out_perf_map(struct reader *rd)
{
	struct heap h = {0};
	uint64_t pos = 0;
	bool ok = true;

	for (size_t i = 0; ok && i < rd->row.n; i++) {
		uint64_t start = rd->row.p[rd->order[i]].entry.start;

		ok = add_until(rd, &h, pos, start) && heap_push(rd->al, &h, rd->order[i]);
		pos = start;
	}
	ok = ok && add_until(rd, &h, pos, UINT64_MAX);
	return ok;
}

enum as_code as_name_list_read(struct as_name_list *list, const struct as_alloc *al,
	enum as_name_list_kind kind, struct as_slice text, size_t *n_odd)
{
	struct as_pool pool;
	struct reader rd = {.list = list, .al = &pool.al};
	bool ok;

	as_pool_init(&pool, al);
	*list = (struct as_name_list){.al = al};
	as_arena_init(&list->arena, al);
	name_list_take_lines(&rd, text, kind == AS_NAMES_KALLSYMS ? take_kallsyms : take_perf_map);
	ok = !rd.no_memory;
	if (ok && kind == AS_NAMES_KALLSYMS && rd.n_zero == rd.row.n) {
		list->hidden = rd.row.n > 0;
	} else if (ok) {
		rd.order = as_sorted_rows(rd.al, rd.row.n, name_list_by_address, rd.row.p);
		ok = rd.order &&
		     (kind == AS_NAMES_KALLSYMS ? lay_out_kallsyms(&rd) : lay_out_perf_map(&rd));
	}
	*n_odd = rd.n_odd;
	as_pool_release(&pool);
	return ok ? AS_OK : AS_E_NOMEM;
}

void as_name_list_release(struct as_name_list *list)
{
	as_vec_free(list->al, &list->entry);
	as_arena_release(&list->arena);
}

const struct as_name_entry *as_name_list_find(const struct as_name_list *list, uint64_t addr)
{
	size_t n = as_rows_up_to(list->entry.p, list->entry.n, start, addr);

	return n && addr < list->entry.p[n - 1].limit ? &list->entry.p[n - 1] : NULL;
}
