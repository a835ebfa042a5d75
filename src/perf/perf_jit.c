/* SPDX-License-Identifier: Apache-2.0 */
#include "perf/perf_jit.h"

#include "base/index.h"
#include "base/sort.h"

enum {
	VERSION = 1,
	HEAD = 40,
	RECORD_HEAD = 16,
	ARCH_TIMES = 1, /* of the flags */
	ELF_HEAD = 64,  /* some add this to the addresses of lines: perf makes ELF files of code */
};

enum { CODE_LOAD, CODE_MOVE, DEBUG_INFO, CODE_CLOSE };

#define MAGIC UINT32_C(0x4a695444)
#define SWAPPED UINT32_C(0x4454694a)

struct cur {
	struct as_slice s;
	bool swap, bad;
};

/* What was made last at START. */
struct newest {
	uint64_t start;
	uint32_t row;
};

/* Lines stand before the code that they are of. */
struct reading {
	struct as_jit *jit;
	uint64_t time;
	uint64_t lines_of; /* address */
	uint32_t first_line, n_lines;
	uint64_t nearest; /* how far behind the beginning of its code the first line of any is */
	AS_VEC(struct newest) newest;
	struct as_index starts; /* of these */
};

static uint64_t perf_jit_word(struct cur *c)
{
	uint64_t v;

	if (c->s.len < sizeof(v)) {
		c->bad = true;
		return 0;
	}
	memcpy(&v, c->s.p, sizeof(v));
	c->s = as_slice_skip(c->s, sizeof(v));
	return c->swap ? __builtin_bswap64(v) : v;
}

static uint32_t perf_jit_half(struct cur *c)
{
	uint32_t v;

	if (c->s.len < sizeof(v)) {
		c->bad = true;
		return 0;
	}
	memcpy(&v, c->s.p, sizeof(v));
	c->s = as_slice_skip(c->s, sizeof(v));
	return c->swap ? __builtin_bswap32(v) : v;
}

static struct as_slice perf_jit_text(struct cur *c)
{
	struct as_slice text = {c->s.p, as_slice_find(c->s, '\0')};

	if (text.len == c->s.len) {
		c->bad = true;
		return (struct as_slice){"", 0};
	}
	c->s = as_slice_skip(c->s, text.len + 1);
	return text;
}

/* NULL: nothing was made at START. */
static struct newest *perf_jit_newest(const struct reading *r, uint64_t start)
{
	uint64_t at = AS_INDEX_START;
	uint32_t row;

	while (as_index_find(&r->starts, as_hash_mix(start, 1), &at, &row))
		if (r->newest.p[row].start == start)
			return &r->newest.p[row];
	return NULL;
}

static bool perf_jit_add(struct reading *r, struct as_jit_code code, uint64_t size)
{
	struct as_jit *jit = r->jit;
	struct newest one = {code.start, (uint32_t)jit->code.n}, *have;

	if (!size || code.start > UINT64_MAX - size || jit->code.n == UINT32_MAX) {
		jit->n_odd++;
		return true;
	}
	code.limit = code.start + size;
	if (!as_vec_push(jit->al, &jit->code, code))
		return false;
	have = perf_jit_newest(r, code.start);
	if (have) {
		*have = one;
		return true;
	}
	return as_index_add(&r->starts, as_hash_mix(code.start, 1), (uint32_t)r->newest.n) &&
	       as_vec_push(jit->al, &r->newest, one);
}

/* ---- records ---- */

static void perf_jit_give_lines(struct reading *r, struct as_jit_code *code)
{
	if (r->lines_of == code->start) {
		code->first_line = r->first_line;
		code->n_lines = r->n_lines;
	}
	for (uint32_t i = 0; i < code->n_lines; i++) {
		uint64_t addr = r->jit->line.p[code->first_line + i].addr;

		if (addr < code->start || addr - code->start < r->nearest)
			r->nearest = addr < code->start ? 0 : addr - code->start;
	}
	r->n_lines = 0;
}

