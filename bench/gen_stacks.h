/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A program and the stacks that samples of it have: for generated gperftools and perf profiles.
 *
 * A call site belongs to a function, not to a calling context: without that,
 * there would be ten times more addresses than in any real profile.
 */
#ifndef BENCH_GEN_STACKS_H
#define BENCH_GEN_STACKS_H

#include "gen.h"

enum {
	FUNCTIONS = 5000,
	SITES = 6,  /* of calls, in one function */
	LEAVES = 8, /* instructions of one function at which a sample may fall */
	MAX_DEPTH = 128,
	OBJECTS = 5,
};

/* What is loaded. The parts are of 1000 functions; the text follows one page of headers. */
struct object {
	const char *path;
	uint32_t part;
	uint64_t inode;
	/* filled in: */
	uint64_t base, text_size;
	uint32_t first, end; /* its functions */
};

static const struct object loaded[OBJECTS] = {
	{"/opt/program/bin/program", 560, 1310721, 0, 0, 0, 0},
	{"/opt/program/lib/libengine.so.4.2", 250, 1310733, 0, 0, 0, 0},
	{"/opt/program/lib/libcodec.so.1", 110, 1310734, 0, 0, 0, 0},
	{"/opt/program/lib/libmath.so.6", 30, 333211, 0, 0, 0, 0},
	{"/opt/program/lib/libsystem.so.6", 50, 333207, 0, 0, 0, 0},
};

/* A set of hashes, only to count what is distinct. */
struct set {
	uint64_t *slot; /* 0 is free */
	size_t size, used;
};

static inline void set_grow(struct set *s);

static inline void set_add(struct set *s, uint64_t hash)
{
	size_t i;

	if (s->used * 2 >= s->size)
		set_grow(s);
	hash |= hash == 0;
	for (i = (size_t)hash & (s->size - 1); s->slot[i]; i = (i + 1) & (s->size - 1))
		if (s->slot[i] == hash)
			return;
	s->slot[i] = hash;
	s->used++;
}

static inline void set_grow(struct set *s)
{
	struct set bigger = {NULL, s->size ? 2 * s->size : 1024, 0};

	bigger.slot = need(bigger.size, sizeof(*bigger.slot));
	for (size_t i = 0; i < s->size; i++)
		if (s->slot[i])
			set_add(&bigger, s->slot[i]);
	free(s->slot);
	*s = bigger;
}

/* SEED chooses the program: 5000 active functions, each with some call sites. RUN chooses what was
 * sampled: about half of the distinct stacks of two runs are the same. */
struct stacks {
	uint64_t seed, run;
	bool aslr;
	struct object object[OBJECTS];
	uint64_t start[FUNCTIONS]; /* offset in the object */
	uint32_t size[FUNCTIONS];
	unsigned char in[FUNCTIONS]; /* the object */
	uint64_t records, made;      /* made: stacks so far, of which a record takes one */
	double fresh;                /* probability that a record is a new stack */
	uint64_t next_drop;
};

/* ---- the program ---- */

static inline void lay_out(struct stacks *p)
{
	struct rng where = {mix2(0x61736c72, p->aslr ? p->run + 1 : 0)};
	uint64_t lib = UINT64_C(0x7f0000000000) + ((rng_next(&where) & 0xfffffff) << 12);
	uint32_t f = 0;

	memcpy(p->object, loaded, sizeof(loaded));
	for (uint32_t o = 0; o < OBJECTS; o++) {
		struct object *object = &p->object[o];
		uint64_t at = 0x1000;

		object->first = f;
		object->end = o + 1 == OBJECTS ? FUNCTIONS : f + FUNCTIONS * object->part / 1000;
		for (; f < object->end; f++) {
			p->size[f] = 64 + (uint32_t)(mix2(p->seed, f) % 1500);
			p->start[f] = at;
			p->in[f] = (unsigned char)o;
			at = (at + p->size[f] + 15) & ~UINT64_C(15);
		}
		object->text_size = (at - 0x1000 + 0xfff) & ~UINT64_C(0xfff);
		object->base = lib;
		lib += object->text_size + 0x400000;
	}
	p->object[0].base = UINT64_C(0x550000000000) + ((rng_next(&where) & 0xfffffff) << 12);
}

/* Place N of M in function F: the same for every stack that comes by. */
static inline uint64_t address(const struct stacks *p, uint32_t f, uint32_t n, uint32_t m)
{
	uint64_t h = mix2(p->seed ^ m, (uint64_t)f * 64 + n);

	return p->object[p->in[f]].base + p->start[f] + 1 + h % (p->size[f] - 1);
}

/* The function called at site N of F; some are called far more often than others. */
static inline uint32_t callee(const struct stacks *p, uint32_t f, uint32_t n)
{
	double u = (double)(mix2(p->seed ^ 0x63616c6c, (uint64_t)f * 64 + n) >> 11) * 0x1p-53;
	uint32_t g = (uint32_t)(u * u * u * FUNCTIONS);

	return (uint32_t)(((uint64_t)g * 2741 + 17) % FUNCTIONS); /* hot ones in all objects */
}

/* Stack ID, root first, into PC[]; its depth. A walk from main or from the start of a thread. */
static inline uint32_t make_stack(const struct stacks *p, uint64_t id, uint64_t pc[MAX_DEPTH])
{
	bool shared = mix2(p->seed ^ 0x73686172, id) % 2;
	struct rng r = {mix2(p->seed ^ (shared ? 0 : mix(p->run + 1)), id)};
	uint32_t depth = (uint32_t)quantile_at(depths, ARRAY_LEN(depths), rng_unit(&r));
	bool thread = rng_chance(&r, 600);
	uint32_t libc = p->object[OBJECTS - 1].first + 2 * thread;
	uint32_t f = thread ? 1 + rng_below(&r, 3) : 0;
	uint32_t n = 0;

	pc[n++] = address(p, libc, 0, SITES); /* clone or __libc_start_main, and what calls it */
	pc[n++] = address(p, libc + 1, 0, SITES);
	while (n + 1 < depth) {
		double u = rng_unit(&r);
		uint32_t site = (uint32_t)(u * u * SITES);

		pc[n++] = address(p, f, site, SITES);
		f = callee(p, f, site);
	}
	pc[n++] = address(p, f, (uint32_t)(rng_unit(&r) * rng_unit(&r) * LEAVES), LEAVES);
	return n;
}

/* The stack of the next record: new ones get rarer, 31,000 in 59,000 records, 231,000 in 596,000.
 */
static inline uint64_t choose_stack(struct stacks *p, struct rng *r)
{
	double u = rng_unit(r);

	if (!p->next_drop) {
		p->fresh = 1.835;
		p->next_drop = 2;
	}
	if (p->records == p->next_drop) {
		p->fresh *= 0.9157;
		p->next_drop *= 2;
	}
	p->records++;
	if (!p->made || rng_unit(r) < p->fresh)
		return p->made++;
	return (uint64_t)((double)p->made * u * u);
}

#endif
