/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Any questions, a line each, to the engine of the page, about small profiles of every shape. An
 * answer is JSON, or boxes; and what the engine keeps for the next question changes no answer: one
 * that was opened for it says the same.
 */
#include "engine.h"
#include "lib/fuzz_json.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int32_t host_pattern(const char *text, size_t n, int32_t ignore_case);
int32_t host_match(int32_t id, const char *text, size_t n);

enum { QUESTIONS = 12, PATTERNS = 32 };

/* A macro, so that a debugger shows the line. */
#define DEMAND(ok) ((ok) ? (void)0 : abort())

static const char calls[] =
	"# callgrind format\npositions: instr line\nevents: Ir Dr\n"
	"ob=/bin/app\nfl=/src/main.c\nfn=main\n0x10 3 10 1\n"
	"cfn=parse\ncalls=2 0x40 9\n0x14 4 70 7\njcnd=1/2 0x10 3\n0x18 4\n"
	"fn=parse\n0x40 9 40 4\ncfn=next'2\ncalls=3 0x80 20\n0x44 10 30 3\n"
	"fi=/src/inl.h\n0x48 1 0 1\nfn=next'2\n0x80 20 20 2\ncfn=parse\n"
	"calls=1 0x40 9\n0x84 21 10 1\nob=/lib/libc.so\nfl=???\nfn=free\n* 0 5 0\n";
static const char calls_before[] = "events: Ir Dr\nfl=/src/main.c\nfn=main\n3 9 1\ncfn=parse\n"
				   "calls=1 9\n4 50 5\nfn=parse\n9 50 5\nfn=gone\n1 4 4\n";
static const char paths[] = "main;parse;next;parse 7\nmain;parse;<b>&\"' 3\nmain 1\nidle 900\n"
			    "main;parse;next 18446744073709551615\n";
static const char paths_before[] = "main;parse;next 5\nmain;gone 3\n";
static const char places[] = "# callgrind format\nevents: Ir\nfl=a.c\nfn=f\n1 5\n2 6\nfn=g\n3 7\n"
			     "fl=b.c\nfn=f\n1 1\n";
static const char damaged[] = "events: Ir\nfn=f\n1 5\nfn=g\n1 zebra\n";

static const struct {
	const char *file, *base;
} inputs[] = {{calls, calls_before}, {paths, paths_before}, {places, calls}, {damaged, NULL},
	{calls, paths}};

/* ---- the host's patterns: texts ---- */

static struct as_slice pattern[PATTERNS];
static int32_t n_patterns;

int32_t host_pattern(const char *text, size_t n, int32_t ignore_case)
{
	struct as_slice s = {text, n};

	(void)ignore_case;
	if (as_slice_find(s, '(') < n || n_patterns == PATTERNS)
		return -1;
	for (int32_t i = 0; i < n_patterns; i++)
		if (as_slice_eq(pattern[i], s))
			return i;
	s.p = n ? memcpy(malloc(n), text, n) : "";
	pattern[n_patterns] = s;
	return n_patterns++;
}

int32_t host_match(int32_t id, const char *text, size_t n)
{
	DEMAND(id >= 0 && id < n_patterns);
	for (size_t i = 0; i + pattern[id].len <= n; i++)
		if (memcmp(text + i, pattern[id].p, pattern[id].len) == 0)
			return 1;
	return 0;
}

static void forget_patterns(void)
{
	while (n_patterns)
		if (pattern[--n_patterns].len)
			free((void *)(uintptr_t)pattern[n_patterns].p);
}

/* ---- questions ---- */

static struct engine *engine_of(const char *file)
{
	struct engine *e = as_engine_open(&as_alloc_libc, as_slice_of(file), as_slice_of("a file"));

	DEMAND(e);
	return e;
}

static void ask(struct engine *e, struct as_slice q, struct as_sink_mem *answer)
{
	as_sink_mem_init(answer, &as_alloc_libc);
	DEMAND(as_engine_ask(e, q, answer) == AS_OK);
	DEMAND(answer->data.n);
}

/* A flame has a number, and facts are about one that was asked for before. */
static bool is_counted(struct as_slice q)
{
	return as_slice_starts(q, "fl") || as_slice_starts(q, "fa") || as_slice_find(q, '%') < 6;
}

static void ask_both(struct engine *kept, unsigned which, struct as_slice q)
{
	struct engine *e = engine_of(inputs[which].file);
	struct engine *base = inputs[which].base ? engine_of(inputs[which].base) : NULL;
	struct as_sink_mem one, other;
	struct as_slice a, b;

	e->base = base;
	ask(kept, q, &one);
	ask(e, q, &other);
	a = (struct as_slice){one.data.p, one.data.n};
	b = (struct as_slice){other.data.p, other.data.n};
	DEMAND(is_counted(q) || (is_json(a) && as_slice_eq(a, b)));
	as_sink_mem_release(&one);
	as_sink_mem_release(&other);
	as_engine_close(e);
	as_engine_close(base);
}

/* The first byte chooses the profile. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct as_slice rest = {(const char *)data, size}, q;
	struct engine *e, *base;
	unsigned which;

	if (!size)
		return 0;
	which = data[0] % AS_ARRAY_LEN(inputs);
	rest = as_slice_skip(rest, 1);
	e = engine_of(inputs[which].file);
	base = inputs[which].base ? engine_of(inputs[which].base) : NULL;
	e->base = base;
	for (int n = 0; n < QUESTIONS && as_slice_cut(&rest, '\n', &q); n++)
		ask_both(e, which, q);
	as_engine_close(e);
	as_engine_close(base);
	forget_patterns();
	return 0;
}