static bool perf_jit_load(struct reading *r, struct cur *c)
{
	struct as_jit_code code = {.time = r->time};
	uint64_t size;

	perf_jit_word(c); /* process and thread */
	perf_jit_word(c); /* where it is at link time */
	code.start = perf_jit_word(c);
	size = perf_jit_word(c);
	perf_jit_word(c); /* its number */
	code.name = perf_jit_text(c);
	if (c->bad) {
		r->jit->n_odd++;
		return true;
	}
	code.name = as_arena_dup(&r->jit->arena, code.name);
	perf_jit_give_lines(r, &code);
	return code.name.p && perf_jit_add(r, code, size);
}

static bool perf_jit_move(struct reading *r, struct cur *c)
{
	const struct newest *was;
	struct as_jit_code code;
	uint64_t from, to, size;

	perf_jit_word(c); /* process and thread */
	perf_jit_word(c);
	from = perf_jit_word(c);
	to = perf_jit_word(c);
	size = perf_jit_word(c);
	was = c->bad ? NULL : perf_jit_newest(r, from);
	if (!was) {
		r->jit->n_odd++;
		return true;
	}
	code = r->jit->code.p[was->row];
	code.start = to;
	code.time = r->time;
	code.moved += to - from;
	return perf_jit_add(r, code, size);
}

/* V8 (Node.js 20) writes what is no name where a script of the user's is meant. */
static bool perf_jit_is_name(struct as_slice text)
{
	for (size_t i = 0; i < text.len; i++)
		if ((unsigned char)text.p[i] < ' ')
			return false;
	return true;
}

static bool perf_jit_lines(struct reading *r, struct cur *c)
{
	static const char same[] = "\xff";
	struct as_jit *jit = r->jit;
	uint64_t addr = perf_jit_word(c), n = perf_jit_word(c);
	struct as_slice file = {"", 0}, text;
	bool odd = false;

	r->lines_of = addr;
	r->first_line = (uint32_t)jit->line.n;
	for (uint64_t i = 0; i < n && !c->bad; i++) {
		struct as_jit_line line = {.addr = perf_jit_word(c), .line = perf_jit_half(c)};

		perf_jit_half(c); /* which of a line's pieces */
		text = perf_jit_text(c);
		if (c->bad)
			break;
		odd |= !perf_jit_is_name(text);
		if (!as_slice_is(text, same))
			file = as_arena_dup(&jit->arena, text);
		line.file = file;
		if (!file.p || !as_vec_push(jit->al, &jit->line, line))
			return false;
	}
	odd |= c->bad;
	jit->n_odd += odd;
	r->n_lines = odd ? 0 : (uint32_t)jit->line.n - r->first_line;
	return true;
}

static bool perf_jit_take(struct reading *r, uint32_t type, struct cur *c)
{
	switch (type) {
	case CODE_LOAD:
		return perf_jit_load(r, c);
	case CODE_MOVE:
		return perf_jit_move(r, c);
	case DEBUG_INFO:
		return perf_jit_lines(r, c);
	default:
		return true;
	}
}

static bool perf_jit_records(struct reading *r, struct as_slice s)
{
	struct as_jit *jit = r->jit;

	while (s.len >= RECORD_HEAD) {
		struct cur c = {s, jit->swap, false};
		uint32_t type = perf_jit_half(&c), size = perf_jit_half(&c);

		if (size < RECORD_HEAD || size > s.len) {
			jit->n_odd++; /* the run-time still writes it, or died */
			return true;
		}
		c.s = (struct as_slice){s.p + 8, size - 8};
		r->time = perf_jit_word(&c);
		if (!perf_jit_take(r, type, &c))
			return false;
		s = as_slice_skip(s, size);
	}
	return true;
}

/* ---- the table ---- */

static int perf_jit_cmp(const void *a, const void *b)
{
	const struct as_jit_code *x = a, *y = b;
	int cmp = as_cmp_u64(x->start, y->start);

	return cmp ? cmp : as_cmp_u64(x->time, y->time);
}

static int perf_jit_cmp_time(const void *a, const void *b)
{
	return as_cmp_u64(*(const uint64_t *)a, *(const uint64_t *)b);
}

