/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes a file of speedscope's of about the size asked for, sampled as py-spy does it.
 *
 *	gen_speedscope [-S SEED] [-s SIZE] > FILE
 *
 * 8 threads, 5000 frames, 20,000 distinct stacks of mean depth 19, some far more often than others;
 * each weight is 0.01 s.
 */
#define _POSIX_C_SOURCE 200809L
#include "gen_names.h"
#include "gen_options.h"

enum { THREADS = 8, FRAMES = 5000, CALLS = 6, STACKS = 20000, MAX_DEPTH = 128, SAMPLE_TAIL = 5 };

struct file {
	uint64_t seed, samples, frames;
	struct sink out;
	uint32_t depth[STACKS];
	uint32_t stack[STACKS][MAX_DEPTH];
};

static void put_text(struct file *p, const char *text)
{
	sink_bytes(&p->out, text, strlen(text));
}

static void make_stacks(struct file *p, struct rng *r)
{
	for (uint32_t i = 0; i < STACKS; i++) {
		uint32_t f = rng_below(r, 4);

		p->depth[i] = (uint32_t)quantile_at(depths, ARRAY_LEN(depths), rng_unit(r));
		for (uint32_t k = 0; k < p->depth[i]; k++) {
			double u = rng_unit(r);

			p->stack[i][k] = f;
			f = callee_of(p->seed, f, (uint32_t)(u * u * CALLS), FRAMES);
		}
	}
}

static void put_frames(struct file *p)
{
	for (uint64_t f = 0; f < FRAMES; f++) {
		put_text(p, f ? ",{\"name\":\"function_" : "{\"name\":\"function_");
		sink_dec(&p->out, f);
		put_text(p, "\",\"file\":\"/usr/lib/python3/dist-packages/package/module_");
		sink_dec(&p->out, f % 97);
		put_text(p, ".py\",\"line\":");
		sink_dec(&p->out, f % 900 + 1);
		put_text(p, ",\"col\":null}");
	}
}

static void put_stack(struct file *p, uint32_t i)
{
	sink_char(&p->out, '[');
	for (uint32_t k = 0; k < p->depth[i]; k++) {
		if (k)
			sink_char(&p->out, ',');
		sink_dec(&p->out, p->stack[i][k]);
	}
	sink_char(&p->out, ']');
	p->frames += p->depth[i];
}

/* Up to SIZE bytes of the file, with the weights that are still to come. */
static void put_thread(struct file *p, struct rng *r, uint64_t thread, uint64_t size)
{
	uint64_t n = 0;

	put_text(p, thread ? ",{\"type\":\"sampled\",\"name\":\"Process 4242 Thread "
			   : "{\"type\":\"sampled\",\"name\":\"Process 4242 Thread ");
	sink_dec(&p->out, 4242 + thread);
	put_text(p, " \\\"worker\\\"\",\"unit\":\"seconds\",\"startValue\":0.0,\"samples\":[");
	for (; !n || p->out.written + n * SAMPLE_TAIL < size; n++) {
		double u = rng_unit(r);

		if (n)
			sink_char(&p->out, ',');
		put_stack(p, (uint32_t)(u * u * u * STACKS));
	}
	put_text(p, "],\"weights\":[");
	for (uint64_t i = 0; i < n; i++)
		put_text(p, i ? ",0.01" : "0.01");
	put_text(p, "],\"endValue\":");
	sink_dec(&p->out, n / 100 + 1);
	put_text(p, ".0}");
	p->samples += n;
}

int main(int argc, char **argv)
{
	static struct file p = {.seed = 1};
	uint64_t size = parse_size("10m");
	struct rng r;

	parse_options(argc, argv, &p.seed, &size);
	p.out.file = stdout;
	r.state = mix2(p.seed, 0x73706565);
	make_stacks(&p, &r);
	put_text(&p, "{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\","
		     "\"exporter\":\"gen_speedscope\",\"profiles\":[");
	for (uint64_t t = 0; t < THREADS; t++)
		put_thread(&p, &r, t, size * (t + 1) / THREADS);
	put_text(&p, "],\"shared\":{\"frames\":[");
	put_frames(&p);
	put_text(&p, "]}}\n");
	sink_flush(&p.out);
	fact("bytes", p.out.written);
	fact("frames", p.frames);
	fact("samples", p.samples);
	return fflush(stdout) || ferror(stdout);
}
