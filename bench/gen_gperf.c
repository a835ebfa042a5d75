/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes a gperftools CPU profile (64-bit, little-endian) of about the size
 * asked for: header, records leaf first, trailer, the list of mappings.
 *
 *	gen_gperf [-S SEED] [-s SIZE] [-r RUN] [-a] > FILE
 *
 * SEED chooses the program: 5000 active functions, each with some call sites.
 * RUN chooses what was sampled: about half of the distinct stacks of two runs
 * are the same. -a loads the objects elsewhere in each run, as ASLR does.
 *
 * A reader's cost depends on how often stacks and addresses repeat, so the
 * numbers of distinct ones are counted and stated (stderr, with other facts).
 * A call site belongs to a function, not to a calling context: without that,
 * there would be ten times more addresses than in any real profile.
 */
#define _POSIX_C_SOURCE 200809L
#include <unistd.h>

#include "gen.h"

enum {
	FUNCTIONS = 5000,
	SITES = 6,  /* of calls, in one function */
	LEAVES = 8, /* instructions of one function at which a sample may fall */
	MAX_DEPTH = 128,
	OBJECTS = 5,
	PERIOD_US = 10000,
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

/* Frames of one stack: mean 19. */
static const struct quantile depths[] = {
	{0.00, 4},
	{0.10, 8},
	{0.50, 16},
	{0.90, 30},
	{0.99, 54},
	{1.00, 110},
};
/* Ticks in one record. The profiler's table is small and evicts, so one is the rule. */
static const struct quantile ticks[] = {
	{0.00, 1},
	{0.80, 1.99},
	{0.90, 3},
	{0.97, 6},
	{0.995, 20},
	{1.00, 200},
};

/* A set of hashes, only to count what is distinct. */
struct set {
	uint64_t *slot; /* 0 is free */
	size_t size, used;
};

struct profile {
	uint64_t seed, run;
	bool aslr;
	struct object object[OBJECTS];
	uint64_t start[FUNCTIONS]; /* offset in the object */
	uint32_t size[FUNCTIONS];
	unsigned char in[FUNCTIONS]; /* the object */
	struct set stacks, addresses;
	struct sink out;
	uint64_t records, samples, frames,
		made; /* made: stacks so far, of which a record takes one */
};

static void set_grow(struct set *s);

static void set_add(struct set *s, uint64_t hash)
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

static void set_grow(struct set *s)
{
	struct set bigger = {NULL, s->size ? 2 * s->size : 1024, 0};

	bigger.slot = need(bigger.size, sizeof(*bigger.slot));
	for (size_t i = 0; i < s->size; i++)
		if (s->slot[i])
			set_add(&bigger, s->slot[i]);
	free(s->slot);
	*s = bigger;
}

/* ---- the program ---- */

static void lay_out(struct profile *p)
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
static uint64_t address(const struct profile *p, uint32_t f, uint32_t n, uint32_t m)
{
	uint64_t h = mix2(p->seed ^ m, (uint64_t)f * 64 + n);

	return p->object[p->in[f]].base + p->start[f] + 1 + h % (p->size[f] - 1);
}

/* The function called at site N of F; some are called far more often than others. */
static uint32_t callee(const struct profile *p, uint32_t f, uint32_t n)
{
	double u = (double)(mix2(p->seed ^ 0x63616c6c, (uint64_t)f * 64 + n) >> 11) * 0x1p-53;
	uint32_t g = (uint32_t)(u * u * u * FUNCTIONS);

	return (uint32_t)(((uint64_t)g * 2741 + 17) % FUNCTIONS); /* hot ones in all objects */
}

/* Stack ID, root first, into PC[]; its depth. A walk from main or from the start of a thread. */
static uint32_t make_stack(const struct profile *p, uint64_t id, uint64_t pc[MAX_DEPTH])
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

/* ---- the file ---- */

static void put_record(struct profile *p, struct rng *r, uint64_t id)
{
	uint64_t pc[MAX_DEPTH], hash = 0;
	uint32_t depth = make_stack(p, id, pc);
	uint64_t count = (uint64_t)quantile_at(ticks, ARRAY_LEN(ticks), rng_unit(r));

	sink_le(&p->out, count, 8);
	sink_le(&p->out, depth, 8);
	for (uint32_t i = depth; i-- > 0;) {
		sink_le(&p->out, pc[i], 8);
		hash = mix2(hash, pc[i]);
		set_add(&p->addresses, pc[i]);
	}
	set_add(&p->stacks, hash);
	p->records++;
	p->samples += count;
	p->frames += depth;
}

static void put_mapping(struct profile *p, uint64_t begin, uint64_t end, const char *perms,
	const struct object *object)
{
	static const char *const special[] = {"[heap]", "[stack]", "[vdso]"};
	char line[256];
	uint64_t offset = object && begin > object->base ? begin - object->base : 0;
	const char *path = object ? object->path : special[perms[3] - '0'];

	/* the layout of gperftools 2.10: the inode padded to 11, then a blank */
	snprintf(line, sizeof(line),
		"%08" PRIx64 "-%08" PRIx64 " %.3sp %08" PRIx64 " 00:00 %-11" PRIu64 " %s\n", begin,
		end, perms, offset, object ? object->inode : 0, path);
	sink_text(&p->out, line);
}

static void put_mappings(struct profile *p)
{
	for (uint32_t o = 0; o < OBJECTS; o++) {
		const struct object *object = &p->object[o];
		uint64_t text = object->base + 0x1000, data = text + object->text_size;

		put_mapping(p, object->base, text, "r--p", object);
		put_mapping(p, text, data, "r-xp", object);
		put_mapping(p, data, data + 0x8000, "r--p", object);
		put_mapping(p, data + 0x8000, data + 0xa000, "rw-p", object);
		if (o == 0)
			put_mapping(p, data + 0x100000, data + 0x900000, "rw-0", NULL);
	}
	put_mapping(p, UINT64_C(0x7ffd00000000), UINT64_C(0x7ffd00021000), "rw-1", NULL);
	put_mapping(p, UINT64_C(0x7ffd00100000), UINT64_C(0x7ffd00102000), "r-x2", NULL);
}

static void put_profile(struct profile *p, uint64_t size)
{
	struct rng r = {mix2(p->seed ^ 0x7265636f, p->run)};
	const uint64_t header[] = {0, 3, 0, PERIOD_US, 0}, trailer[] = {0, 1, 0};
	const uint64_t text = 2000; /* about what the mappings take */
	double fresh = 1.835;       /* probability that a record is a new stack */
	uint64_t next_drop = 2;

	for (size_t i = 0; i < ARRAY_LEN(header); i++)
		sink_le(&p->out, header[i], 8);
	while (p->out.written + text < size) {
		double u = rng_unit(&r);

		/* new stacks get rarer: 31,000 in 59,000 records, 231,000 in 596,000 */
		if (p->records == next_drop) {
			fresh *= 0.9157;
			next_drop *= 2;
		}
		if (!p->made || rng_unit(&r) < fresh)
			put_record(p, &r, p->made++);
		else
			put_record(p, &r, (uint64_t)((double)p->made * u * u));
	}
	for (size_t i = 0; i < ARRAY_LEN(trailer); i++)
		sink_le(&p->out, trailer[i], 8);
	put_mappings(p);
	sink_flush(&p->out);
}

int main(int argc, char **argv)
{
	static struct profile p;
	uint64_t size = 1000000;
	int c;

	p.seed = 1;
	p.out.file = stdout;
	while ((c = getopt(argc, argv, "S:s:r:a")) != -1) {
		switch (c) {
		case 'S':
			p.seed = parse_num(optarg);
			break;
		case 's':
			size = parse_size(optarg);
			break;
		case 'r':
			p.run = parse_num(optarg);
			break;
		case 'a':
			p.aslr = true;
			break;
		default:
			return 2;
		}
	}
	if (optind < argc) {
		fputs("usage: gen_gperf [-S SEED] [-s SIZE] [-r RUN] [-a] > FILE\n", stderr);
		return 2;
	}
	lay_out(&p);
	put_profile(&p, size);
	if (fflush(stdout))
		die("write");
	fact("bytes", p.out.written);
	fact("records", p.records);
	fact("samples", p.samples);
	fact("frames", p.frames);
	fact("distinct_stacks", p.stacks.used);
	fact("distinct_addresses", p.addresses.used);
	free(p.stacks.slot);
	free(p.addresses.slot);
	return 0;
}
