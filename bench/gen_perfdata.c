/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes a perf.data of about the size asked for, as of
 *
 *	perf record -a -g -e cpu-clock:u -F 4000
 *
 * on four processors: the ring of each in turn, 64 KB of records at a time, so records are in
 * order within one processor's alone, and a mark where all have been emptied.
 *
 *	gen_perfdata [-S SEED] [-s SIZE] [-o FOLDER] > FILE
 *
 * Four processes run the program of gen_gperf, with two threads each. -o writes its objects, which
 * have names and no code, into FOLDER, and names them there: all readers have names to find then.
 */
#define _POSIX_C_SOURCE 200809L
#include <unistd.h>

#include <sys/stat.h>

#include "gen_names.h"
#include "gen_stacks.h"

enum {
	PROCESSORS = 4,
	PROCESSES = 4,
	THREADS = 2, /* of each process */
	RING = 64 << 10,
	PERIOD_NS = 250000,
	HEAD = 104,
	ATTR = 128,
	FIRST_PID = 4000,
	/* perf_event.h */
	MMAP2 = 10,
	COMM = 3,
	FORK = 7,
	SAMPLE = 9,
	FINISHED_ROUND = 68,
	USER = 2,
	COMM_EXEC = 1 << 13,
	IP_TID_TIME_CHAIN_CPU_PERIOD = 1 | 2 | 4 | 32 | 128 | 256,
};

#define CONTEXT_USER ((uint64_t)-512)

struct processor {
	uint64_t time;
	uint32_t n, pid, tid;
	unsigned char ring[RING + 4096];
};

struct recording {
	struct stacks program;
	struct set stacks, addresses;
	struct processor processor[PROCESSORS];
	char path[OBJECTS][4096];
	struct sink out;
	uint64_t samples, frames;
};

/* ---- records ---- */

static void put_word(struct processor *c, uint64_t v)
{
	for (unsigned i = 0; i < 8; i++)
		c->ring[c->n++] = (unsigned char)(v >> (8 * i));
}

static void put_head(struct processor *c, uint32_t type, uint32_t misc, uint64_t size)
{
	put_word(c, type | (uint64_t)misc << 32 | size << 48);
}

static void put_text(struct processor *c, const char *text)
{
	size_t n = strlen(text) / 8 * 8 + 8;

	memset(c->ring + c->n, 0, n);
	memcpy(c->ring + c->n, text, strlen(text));
	c->n += (uint32_t)n;
}

/* What all records but samples end in. */
static void put_trailer(struct processor *c, uint32_t pid, uint32_t tid, uint32_t cpu)
{
	put_word(c, pid | (uint64_t)tid << 32);
	put_word(c, c->time);
	put_word(c, cpu);
}

static void put_start(struct recording *r, uint32_t pid)
{
	static const char name[] = "program";
	struct processor *c = &r->processor[0];

	put_head(c, COMM, COMM_EXEC, 8 + 8 + 8 + 24);
	put_word(c, pid | (uint64_t)pid << 32);
	put_text(c, name);
	put_trailer(c, pid, pid, 0);
	for (uint32_t o = 0; o < OBJECTS; o++) {
		const struct object *object = &r->program.object[o];

		put_head(c, MMAP2, USER, 8 + 64 + strlen(r->path[o]) / 8 * 8 + 8 + 24);
		put_word(c, pid | (uint64_t)pid << 32);
		put_word(c, object->base + 0x1000);
		put_word(c, object->text_size);
		put_word(c, 0x1000);
		put_word(c, 8 | UINT64_C(1) << 32); /* the device */
		put_word(c, object->inode);
		put_word(c, 0);
		put_word(c, 5 | UINT64_C(2) << 32); /* r-xp */
		put_text(c, r->path[o]);
		put_trailer(c, pid, pid, 0);
	}
	for (uint32_t t = 1; t < THREADS; t++) {
		put_head(c, FORK, 0, 8 + 24 + 24);
		put_word(c, pid | (uint64_t)pid << 32);
		put_word(c, (pid + t) | (uint64_t)pid << 32);
		put_word(c, c->time);
		put_trailer(c, pid, pid, 0);
	}
}

