/* SPDX-License-Identifier: Apache-2.0 */
#include "gen_program.h"

enum {
	FAR = 100, /* bytes: what callgrind no longer writes as a relative address */
};

/* How the two kinds of file differ in shape. */
struct shape {
	double bytes_per_function; /* found by running this program */
	double lines, calls;       /* factors on the quantiles below */
	uint32_t enter, leave;     /* permille of lines that begin or end inlined code */
};

static const struct shape by_line = {818, 0.955, 0.96, 180, 280};
static const struct shape by_instr = {2065, 1.78, 0.60, 70, 120};

/* Self-cost lines and calls of one function. */
static const struct quantile line_counts[] = {
	{0.00, 1},
	{0.10, 2},
	{0.25, 7},
	{0.50, 22},
	{0.75, 50},
	{0.90, 105},
	{0.99, 300},
	{1.0, 2000},
};
static const struct quantile call_counts[] = {
	{0.00, 0},
	{0.10, 0},
	{0.25, 1},
	{0.50, 2.5},
	{0.75, 6},
	{0.90, 12},
	{0.99, 50},
	{1.0, 250},
};
/* How often one call was executed. */
static const struct quantile executions[] = {
	{0.00, 1},
	{0.50, 2},
	{0.67, 9},
	{0.83, 99},
	{0.95, 999},
	{0.993, 9999},
	{1.0, 99999},
};

/* ---- the program: which functions there are and who calls whom ---- */

static bool in_large_cycle(const struct program *p, uint32_t f)
{
	return f >= p->cycle_at && f < p->cycle_at + p->cycle_len;
}

uint32_t unit_of(const struct program *p, uint32_t f, uint32_t *len)
{
	uint32_t base = f & ~UINT32_C(63);
	uint64_t h = mix2(p->seed ^ 0x6379636c65, base);

	*len = p->cycle_len;
	if (in_large_cycle(p, f))
		return p->cycle_at;
	*len = 2 + (uint32_t)(h >> 32) % 3;
	if (base && h % 4 == 0 && f - base < *len && base + *len <= p->n &&
		!in_large_cycle(p, base) && !in_large_cycle(p, base + *len - 1))
		return base;
	*len = 1;
	return f;
}

/* Callgrind splits a function that calls itself: f, and f'2 for the deeper activations. */
static bool is_deeper_self(const struct program *p, uint32_t f)
{
	uint32_t len;

	if (f < 16 || f % 2 == 0 || mix2(p->seed ^ 0x726563, f) % 16)
		return false;
	unit_of(p, f, &len);
	if (len == 1)
		unit_of(p, f - 1, &len);
	return len == 1;
}

bool is_recursive(const struct program *p, uint32_t f)
{
	uint32_t len;

	unit_of(p, f, &len);
	return len > 1 || is_deeper_self(p, f);
}

/* The calls that F makes, into CALLEE[]; their number. Every function but the first has a
 * caller, as F calls 2F + 1 and 2F + 2; the other calls favour high numbers, which are therefore
 * called from everywhere, as malloc() is. */
static uint32_t calls_of(const struct program *p, uint32_t f, uint32_t callee[MAX_CALLS])
{
	struct rng r = {mix2(p->seed ^ 0x63616c6c, f)};
	uint32_t want = (uint32_t)(p->shape->calls * quantile_at(call_counts,
							     ARRAY_LEN(call_counts), rng_unit(&r)) +
				   0.5);
	uint32_t len;
	uint32_t unit = unit_of(p, f, &len);
	uint32_t n = 0;

	if (f == 0) { /* (below main) calls main and nothing else */
		callee[0] = 1;
		return 1;
	}
	for (uint64_t child = 2 * (uint64_t)f + (f > 1); child <= 2 * (uint64_t)f + 2; child++)
		if (child < p->n)
			callee[n++] = (uint32_t)child;
	if (len > 1) /* round the cycle */
		callee[n++] = f + 1 < unit + len ? f + 1 : unit;
	if (is_deeper_self(p, f))
		callee[n++] = f;
	if (f + 1 < p->n && is_deeper_self(p, f + 1))
		callee[n++] = f + 1;
	while (n < want && n < MAX_CALLS && f + 1 < p->n) {
		double u = rng_unit(&r);

		callee[n++] = p->n - 1 - (uint32_t)((double)(p->n - 1 - f) * u * u * u);
	}
	return n;
}

