/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes a recording of Java Flight Recorder of about the size asked for.
 *
 *	gen_jfr [-S SEED] [-s SIZE] > FILE
 *
 * Chunks of 4 MB, as the JDK has them after its types: events, then all that
 * they name. Of four events three are samples of execution, one an allocation;
 * every third has a stack of its own, the others one that was there before.
 */
#define _POSIX_C_SOURCE 200809L
#include "gen_options.h"

enum {
	METHODS = 5000,
	SITES = 6,
	THREADS = 16,
	CHUNK = 4000000,
	HEADER = 68,
	STACKS = 1 << 17, /* of a chunk, at the most */
};

struct bytes {
	unsigned char *p;
	size_t n, cap;
};

struct recording {
	uint64_t seed;
	struct sink out;
	struct rng rng;
	struct bytes events, stacks, tail, one;
	uint32_t n_stacks; /* of the chunk */
	uint64_t ticks, chunks, samples, allocations, weight, frames;
};

/* ---- numbers and texts ---- */

static void put_byte(struct bytes *b, unsigned v)
{
	if (b->n == b->cap) {
		b->cap = b->cap ? 2 * b->cap : 1 << 16;
		b->p = realloc(b->p, b->cap);
		if (!b->p)
			die("memory");
	}
	b->p[b->n++] = (unsigned char)v;
}

static void put(struct bytes *b, uint64_t v)
{
	for (; v >= 0x80; v >>= 7)
		put_byte(b, (unsigned)(v | 0x80) & 0xff);
	put_byte(b, (unsigned)v);
}

static void put_text(struct bytes *b, const char *text)
{
	put_byte(b, 3);
	put(b, strlen(text));
	for (; *text; text++)
		put_byte(b, (unsigned char)*text);
}

static void put_all(struct bytes *b, const struct bytes *from)
{
	for (size_t i = 0; i < from->n; i++)
		put_byte(b, from->p[i]);
}

/* ONE, of which TYPE and fields are in BODY: its size counts itself and has four bytes. */
static void put_event(struct bytes *b, const struct bytes *body)
{
	size_t n = body->n + 4;

	put_byte(b, (unsigned)(n & 0x7f) | 0x80);
	put_byte(b, (unsigned)(n >> 7 & 0x7f) | 0x80);
	put_byte(b, (unsigned)(n >> 14 & 0x7f) | 0x80);
	put_byte(b, (unsigned)(n >> 21));
	put_all(b, body);
}

/* ---- types ---- */

enum { POOL = 1, ARRAY = 2, TICKS = 4, BYTES = 8 };

struct field {
	const char *name, *type;
	unsigned is;
};

struct type {
	const char *name;
	unsigned id;
	bool event;
	struct field field[8];
};

static const struct type types[] = {
	{"boolean", 1, false, {{0}}},
	{"int", 2, false, {{0}}},
	{"long", 3, false, {{0}}},
	{"java.lang.String", 4, false, {{0}}},
	{"jdk.jfr.Timestamp", 5, false, {{"value", "java.lang.String", 0}}},
	{"jdk.jfr.DataAmount", 6, false, {{"value", "java.lang.String", 0}}},
	{"java.lang.Thread", 20, false,
		{{"osName", "java.lang.String", 0}, {"osThreadId", "long", 0},
			{"javaName", "java.lang.String", 0}, {"javaThreadId", "long", 0}}},
	{"jdk.types.StackTrace", 21, false,
		{{"truncated", "boolean", 0}, {"frames", "jdk.types.StackFrame", ARRAY}}},
	{"jdk.types.StackFrame", 22, false,
		{{"method", "jdk.types.Method", POOL}, {"lineNumber", "int", 0},
			{"bytecodeIndex", "int", 0}, {"type", "jdk.types.FrameType", POOL}}},
	{"jdk.types.Method", 23, false,
		{{"type", "java.lang.Class", POOL}, {"name", "jdk.types.Symbol", POOL},
			{"descriptor", "jdk.types.Symbol", POOL}, {"modifiers", "int", 0},
			{"hidden", "boolean", 0}}},
	{"java.lang.Class", 24, false,
		{{"name", "jdk.types.Symbol", POOL}, {"modifiers", "int", 0}}},
	{"jdk.types.Symbol", 25, false, {{"string", "java.lang.String", 0}}},
	{"jdk.types.ThreadState", 26, false, {{"name", "java.lang.String", 0}}},
	{"jdk.types.FrameType", 27, false, {{"description", "java.lang.String", 0}}},
	{"jdk.ExecutionSample", 101, true,
		{{"startTime", "long", TICKS}, {"sampledThread", "java.lang.Thread", POOL},
			{"stackTrace", "jdk.types.StackTrace", POOL},
			{"state", "jdk.types.ThreadState", POOL}}},
	{"jdk.ObjectAllocationSample", 102, true,
		{{"startTime", "long", TICKS}, {"eventThread", "java.lang.Thread", POOL},
			{"stackTrace", "jdk.types.StackTrace", POOL},
			{"objectClass", "java.lang.Class", POOL}, {"weight", "long", BYTES}}},
};