static void put_sample(struct recording *r, struct rng *rng, uint32_t cpu)
{
	struct processor *c = &r->processor[cpu];
	uint64_t pc[MAX_DEPTH], hash = 0;
	uint32_t depth = make_stack(&r->program, choose_stack(&r->program, rng), pc);

	if (!c->pid || rng_chance(rng, 20)) { /* another thread's turn */
		c->pid = FIRST_PID + 16 * rng_below(rng, PROCESSES);
		c->tid = c->pid + rng_below(rng, THREADS);
	}
	put_head(c, SAMPLE, USER, 8 + (6 + 1 + depth) * UINT64_C(8));
	put_word(c, pc[depth - 1]);
	put_word(c, c->pid | (uint64_t)c->tid << 32);
	put_word(c, c->time);
	put_word(c, cpu);
	put_word(c, PERIOD_NS);
	put_word(c, 1 + depth);
	put_word(c, CONTEXT_USER);
	for (uint32_t i = depth; i-- > 0;) {
		put_word(c, pc[i]);
		hash = mix2(hash, pc[i]);
		set_add(&r->addresses, pc[i]);
	}
	set_add(&r->stacks, hash);
	c->time += PERIOD_NS + rng_below(rng, 1 << 12);
	r->samples++;
	r->frames += depth;
}

/* Each sample falls on the processor whose turn it is by time. */
static void put_round(struct recording *r, struct rng *rng, uint64_t size)
{
	uint64_t room = size > r->out.written ? size - r->out.written : 0;
	uint32_t next = 0, fill = 0;

	while (r->processor[next].n < RING && fill < room) {
		uint32_t was = r->processor[next].n;

		put_sample(r, rng, next);
		fill += r->processor[next].n - was;
		for (uint32_t i = 0; i < PROCESSORS; i++)
			if (r->processor[i].time < r->processor[next].time)
				next = i;
	}
	for (uint32_t i = 0; i < PROCESSORS; i++) {
		sink_bytes(&r->out, r->processor[i].ring, r->processor[i].n);
		r->processor[i].n = 0;
	}
	sink_le(&r->out, FINISHED_ROUND | UINT64_C(8) << 48, 8);
}

/* ---- the file ---- */

static void put_header(struct recording *r, uint64_t data)
{
	const uint64_t head[] = {
		HEAD, ATTR + 16, HEAD, ATTR + 16, HEAD + ATTR + 16, data, 0, 0, 0, 0, 0, 0};
	/* disabled, inherited, user alone, mmap, comm, frequency, task, sample_id_all, mmap2,
	 * comm_exec */
	const uint64_t flags = UINT64_C(1) << 0 | 1 << 1 | 1 << 5 | 1 << 6 | 1 << 8 | 1 << 9 |
			       1 << 10 | 1 << 13 | 1 << 18 | 1 << 23 | 1 << 24;
	const uint64_t attr[(ATTR + 16) / 8] = {
		1 | (uint64_t)ATTR << 32, 0, 4000, IP_TID_TIME_CHAIN_CPU_PERIOD, 0, flags};

	sink_text(&r->out, "PERFILE2");
	for (size_t i = 0; i < ARRAY_LEN(head); i++)
		sink_le(&r->out, head[i], 8);
	for (size_t i = 0; i < ARRAY_LEN(attr); i++)
		sink_le(&r->out, attr[i], 8);
}

/* The size of the records stands in front of them, so they are made twice. */
static uint64_t put_recording(struct recording *r, uint64_t size, uint64_t data)
{
	struct rng rng = {mix2(r->program.seed, 0x70657266)};
	uint64_t begin;

	put_header(r, data);
	begin = r->out.written;
	for (uint32_t i = 0; i < PROCESSORS; i++)
		r->processor[i].time = UINT64_C(1000000000) + 1000 * i;
	for (uint32_t i = 0; i < PROCESSES; i++)
		put_start(r, FIRST_PID + 16 * i);
	do
		put_round(r, &rng, size);
	while (r->out.written < size);
	sink_flush(&r->out);
	return r->out.written - begin;
}

/* ---- objects ---- */

static void put_section(struct sink *s, uint32_t type, uint64_t flags, uint64_t addr, uint64_t off,
	uint64_t size, uint32_t link, uint64_t entry, uint32_t name)
{
	sink_le(s, name, 4);
	sink_le(s, type, 4);
	sink_le(s, flags, 8);
	sink_le(s, addr, 8);
	sink_le(s, off, 8);
	sink_le(s, size, 8);
	sink_le(s, link, 4);
	sink_le(s, link ? 1 : 0, 4);
	sink_le(s, entry ? 8 : 1, 8);
	sink_le(s, entry, 8);
}

