/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes a processed profile of the Firefox Profiler, version 60, of about the size asked for.
 *
 *	gen_firefox [-S SEED] [-s SIZE] > FILE
 *
 * Tables that all threads share: 5000 functions with names like those of a large C++ program,
 * 12,000 frames, a stack for each 800 bytes of the file. Threads of 100,000 samples, of which each
 * has a stack, a time to the nanosecond and the CPU time since the one before, as Firefox writes
 * them: most of the file is columns of numbers.
 */
#define _POSIX_C_SOURCE 200809L
#include "gen_names.h"
#include "gen_options.h"

enum { FUNCTIONS = 5000, FRAMES = 12000, SAMPLES = 100000, HOT = 3000, STACK_BYTES = 800 };

struct firefox {
	uint64_t seed, size, stacks, samples, cpu;
	struct sink out;
	struct rng rng;
};

static void put(struct firefox *p, const char *text)
{
	sink_bytes(&p->out, text, strlen(text));
}

/* "KEY":[...] of N numbers below LIMIT; 0: of nulls. */
static void put_column(struct firefox *p, const char *key, uint64_t n, uint64_t limit)
{
	put(p, "\"");
	put(p, key);
	put(p, "\":[");
	for (uint64_t i = 0; i < n; i++) {
		if (i)
			sink_char(&p->out, ',');
		if (limit)
			sink_dec(&p->out, rng_below(&p->rng, limit));
		else
			put(p, "null");
	}
	put(p, "],");
}

static void put_strings(struct firefox *p)
{
	static struct name name;

	put(p, "\"stringArray\":[");
	for (uint64_t f = 0; f < FUNCTIONS; f++) {
		name_function(&name, p->seed, f, false);
		put(p, f ? ",\"" : "\"");
		sink_bytes(&p->out, name.text, name.n);
		put(p, "\"");
	}
	put(p, "],");
}

static void put_tables(struct firefox *p)
{
	put(p, "\"shared\":{");
	put_strings(p);
	put(p, "\"stackTable\":{");
	put_column(p, "frame", p->stacks, FRAMES);
	put(p, "\"prefix\":[null");
	for (uint64_t i = 1; i < p->stacks; i++) {
		uint64_t back = 1 + (rng_chance(&p->rng, 3) ? rng_below(&p->rng, 40) : 0);

		sink_char(&p->out, ',');
		sink_dec(&p->out, back < i && !rng_chance(&p->rng, 19) ? i - back : 0);
	}
	put(p, "],\"length\":");
	sink_dec(&p->out, p->stacks);
	put(p, "},\"frameTable\":{");
	put_column(p, "func", FRAMES, FUNCTIONS);
	put_column(p, "address", FRAMES, 1 << 24);
	put_column(p, "line", FRAMES, 3000);
	put_column(p, "column", FRAMES, 0);
	put_column(p, "inlineDepth", FRAMES, 1);
	put_column(p, "nativeSymbol", FRAMES, 0);
	put(p, "\"length\":12000},\"funcTable\":{\"name\":[0");
	for (uint64_t f = 1; f < FUNCTIONS; f++) {
		sink_char(&p->out, ',');
		sink_dec(&p->out, f);
	}
	put(p, "],");
	put_column(p, "resource", FUNCTIONS, 1);
	put_column(p, "source", FUNCTIONS, 0);
	put_column(p, "lineNumber", FUNCTIONS, 0);
	put(p, "\"length\":5000},\"resourceTable\":{\"length\":1,\"lib\":[0],\"name\":[0],\"host\":"
	       "[null],"
	       "\"type\":[1]},\"sources\":{\"length\":0,\"filename\":[],\"uuid\":[]}},");
}

static void put_times(struct firefox *p)
{
	uint64_t now = 0;

	put(p, "\"time\":[");
	for (uint64_t i = 0; i < SAMPLES; i++) {
		now += 200000 + rng_below(&p->rng, 1600000);
		if (i)
			sink_char(&p->out, ',');
		sink_dec(&p->out, now / 1000000);
		sink_char(&p->out, '.');
		for (uint64_t digit = 100000; digit; digit /= 10)
			sink_char(&p->out, (char)('0' + now / digit % 10));
	}
	put(p, "],");
}

static void put_thread(struct firefox *p, uint64_t number)
{
	static uint64_t hot[HOT];

	for (uint64_t i = 0; i < HOT; i++)
		hot[i] = rng_below(&p->rng, p->stacks);
	put(p, number ? ",{\"name\":\"worker " : "{\"name\":\"worker ");
	sink_dec(&p->out, number);
	put(p, "\",\"processName\":\"app\",\"pid\":\"42\",\"tid\":\"");
	sink_dec(&p->out, 42 + number);
	put(p, "\",\"samples\":{\"weightType\":\"samples\",\"weight\":null,\"stack\":[");
	for (uint64_t i = 0; i < SAMPLES; i++) {
		if (i)
			sink_char(&p->out, ',');
		sink_dec(&p->out, hot[rng_below(&p->rng, HOT)]);
	}
	put(p, "],");
	put_times(p);
	put(p, "\"threadCPUDelta\":[");
	for (uint64_t i = 0; i < SAMPLES; i++) {
		uint64_t cpu = rng_below(&p->rng, 1000000);

		if (i)
			sink_char(&p->out, ',');
		sink_dec(&p->out, cpu);
		p->cpu += i ? cpu : 0; /* the first one counts from nobody knows when */
	}
	put(p, "],\"length\":100000}}");
	p->samples += SAMPLES;
}

int main(int argc, char **argv)
{
	static struct firefox p = {.seed = 1};

	p.size = parse_size("10m");
	parse_options(argc, argv, &p.seed, &p.size);
	p.out.file = stdout;
	p.rng.state = mix2(p.seed, 0x66697265);
	p.stacks = 1000 + p.size / STACK_BYTES;
	put(&p, "{\"meta\":{\"preprocessedProfileVersion\":60,\"interval\":1,\"startTime\":"
		"1700000000000,"
		"\"markerSchema\":[],\"sampleUnits\":{\"time\":\"ms\",\"threadCPUDelta\":\"ns\"}},"
		"\"libs\":[{\"name\":\"app\",\"path\":\"/opt/app/bin/app\",\"codeId\":null}],");
	put_tables(&p);
	put(&p, "\"threads\":[");
	for (uint64_t i = 0; !i || p.out.written < p.size; i++)
		put_thread(&p, i);
	put(&p, "]}\n");
	sink_flush(&p.out);
	fact("bytes", p.out.written);
	fact("total_samples", p.samples);
	fact("total_cpu", p.cpu);
	return fflush(stdout) || ferror(stdout);
}