static uint32_t executions_of(const struct program *p, uint64_t call)
{
	struct rng r = {mix2(p->seed ^ 0x65786563, call)};

	return (uint32_t)quantile_at(executions, ARRAY_LEN(executions), rng_unit(&r));
}

/* ---- where things are in the file ---- */

static uint32_t gcd(uint32_t a, uint32_t b)
{
	while (b) {
		uint32_t c = a % b;

		a = b;
		b = c;
	}
	return a;
}

/* Blocks stand in an order that has nothing to do with who calls whom: the pairs of functions
 * are permuted. A function and its deeper activations stay neighbours, in one file. */
static void choose_order(struct program *p)
{
	int64_t a, b, x = 0, y = 1;

	p->pairs = p->n / 2;
	p->mul = (uint32_t)(0.618 * p->pairs) | 1;
	while (gcd(p->mul, p->pairs) != 1)
		p->mul++;
	p->add = p->pairs / 3;
	a = p->pairs;
	b = p->mul % p->pairs;
	while (b) { /* Euclid, for the inverse of mul */
		int64_t q = a / b, t = a % b;

		a = b;
		b = t;
		t = x - q * y;
		x = y;
		y = t;
	}
	p->inv = (uint32_t)((x % p->pairs + p->pairs) % p->pairs);
}

uint32_t function_at(const struct program *p, uint32_t i)
{
	return 2 * (uint32_t)(((uint64_t)(i / 2) * p->mul + p->add) % p->pairs) + i % 2;
}

static uint32_t place_of(const struct program *p, uint32_t f)
{
	uint64_t pair = (uint64_t)f / 2 + p->pairs - p->add;

	return (uint32_t)(pair % p->pairs * p->inv % p->pairs);
}

uint32_t file_of(const struct program *p, uint32_t f)
{
	return (uint32_t)((uint64_t)place_of(p, f) * p->files / p->pairs);
}

/* The program itself holds 86 % of the functions. */
uint32_t object_of(const struct program *p, uint32_t f)
{
	uint64_t at = (uint64_t)place_of(p, f) * 1000 / p->pairs;

	return at < 860 ? 0 : (uint32_t)(1 + (at - 860) * (OBJECTS - 1) / 140);
}

uint32_t first_line_of(const struct program *p, uint32_t f)
{
	return 20 + (uint32_t)(mix2(p->seed ^ 0x6c696e65, f) % 5000);
}

/* ---- the cost lines of one function ---- */

void walk_begin(const struct program *p, struct walk *w, uint32_t f)
{
	memset(w, 0, sizeof(*w));
	w->rng.state = mix2(p->seed ^ 0x77616c6b, f);
	w->fn = f;
	w->own_file = w->file = file_of(p, f);
	w->calls = (uint32_t)(p->first_call[f + 1] - p->first_call[f]);
	w->lines = (uint32_t)(p->shape->lines * quantile_at(line_counts, ARRAY_LEN(line_counts),
							rng_unit(&w->rng)) +
			      0.5);
	if (!w->lines)
		w->lines = 1;
	w->runs = p->runs[f] ? p->runs[f] : 1;
	w->inlines = rng_chance(&w->rng, 350);
	w->line = first_line_of(p, f);
}

/* The next source line: mostly the next one or two, sometimes far away. */
static void step_line(const struct program *p, struct walk *w)
{
	uint32_t r = rng_below(&w->rng, 1000);
	uint32_t near = 1 + rng_below(&w->rng, 9), far = 10 + rng_below(&w->rng, 89);
	uint32_t start = first_line_of(p, w->fn);

	if (p->instr && r < 480)
		return;
	if (!p->instr && w->after_call && r < 850)
		return;
	if (p->instr)
		r = (r - 480) * 1000 / 520;
	if (r < 480)
		w->line += near;
	else if (r < 560)
		w->line += far;
	else if (r < 680)
		w->line -= near < w->line ? near : 0;
	else if (r < 730)
		w->line -= far < w->line ? far : 0;
	else
		w->line = start + rng_below(&w->rng, 400);
}

/* Inlined code is another file, and the last line is the function's own again. */
static void step_file(const struct program *p, struct walk *w)
{
	bool inside = w->file != w->own_file;

	if (inside && w->done + 1 == w->lines) {
		w->file = w->own_file;
		w->line = first_line_of(p, w->fn) + rng_below(&w->rng, 60);
	} else if (inside && rng_chance(&w->rng, p->shape->leave)) {
		w->file = rng_chance(&w->rng, 700) ? w->own_file : rng_below(&w->rng, p->files);
		w->line = first_line_of(p, w->fn) + rng_below(&w->rng, 60);
	} else if (!inside && w->inlines && w->done && w->done + 2 < w->lines &&
		   rng_chance(&w->rng, p->shape->enter)) {
		w->file = rng_below(&w->rng, p->files);
		w->line = 20 + rng_below(&w->rng, 900);
	}
}