enum { STRINGS = 128 };

struct strings {
	char text[STRINGS][40];
	unsigned n;
};

static void put_string(struct bytes *b, struct strings *s, const char *text)
{
	unsigned i = 0;

	while (i < s->n && strcmp(s->text[i], text) != 0)
		i++;
	if (i == STRINGS)
		die("strings");
	if (i == s->n)
		snprintf(s->text[s->n++], sizeof(s->text[0]), "%s", text);
	put(b, i);
}

static void put_pair(struct bytes *b, struct strings *s, const char *key, const char *value)
{
	put_string(b, s, key);
	put_string(b, s, value);
}

static const char *id_of(const char *name, char text[12])
{
	for (size_t i = 0; i < ARRAY_LEN(types); i++)
		if (strcmp(types[i].name, name) == 0)
			snprintf(text, 12, "%u", types[i].id);
	return text;
}

static void put_field(struct bytes *b, struct strings *s, const struct field *f)
{
	bool note = f->is & (TICKS | BYTES);
	char id[12];

	put_string(b, s, "field");
	put(b, 2 + (f->is & (POOL | ARRAY) ? 1 : 0));
	put_pair(b, s, "name", f->name);
	put_pair(b, s, "class", id_of(f->type, id));
	if (f->is & POOL)
		put_pair(b, s, "constantPool", "true");
	if (f->is & ARRAY)
		put_pair(b, s, "dimension", "1");
	put(b, note);
	if (!note)
		return;
	put_string(b, s, "annotation");
	put(b, 2);
	put_pair(b, s, "class",
		id_of(f->is & TICKS ? "jdk.jfr.Timestamp" : "jdk.jfr.DataAmount", id));
	put_pair(b, s, "value", f->is & TICKS ? "TICKS" : "BYTES");
	put(b, 0);
}

/* A value of a simple type is its only field. */
static void put_type(struct bytes *b, struct strings *s, const struct type *t)
{
	unsigned n = 0;
	bool simple;
	char id[12];

	while (t->field[n].name)
		n++;
	simple = n == 1 && strncmp(t->name, "jdk.types.", 10) == 0;
	put_string(b, s, "class");
	put(b, 2 + (t->event || simple));
	put_pair(b, s, "id", id_of(t->name, id));
	put_pair(b, s, "name", t->name);
	if (t->event)
		put_pair(b, s, "superType", "jdk.jfr.Event");
	if (simple)
		put_pair(b, s, "simpleType", "true");
	put(b, n);
	for (unsigned i = 0; i < n; i++)
		put_field(b, s, &t->field[i]);
}