/* Functions are where the program has them; their code is a hole. */
static void put_object(const struct recording *r, uint32_t o)
{
	static const char names[] = "\0.text\0.symtab\0.strtab";
	static struct sink out, text;
	const struct object *object = &r->program.object[o];
	uint64_t code = 0x1000, symbols = code + object->text_size;
	uint64_t n = object->end - object->first + 1, strings = symbols + 24 * n, end;
	struct name name;

	memset(&out, 0, sizeof(out));
	out.file = fopen(r->path[o], "wb");
	if (!out.file)
		die(r->path[o]);
	sink_bytes(&out, "\177ELF\2\1\1\0\0\0\0\0\0\0\0", 16);
	sink_le(&out, 3 | 62 << 16, 4);
	sink_le(&out, 1, 4);
	sink_le(&out, 0, 8);
	sink_le(&out, 64, 8);
	memset(&text, 0, sizeof(text));
	sink_bytes(&text, names, sizeof(names));
	for (uint32_t f = object->first; f < object->end; f++) {
		struct rng rng = {mix2(r->program.seed, f)};

		name.n = 0;
		name_short(&name, &rng, 8 + rng_below(&rng, 24), f);
		sink_bytes(&text, name.text, name.n);
		sink_char(&text, '\0');
	}
	end = (strings + text.fill + 7) & ~UINT64_C(7);
	sink_le(&out, end, 8); /* of the sections */
	sink_le(&out, 0, 4);
	sink_le(&out, 64 | 56 << 16, 4);
	sink_le(&out, 1 | 64 << 16, 4);
	sink_le(&out, 4 | 3 << 16, 4);
	sink_le(&out, 1 | UINT64_C(5) << 32, 8); /* LOAD, r-x */
	for (unsigned i = 0; i < 3; i++)
		sink_le(&out, code, 8);
	sink_le(&out, object->text_size, 8);
	sink_le(&out, object->text_size, 8);
	sink_le(&out, 0x1000, 8);
	while (out.written < symbols)
		sink_char(&out, 0);
	for (unsigned i = 0; i < 3; i++)
		sink_le(&out, 0, 8);
	for (uint32_t f = object->first, at = sizeof(names); f < object->end; f++) {
		sink_le(&out, at, 4);
		sink_le(&out, 2 | 16 | 1 << 16, 4); /* a global function of section 1 */
		sink_le(&out, r->program.start[f], 8);
		sink_le(&out, r->program.size[f], 8);
		at += (uint32_t)strlen(text.buf + at) + 1;
	}
	sink_bytes(&out, text.buf, text.fill);
	while (out.written < end)
		sink_char(&out, 0);
	put_section(&out, 0, 0, 0, 0, 0, 0, 0, 0);
	put_section(&out, 1, 6, code, code, object->text_size, 0, 0, 1);
	put_section(&out, 2, 0, 0, symbols, 24 * n, 3, 24, 7);
	put_section(&out, 3, 0, 0, strings, text.fill, 0, 0, 15);
	sink_flush(&out);
	if (fclose(out.file))
		die(r->path[o]);
}

int main(int argc, char **argv)
{
	static struct recording r, again;
	const char *folder = NULL;
	uint64_t size = 1000000;
	int c;

	r.program.seed = 1;
	while ((c = getopt(argc, argv, "S:s:o:")) != -1) {
		switch (c) {
		case 'S':
			r.program.seed = parse_num(optarg);
			break;
		case 's':
			size = parse_size(optarg);
			break;
		case 'o':
			folder = optarg;
			break;
		default:
			die("usage: gen_perfdata [-S SEED] [-s SIZE] [-o FOLDER] > FILE\n");
		}
	}
	lay_out(&r.program);
	for (uint32_t o = 0; o < OBJECTS; o++) {
		const char *path = r.program.object[o].path;

		snprintf(r.path[o], sizeof(r.path[o]) - 1, "%s%s", folder ? folder : "",
			folder ? strrchr(path, '/') : path);
		if (folder)
			put_object(&r, o);
	}
	again = r;
	again.out.file = stdout;
	put_recording(&again, size, put_recording(&r, size, 0));
	if (fflush(stdout))
		die("write");
	fact("bytes", again.out.written);
	fact("records", again.program.records);
	fact("samples", again.samples);
	fact("frames", again.frames);
	fact("distinct_stacks", again.stacks.used);
	fact("distinct_addresses", again.addresses.used);
	return 0;
}