static void step_address(struct walk *w)
{
	uint32_t r = rng_below(&w->rng, 1000);

	if (r < 950)
		w->offset += 1 + rng_below(&w->rng, 8);
	else if (r < 980)
		w->offset += 10 + rng_below(&w->rng, 60);
	else
		w->offset += FAR + rng_below(&w->rng, 800);
}

/* A share of V, at least 1: misses of an access. */
static uint64_t some_of(struct rng *r, uint64_t v)
{
	uint64_t part = v >> (1 + rng_below(r, 6));

	return part ? part : 1;
}

/* What an instruction costs besides being executed. The shares are those of real files: 48 %
 * only execute, an eighth are branches, and the columns further right are rarely filled. */
static void other_costs(struct walk *w)
{
	uint32_t r = rng_below(&w->rng, 1000);
	uint64_t ir = w->cost[IR];

	if (r < 480)
		return;
	if (r < 790)
		w->cost[r < 640 ? DR : DW] = ir;
	if (r >= 600 && r < 640)
		w->cost[D1MR] = some_of(&w->rng, ir);
	if (r >= 630 && r < 632)
		w->cost[DLMR] = 1;
	if (r >= 720 && r < 735)
		w->cost[D1MW] = some_of(&w->rng, ir);
	if (r >= 730 && r < 734)
		w->cost[DLMW] = 1;
	if (r >= 790 && r < 865) {
		w->cost[I1MR] = some_of(&w->rng, ir);
		if (r >= 805)
			w->cost[ILMR] = 1;
	}
	if (r >= 865 && r < 980) {
		w->cost[BC] = ir;
		if (r >= 910)
			w->cost[BCM] = some_of(&w->rng, ir);
	}
	if (r >= 980) {
		w->cost[DR] = ir;
		w->cost[BI] = ir;
		if (r >= 986)
			w->cost[BIM] = some_of(&w->rng, ir);
	}
}

static void step_cost(const struct program *p, struct walk *w)
{
	uint64_t v = w->runs * (1 + rng_below(&w->rng, 4));

	if (w->done) { /* the first line runs every time: so no call is left without cost */
		v >>= rng_below(&w->rng, 9);
		if (rng_chance(&w->rng, 30))
			v *= 1 + rng_below(&w->rng, 63);
	}
	memset(w->cost, 0, sizeof(w->cost));
	w->cost[IR] = v ? v : 1;
	if (p->events > 1)
		other_costs(w);
	for (uint32_t e = p->events; e < MAX_EVENTS; e++)
		w->cost[e] = 0;
}

static void step_jump(struct walk *w)
{
	uint32_t r = rng_below(&w->rng, 1000);
	uint64_t reach = 2 + rng_below(&w->rng, r % 2 ? 90 : 600);

	w->jump = NO_JUMP;
	if (w->cost[BC] ? r < 400 : (w->cost[DR] | w->cost[DW] | w->cost[I1MR]) == 0 && r < 22)
		w->jump = w->cost[BC] ? CONDITIONAL : ALWAYS;
	if (w->jump == NO_JUMP)
		return;
	w->followed = w->cost[IR] - (w->cost[IR] > 1 ? rng_next(&w->rng) % w->cost[IR] : 0);
	w->target_offset = r % 3 && w->offset > reach ? w->offset - reach : w->offset + reach;
	w->target_line = w->line + rng_below(&w->rng, 30);
}

bool walk_next(const struct program *p, struct walk *w)
{
	if (w->done == w->lines)
		return false;
	if (w->done) {
		step_line(p, w);
		step_file(p, w);
		step_address(w);
	}
	step_cost(p, w);
	if (p->instr)
		step_jump(w);
	w->done++;
	w->call_begin = w->call_end;
	w->call_end = (uint32_t)((uint64_t)w->calls * w->done / w->lines);
	w->after_call = w->call_end > w->call_begin;
	return true;
}

/* ---- sums, before anything is written ---- */