static void put_types(struct bytes *out, struct bytes *body)
{
	static struct strings s;
	struct bytes tree = {0};

	s.n = 0;
	put_string(&tree, &s, "root");
	put(&tree, 0);
	put(&tree, 2);
	put_string(&tree, &s, "metadata");
	put(&tree, 0);
	put(&tree, ARRAY_LEN(types));
	for (size_t i = 0; i < ARRAY_LEN(types); i++)
		put_type(&tree, &s, &types[i]);
	put_string(&tree, &s, "region");
	put(&tree, 2);
	put_pair(&tree, &s, "locale", "en_US");
	put_pair(&tree, &s, "gmtOffset", "0");
	put(&tree, 0);
	body->n = 0;
	for (unsigned i = 0; i < 4; i++) /* type, start, duration, id */
		put(body, 0);
	put(body, s.n);
	for (unsigned i = 0; i < s.n; i++)
		put_text(body, s.text[i]);
	put_all(body, &tree);
	put_event(out, body);
	free(tree.p);
}

/* ---- what events name ---- */

static void put_pool(struct bytes *b, const char *type, uint64_t n)
{
	char id[12];

	put(b, strtoul(id_of(type, id), NULL, 10));
	put(b, n);
}

/* Symbols: 1 a descriptor, then the methods' names, then those of their classes. */
static void put_symbols(struct bytes *b)
{
	char text[80];

	put_pool(b, "jdk.types.Symbol", 1 + METHODS + METHODS / 10);
	put(b, 1);
	put_text(b, "(Ljava/lang/Object;I)V");
	for (uint32_t i = 0; i < METHODS; i++) {
		snprintf(text, sizeof(text), "step%u", i);
		put(b, 2 + i);
		put_text(b, text);
	}
	for (uint32_t i = 0; i < METHODS / 10; i++) {
		snprintf(text, sizeof(text), "org/example/program/engine%u/Part%u", i / 10, i);
		put(b, 2 + METHODS + i);
		put_text(b, text);
	}
}

static void put_methods(struct bytes *b)
{
	put_pool(b, "java.lang.Class", METHODS / 10);
	for (uint32_t i = 0; i < METHODS / 10; i++) {
		put(b, 1 + i);
		put(b, 2 + METHODS + i);
		put(b, 1);
	}
	put_pool(b, "jdk.types.Method", METHODS);
	for (uint32_t i = 0; i < METHODS; i++) {
		put(b, 1 + i);
		put(b, 1 + i / 10);
		put(b, 2 + i);
		put(b, 1);
		put(b, 1);
		put_byte(b, 0);
	}
}

static void put_few(struct bytes *b)
{
	static const char *const kinds[] = {"Interpreted", "JIT compiled", "Inlined"};
	char text[24];

	put_pool(b, "jdk.types.FrameType", ARRAY_LEN(kinds));
	for (uint32_t i = 0; i < ARRAY_LEN(kinds); i++) {
		put(b, 1 + i);
		put_text(b, kinds[i]);
	}
	put_pool(b, "jdk.types.ThreadState", 1);
	put(b, 1);
	put_text(b, "STATE_RUNNABLE");
	put_pool(b, "java.lang.Thread", THREADS);
	for (uint32_t i = 0; i < THREADS; i++) {
		snprintf(text, sizeof(text), "worker-%u", i);
		put(b, 1 + i);
		put_text(b, text);
		put(b, 4000 + i);
		put_text(b, text);
		put(b, 20 + i);
	}
}

/* ---- events ---- */

static uint32_t callee(const struct recording *r, uint32_t method, uint32_t site)
{
	struct rng rng = {mix2(r->seed, (uint64_t)method * SITES + site)};
	double u = rng_unit(&rng);

	return (uint32_t)(u * u * METHODS);
}

/* A stack of its own, behind those of the chunk; its key. */
static uint32_t new_stack(struct recording *r)
{
	uint32_t depth = (uint32_t)quantile_at(depths, ARRAY_LEN(depths), rng_unit(&r->rng));
	uint32_t frame[128], site[128], m = rng_below(&r->rng, 4);

	for (uint32_t d = depth; d-- > 0;) {
		frame[d] = m;
		site[d] = (uint32_t)(rng_unit(&r->rng) * rng_unit(&r->rng) * SITES);
		m = callee(r, m, site[d]);
	}
	put(&r->stacks, ++r->n_stacks);
	put_byte(&r->stacks, 0);
	put(&r->stacks, depth);
	for (uint32_t d = 0; d < depth; d++) {
		put(&r->stacks, 1 + frame[d]);
		put(&r->stacks, 20 + frame[d] % 900 + 3 * site[d]);
		put(&r->stacks, 4 * site[d]);
		put(&r->stacks, 1 + (frame[d] + site[d]) % 3);
	}
	r->frames += depth;
	return r->n_stacks;
}

