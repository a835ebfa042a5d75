/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tracer: a toy tracer. It watches a recursive program run, twice, adds the runs up and writes a
 * Callgrind file to standard output, for KCachegrind or for `assay top -`.
 *
 *	cc tracer.c -o tracer $(pkg-config --cflags --libs assay)
 */
#include <assay/assay.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

enum { DEPTH_MAX = 64 };

/* One run: the functions that are active, and what each has cost so far. */
struct tracer {
	struct assay_builder *b;
	uint32_t file, fib, leaf, run; /* numbers in the builder */
	uint32_t stack[DEPTH_MAX];
	int depth;
	int64_t clock; /* steps so far: the one event that is counted */
};

/* ---- what the watched program tells ---- */

static int step(struct tracer *t, uint64_t line, int64_t cost)
{
	struct assay_value v = assay_value_of(cost);
	struct assay_fact fact = {
		.size = sizeof(fact),
		.kind = ASSAY_SELF,
		.at = {.function = t->stack[t->depth], .file = t->file, .line = line},
		.costs = &v,
		.n_costs = 1,
	};

	t->clock += cost;
	return assay_builder_add(t->b, &fact) == ASSAY_OK;
}

/* A call is recorded when it ends: its cost is what the clock has gone on by. */
static int leave(struct tracer *t, uint64_t call_line, int64_t entered)
{
	struct assay_value v = assay_value_of(t->clock - entered);
	uint32_t callee = t->stack[t->depth--];
	struct assay_fact fact = {
		.size = sizeof(fact),
		.kind = ASSAY_CALL,
		.at = {.function = t->stack[t->depth], .file = t->file, .line = call_line},
		.to = {.function = callee},
		.count = assay_value_of(1),
		.costs = &v,
		.n_costs = 1,
	};

	return assay_builder_add(t->b, &fact) == ASSAY_OK;
}

/* ---- the watched program ---- */

static int fib(struct tracer *t, int n, uint64_t call_line)
{
	int64_t entered = t->clock;
	int ok;

	t->stack[++t->depth] = n < 2 ? t->leaf : t->fib;
	ok = step(t, n < 2 ? 3 : 8, n < 2 ? 1 : 4);
	if (n >= 2)
		ok = ok && fib(t, n - 1, 9) && fib(t, n - 2, 9);
	return ok && leave(t, call_line, entered);
}

/* ---- from a run to a profile ---- */

static int declare(struct tracer *t)
{
	struct assay_event ev = {.size = sizeof(ev), .name = assay_slice_of("Steps")};
	struct assay_part part = {.size = sizeof(part), .command = assay_slice_of("./fib 10")};
	const char *name[] = {"run", "fib", "leaf"};
	uint32_t *number[] = {&t->run, &t->fib, &t->leaf};

	if (assay_builder_event(t->b, &ev, NULL) != ASSAY_OK ||
		assay_builder_part(t->b, &part, NULL) != ASSAY_OK ||
		assay_builder_file(t->b, assay_slice_of("fib.toy"), &t->file) != ASSAY_OK)
		return 0;
	for (int i = 0; i < 3; i++) {
		struct assay_function f = {
			.size = sizeof(f), .name = assay_slice_of(name[i]), .file = t->file};

		if (assay_builder_function(t->b, &f, number[i]) != ASSAY_OK)
			return 0;
	}
	return 1;
}

static struct assay_profile *trace(int n)
{
	struct tracer t = {.depth = 0};
	struct assay_profile *prof = NULL;

	if (assay_builder_new(NULL, &t.b) != ASSAY_OK)
		return NULL;
	if (declare(&t)) {
		t.stack[0] = t.run;
		if (!step(&t, 1, 2) || !fib(&t, n, 1) ||
			assay_builder_finish(t.b, &prof) != ASSAY_OK)
			fprintf(stderr, "tracer: %s\n", assay_builder_error(t.b)->message);
	}
	assay_builder_free(t.b);
	return prof;
}

/* The sum of two profiles, which are freed; NULL stands for one that could not be made. */
static struct assay_profile *merge(struct assay_profile *a, struct assay_profile *b)
{
	struct assay_profile *both = NULL;
	struct assay_merger *m = NULL;

	if (a && b && assay_merger_new(NULL, &m) == ASSAY_OK)
		if (assay_merger_add(m, a) != ASSAY_OK || assay_merger_add(m, b) != ASSAY_OK ||
			assay_merger_finish(m, &both) != ASSAY_OK)
			fprintf(stderr, "tracer: %s\n", assay_merger_error(m)->message);
	assay_merger_free(m);
	assay_profile_free(a);
	assay_profile_free(b);
	return both;
}

static int to_stdout(void *ctx, const void *buf, size_t n)
{
	(void)ctx;
	return fwrite(buf, 1, n, stdout) == n ? 0 : -EIO;
}

int main(void)
{
	struct assay_write_options opts = {.size = sizeof(opts), .format = "callgrind"};
	struct assay_profile *prof = merge(trace(10), trace(9));
	struct assay_error err;
	enum assay_code rc = ASSAY_E_NOMEM;

	if (prof) {
		rc = assay_write_callback(prof, &opts, to_stdout, NULL, &err);
		if (rc != ASSAY_OK)
			fprintf(stderr, "tracer: %s\n", err.message);
	}
	assay_profile_free(prof);
	return rc == ASSAY_OK && fflush(stdout) == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