static void make_calls(struct program *p)
{
	uint32_t callee[MAX_CALLS], len;
	uint64_t room = 0;

	p->first_call = need((size_t)p->n + 1, sizeof(*p->first_call));
	p->runs = need(p->n, sizeof(*p->runs));
	p->weight = need(p->n, sizeof(*p->weight));
	for (uint32_t f = 0; f < p->n; f++)
		p->first_call[f + 1] = p->first_call[f] + calls_of(p, f, callee);
	room = p->first_call[p->n];
	p->callee = need(room, sizeof(*p->callee));
	p->count = need(room, sizeof(*p->count));
	p->before = need(room, sizeof(*p->before));
	for (uint32_t f = 0; f < p->n; f++) {
		uint32_t unit = unit_of(p, f, &len);
		uint64_t at = p->first_call[f];
		uint32_t n = calls_of(p, f, callee);

		for (uint32_t i = 0; i < n; i++, at++) {
			uint32_t to = unit_of(p, callee[i], &len);

			p->callee[at] = callee[i];
			p->count[at] = executions_of(p, at);
			p->runs[callee[i]] += p->count[at];
			p->before[at] = p->weight[to];
			if (to != unit)
				p->weight[to] += p->count[at];
		}
	}
}

/* Calls inside a cycle have no defined cost: theirs is a sixteenth of the cycle's. */
uint64_t call_cost(const struct program *p, uint64_t at, uint32_t caller, uint32_t event)
{
	uint32_t len, from = unit_of(p, caller, &len);
	uint32_t to = unit_of(p, p->callee[at], &len);
	uint64_t cost = p->cost[(size_t)to * p->events + event];
	uint64_t lower = p->before[at], upper = lower + p->count[at], all = p->weight[to];

	if (to == from)
		return cost / 16 ? cost / 16 : event == IR;
	return (uint64_t)((u128)cost * upper / all) - (uint64_t)((u128)cost * lower / all);
}

static void sum_self(struct program *p)
{
	struct walk w;

	p->cost = need((size_t)p->n * p->events, sizeof(*p->cost));
	p->addr = need(p->n, sizeof(*p->addr));
	for (uint32_t f = 0; f < p->n; f++) {
		uint64_t *self = p->cost + (size_t)f * p->events;

		walk_begin(p, &w, f);
		while (walk_next(p, &w)) {
			for (uint32_t e = 0; e < p->events; e++) {
				self[e] += w.cost[e];
				p->totals[e] += w.cost[e];
			}
		}
		p->addr[f] = (w.offset + 31) & ~UINT64_C(15); /* its size as yet */
	}
}

/* Callees come after their callers, so from the end every callee is complete when needed. */
static void sum_inclusive(struct program *p)
{
	uint32_t len;

	for (uint32_t f = p->n; f-- > 0;) {
		uint32_t unit = unit_of(p, f, &len), to;
		uint64_t *cost = p->cost + (size_t)unit * p->events;

		for (uint64_t at = p->first_call[f]; at < p->first_call[f + 1]; at++) {
			to = unit_of(p, p->callee[at], &len);
			for (uint32_t e = 0; to != unit && e < p->events; e++)
				cost[e] += call_cost(p, at, f, e);
		}
		for (uint32_t e = 0; unit != f && e < p->events; e++)
			cost[e] += p->cost[(size_t)f * p->events + e];
	}
}

static void place_functions(struct program *p)
{
	uint64_t at = 0;
	uint32_t object = UINT32_MAX;

	for (uint32_t i = 0; i < p->n; i++) {
		uint32_t f = function_at(p, i);
		uint64_t size = p->addr[f];

		if (object != object_of(p, f))
			at = 0x1000;
		object = object_of(p, f);
		p->addr[f] = at;
		at += size;
	}
}

void program_make(struct program *p, uint64_t size)
{
	p->shape = p->instr ? &by_instr : &by_line;
	p->n = (uint32_t)((double)size / p->shape->bytes_per_function) & ~UINT32_C(1);
	if (p->n < 64)
		p->n = 64;
	p->files = p->n / 12 + 1;
	p->cycle_at = p->n / 4 & ~UINT32_C(1);
	p->cycle_len = p->n / 128 + 3;
	choose_order(p);
	make_calls(p);
	sum_self(p);
	sum_inclusive(p);
	place_functions(p);
}

void program_release(struct program *p)
{
	free(p->first_call);
	free(p->callee);
	free(p->count);
	free(p->before);
	free(p->runs);
	free(p->weight);
	free(p->cost);
	free(p->addr);
}
