/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes a symbolized CPU profile as pprof's profile.proto, not compressed, of
 * about the size asked for.
 *
 *	gen_pprof [-S SEED] [-s SIZE] [-l LABELS] [-r RUN] > FILE
 *
 * As Go's profiler does, it writes the tables behind the samples. SEED chooses
 * a program of 5000 functions, each with a few call sites, some of them in
 * functions that were inlined. With -l, each sample has one of LABELS values of
 * a label, as the ids of requests are. With -r, it is a run of the program: SIZE
 * is that of its samples alone, the tables have what they name and no more, and
 * half of the samples are those of every run.
 */
#define _POSIX_C_SOURCE 200809L
#include <unistd.h>

#include "gen.h"

enum {
	FUNCTIONS = 5000,
	SITES = 6,
	LEAVES = 8,
	PER_FUNCTION = SITES + LEAVES, /* locations */
	MAX_DEPTH = 128,
	STRINGS = 12, /* those before the functions' names */
	PERIOD_NS = 10000000,
};

struct message {
	unsigned char buf[16 * MAX_DEPTH];
	size_t n;
};

struct profile {
	uint64_t seed, labels, run; /* RUN + 1; 0 = not given */
	struct sink out;
	uint64_t samples, ticks, frames;
	unsigned char located[FUNCTIONS * PER_FUNCTION], named[FUNCTIONS];
};

/* At some of the locations of F something small is inlined. */
static bool has_inlined(uint32_t f, uint32_t n)
{
	return (f + n) % 4 == 0;
}

static uint32_t inlined(uint32_t f, uint32_t n)
{
	return has_inlined(f, n) ? (f * 7 + n) % FUNCTIONS : f;
}

static void put_varint(struct message *m, uint64_t v)
{
	for (; v >= 0x80; v >>= 7)
		m->buf[m->n++] = (unsigned char)(v | 0x80);
	m->buf[m->n++] = (unsigned char)v;
}

static void put_number(struct message *m, unsigned field, uint64_t v)
{
	put_varint(m, field << 3);
	put_varint(m, v);
}

static void put_message(struct message *m, unsigned field, const struct message *inner)
{
	put_varint(m, field << 3 | 2);
	put_varint(m, inner->n);
	memcpy(m->buf + m->n, inner->buf, inner->n);
	m->n += inner->n;
}

static void emit(struct profile *p, unsigned field, const struct message *m)
{
	struct message head = {.n = 0};

	put_varint(&head, field << 3 | 2);
	put_varint(&head, m->n);
	sink_bytes(&p->out, head.buf, head.n);
	sink_bytes(&p->out, m->buf, m->n);
}

static void emit_text(struct profile *p, const char *text)
{
	struct message m = {.n = strlen(text)};

	memcpy(m.buf, text, m.n);
	emit(p, 6, &m);
}

/* Some functions are called far more often than others. */
static uint32_t callee(const struct profile *p, uint32_t f, uint32_t site)
{
	struct rng r = {mix2(p->seed, (uint64_t)f * SITES + site)};
	double u = rng_unit(&r);

	return (uint32_t)(u * u * FUNCTIONS);
}

static void put_sample(struct profile *p, struct rng *r)
{
	uint64_t id[MAX_DEPTH];
	uint32_t depth = (uint32_t)quantile_at(depths, ARRAY_LEN(depths), rng_unit(r));
	uint32_t f = rng_below(r, 4), ticks = 1 + rng_below(r, 3);
	struct message m = {.n = 0}, inner = {.n = 0};

	for (uint32_t d = depth; d-- > 1;) {
		uint32_t site = (uint32_t)(rng_unit(r) * rng_unit(r) * SITES);

		id[d] = 1 + (uint64_t)f * PER_FUNCTION + site;
		f = callee(p, f, site);
	}
	id[0] = 1 + (uint64_t)f * PER_FUNCTION + SITES + rng_below(r, LEAVES);
	for (uint32_t d = 0; d < depth; d++) {
		uint32_t at = (uint32_t)id[d] - 1;

		p->located[at] = 1;
		p->named[at / PER_FUNCTION] = 1;
		p->named[inlined(at / PER_FUNCTION, at % PER_FUNCTION)] = 1;
		put_varint(&inner, id[d]);
	}
	put_message(&m, 1, &inner);
	inner.n = 0;
	put_varint(&inner, ticks);
	put_varint(&inner, (uint64_t)ticks * PERIOD_NS);
	put_message(&m, 2, &inner);
	if (p->labels) {
		inner.n = 0;
		put_number(&inner, 1, 9);
		put_number(&inner, 3, 1 + rng_below(r, (uint32_t)p->labels));
		put_message(&m, 3, &inner);
	}
	emit(p, 2, &m);
	p->samples++;
	p->ticks += ticks;
	p->frames += depth;
}

static void put_line(struct message *m, uint32_t f, uint32_t line)
{
	struct message inner = {.n = 0};

	put_number(&inner, 1, f + 1);
	put_number(&inner, 2, line);
	put_message(m, 4, &inner);
}