/* Code that overlaps other code, at whatever time, changes what is there when it is made. */
static bool perf_jit_changes(struct as_jit *jit)
{
	uint64_t reach = 0;

	for (size_t i = 0; i < jit->code.n; i++) {
		const struct as_jit_code *c = &jit->code.p[i];
		bool before = c->start < reach;
		bool after = i + 1 < jit->code.n && c[1].start < (before ? reach : c->limit);

		reach = before && reach > c->limit ? reach : c->limit;
		if (!as_vec_push(jit->al, &jit->reach, reach) ||
			((before || after) && !as_vec_push(jit->al, &jit->change, c->time)))
			return false;
	}
	if (jit->change.n)
		qsort(jit->change.p, jit->change.n, sizeof(*jit->change.p), perf_jit_cmp_time);
	return true;
}

enum as_code as_jit_read(struct as_jit *jit, const struct as_alloc *al, struct as_slice bytes)
{
	struct reading r = {.jit = jit, .nearest = UINT64_MAX};
	struct cur c = {bytes, false, false};
	uint32_t magic, version, size;
	bool done;

	*jit = (struct as_jit){.al = al};
	as_arena_init(&jit->arena, al);
	magic = perf_jit_half(&c);
	jit->swap = c.swap = magic == SWAPPED;
	version = perf_jit_half(&c);
	size = perf_jit_half(&c);
	perf_jit_word(&c); /* the machine */
	jit->pid = perf_jit_half(&c);
	perf_jit_word(&c); /* when it was made */
	jit->arch_times = perf_jit_word(&c) & ARCH_TIMES;
	if (c.bad || (magic != MAGIC && magic != SWAPPED) || version != VERSION || size < HEAD ||
		size > bytes.len)
		return AS_E_FORMAT;
	as_index_init(&r.starts, al);
	done = perf_jit_records(&r, as_slice_skip(bytes, size));
	as_index_release(&r.starts);
	as_vec_free(al, &r.newest);
	AS_TRY(as_memory(done));
	jit->line_shift = r.nearest >= ELF_HEAD && r.nearest < UINT64_MAX ? ELF_HEAD : 0;
	if (jit->code.n)
		qsort(jit->code.p, jit->code.n, sizeof(*jit->code.p), perf_jit_cmp);
	return perf_jit_changes(jit) ? AS_OK : AS_E_NOMEM;
}

void as_jit_release(struct as_jit *jit)
{
	as_vec_free(jit->al, &jit->code);
	as_vec_free(jit->al, &jit->reach);
	as_vec_free(jit->al, &jit->line);
	as_vec_free(jit->al, &jit->change);
	as_arena_release(&jit->arena);
}

/* ---- questions ---- */

const struct as_jit_code *as_jit_find(const struct as_jit *jit, uint64_t time, uint64_t addr)
{
	const struct as_jit_code *last = NULL, *first = NULL;

	for (size_t i = as_rows_up_to(jit->code.p, jit->code.n, start, addr);
		i && jit->reach.p[i - 1] > addr; i--) {
		const struct as_jit_code *c = &jit->code.p[i - 1];

		if (c->limit <= addr)
			continue;
		if (c->time <= time && (!last || c->time > last->time))
			last = c;
		if (!first || c->time < first->time)
			first = c;
	}
	return last ? last : first;
}

const struct as_jit_line *as_jit_line(
	const struct as_jit *jit, const struct as_jit_code *code, uint64_t addr)
{
	const struct as_jit_line *best = NULL;
	uint64_t at = addr - code->moved + jit->line_shift;

	for (uint32_t i = 0; i < code->n_lines; i++) {
		const struct as_jit_line *line = &jit->line.p[code->first_line + i];

		if (line->addr <= at && (!best || line->addr >= best->addr))
			best = line;
	}
	return best;
}

uint32_t as_jit_version(const struct as_jit *jit, uint64_t time)
{
	size_t lo = 0, hi = jit->change.n;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (jit->change.p[mid] <= time)
			lo = mid + 1;
		else
			hi = mid;
	}
	return (uint32_t)lo;
}