static void one_event(struct recording *r)
{
	bool fresh = !r->n_stacks || (r->n_stacks < STACKS && rng_below(&r->rng, 3) == 0);
	uint32_t stack = fresh ? new_stack(r) : 1 + rng_below(&r->rng, r->n_stacks);
	bool sample = rng_below(&r->rng, 4) != 0;
	uint64_t weight = 16 + rng_below(&r->rng, 1 << 20);

	r->ticks += 1 + rng_below(&r->rng, 1 << 16);
	r->one.n = 0;
	put(&r->one, sample ? 101 : 102);
	put(&r->one, r->ticks);
	put(&r->one, 1 + rng_below(&r->rng, THREADS));
	put(&r->one, stack);
	put(&r->one, 1);
	if (!sample)
		put(&r->one, weight);
	put_event(&r->events, &r->one);
	r->samples += sample;
	r->allocations += !sample;
	r->weight += sample ? 0 : weight;
}

/* ---- chunks ---- */

static void put_big(struct bytes *b, uint64_t v, unsigned n)
{
	while (n--)
		put_byte(b, (unsigned)(v >> (8 * n)) & 0xff);
}

static void put_checkpoint(struct recording *r)
{
	r->one.n = 0;
	put(&r->one, 1);
	for (unsigned i = 0; i < 3; i++) /* start, duration, the one before */
		put(&r->one, 0);
	put_byte(&r->one, 0);
	put(&r->one, 7);
	put_symbols(&r->one);
	put_methods(&r->one);
	put_few(&r->one);
	put_pool(&r->one, "jdk.types.StackTrace", r->n_stacks);
	put_all(&r->one, &r->stacks);
	put_event(&r->tail, &r->one);
}

static void put_chunk(struct recording *r, uint64_t bytes)
{
	uint64_t from = r->ticks, at;
	struct bytes head = {0};

	r->events.n = r->stacks.n = r->tail.n = r->n_stacks = 0;
	while (r->events.n + r->stacks.n < bytes)
		one_event(r);
	put_types(&r->tail, &r->one);
	at = HEADER + r->events.n + r->tail.n;
	put_checkpoint(r);
	for (unsigned i = 0; i < 4; i++)
		put_byte(&head, (unsigned char)"FLR\0"[i]);
	put_big(&head, 2, 2);
	put_big(&head, 1, 2);
	put_big(&head, HEADER + r->events.n + r->tail.n, 8);
	put_big(&head, at, 8);
	put_big(&head, HEADER + r->events.n, 8);
	put_big(&head, UINT64_C(1700000000000000000) + from, 8);
	put_big(&head, r->ticks - from, 8);
	put_big(&head, from, 8);
	put_big(&head, 1000000000, 8);
	put_big(&head, 1, 4); /* finished; numbers are compressed */
	sink_bytes(&r->out, head.p, head.n);
	for (size_t i = 0; i < r->events.n; i++)
		sink_char(&r->out, (char)r->events.p[i]);
	for (size_t i = 0; i < r->tail.n; i++)
		sink_char(&r->out, (char)r->tail.p[i]);
	r->chunks++;
	free(head.p);
}

int main(int argc, char **argv)
{
	static struct recording r;
	uint64_t size = 100000000;

	r.out.file = stdout;
	parse_options(argc, argv, &r.seed, &size);
	r.rng.state = mix2(r.seed, 1);
	do {
		uint64_t left = size - r.out.written;

		put_chunk(&r, left < CHUNK ? left : CHUNK);
	} while (r.out.written < size);
	sink_flush(&r.out);
	if (fflush(stdout))
		die("write");
	fact("bytes", r.out.written);
	fact("samples", r.samples);
	fact("chunks", r.chunks);
	fact("allocations", r.allocations);
	fact("weight", r.weight);
	fact("frames", r.frames);
	return 0;
}