static void put_location(struct profile *p, uint32_t f, uint32_t n)
{
	struct message m = {.n = 0};

	put_number(&m, 1, 1 + (uint64_t)f * PER_FUNCTION + n);
	put_number(&m, 2, 1);
	put_number(&m, 3, 0x401000 + (uint64_t)f * 256 + n * 16);
	if (has_inlined(f, n))
		put_line(&m, inlined(f, n), 3 + n);
	put_line(&m, f, 20 + f % 900 + 3 * n);
	emit(p, 4, &m);
}

static void put_tables(struct profile *p)
{
	struct message m = {.n = 0};
	char text[128];

	put_number(&m, 1, 1);
	put_number(&m, 2, 0x400000);
	put_number(&m, 3, 0x400000 + 256 * (FUNCTIONS + 32));
	put_number(&m, 5, 5);
	put_number(&m, 6, 6);
	for (unsigned has = 7; has <= 10; has++)
		put_number(&m, has, 1);
	emit(p, 3, &m);
	for (uint32_t f = 0; f < FUNCTIONS; f++)
		for (uint32_t n = 0; n < PER_FUNCTION; n++)
			if (!p->run || p->located[f * PER_FUNCTION + n])
				put_location(p, f, n);
	for (uint32_t f = 0; f < FUNCTIONS; f++) {
		if (p->run && !p->named[f])
			continue;
		m.n = 0;
		put_number(&m, 1, f + 1);
		put_number(&m, 2, STRINGS + f);
		put_number(&m, 3, STRINGS + f);
		put_number(&m, 4, STRINGS + FUNCTIONS + f / 10);
		put_number(&m, 5, 18 + f % 900);
		emit(p, 5, &m);
	}
	static const char *const strings[STRINGS] = {"", "samples", "count", "cpu", "nanoseconds",
		"/opt/program/bin/program", "8f2a0c5de1", "", "", "request", "", ""};
	for (unsigned i = 0; i < STRINGS; i++)
		emit_text(p, strings[i]);
	for (uint32_t f = 0; f < FUNCTIONS; f++) {
		snprintf(text, sizeof(text), "program/internal/engine%u.(*Part%u).Step%u", f / 97,
			f / 11, f);
		emit_text(p, !p->run || p->named[f] ? text : ""); /* the others keep their place */
	}
	for (uint32_t f = 0; f < FUNCTIONS / 10; f++) {
		snprintf(text, sizeof(text), "/home/build/program/internal/engine%u/part%u.go",
			f / 10, f);
		emit_text(p, text);
	}
}

static void put_type(struct profile *p, unsigned field, unsigned type, unsigned unit)
{
	struct message m = {.n = 0};

	put_number(&m, 1, type);
	put_number(&m, 2, unit);
	emit(p, field, &m);
}

static void put_profile(struct profile *p, uint64_t size)
{
	struct rng r = {mix2(p->seed, 1)};
	struct message tail = {.n = 0};
	FILE *file = p->out.file;
	uint64_t tables;

	p->out.file = NULL; /* first only count: the samples get what the tables leave */
	put_tables(p);
	sink_flush(&p->out);
	tables = p->out.written;
	p->out.written = 0;
	p->out.file = file;
	put_type(p, 1, 1, 2);
	put_type(p, 1, 3, 4);
	while (p->out.written + (p->run ? 0 : tables) < size || !p->samples) {
		if (p->run) /* every other one is that of all runs */
			r = (struct rng){
				mix2(p->seed ^ (p->samples % 2 ? mix(p->run) : 0), p->samples)};
		put_sample(p, &r);
	}
	put_tables(p);
	put_number(&tail, 9, UINT64_C(1700000000000000000));
	put_number(&tail, 10, UINT64_C(60000000000));
	sink_bytes(&p->out, tail.buf, tail.n);
	put_type(p, 11, 3, 4);
	tail.n = 0;
	put_number(&tail, 12, PERIOD_NS);
	sink_bytes(&p->out, tail.buf, tail.n);
}

int main(int argc, char **argv)
{
	static struct profile p;
	uint64_t size = 26000000;
	int c;

	p.out.file = stdout;
	while ((c = getopt(argc, argv, "S:s:l:r:")) != -1) {
		if (c == 'S')
			p.seed = parse_num(optarg);
		else if (c == 's')
			size = parse_size(optarg);
		else if (c == 'l')
			p.labels = parse_num(optarg);
		else if (c == 'r')
			p.run = parse_num(optarg) + 1;
		else
			die("usage: gen_pprof [-S SEED] [-s SIZE] [-l LABELS] [-r RUN]");
	}
	put_profile(&p, size);
	sink_flush(&p.out);
	if (fflush(stdout))
		die("write");
	fact("bytes", p.out.written);
	fact("samples", p.samples);
	fact("ticks", p.ticks);
	fact("frames", p.frames);
	return 0;
}
