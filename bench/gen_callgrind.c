/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes a Callgrind file of about the size asked for, as callgrind 3.19
 * writes it, shaped like real runs of a large C++ program (gen_program.h).
 *
 *	gen_callgrind [-S SEED] [-s SIZE] [-i] [-e EVENTS] > FILE
 *
 * -i gives positions "instr line" with jumps, -e the first EVENTS of the 13
 * that cache and branch simulation give. `-s 100m` is the shape "line1" of
 * README.md, `-s 100m -i -e 13` the shape "instr13". Facts go to stderr.
 */
#define _POSIX_C_SOURCE 200809L
#include <unistd.h>

#include "gen_names.h"
#include "gen_program.h"

enum {
	NEAR = 100, /* callgrind writes smaller differences relative */
};

/* clang-format off */
static const char *const event_names[MAX_EVENTS] = {
	"Ir", "Dr", "Dw", "I1mr", "D1mr", "D1mw", "ILmr", "DLmr", "DLmw", "Bc", "Bcm", "Bi", "Bim",
};
/* clang-format on */

/* The three groups of name ids: each counts for itself. */
enum group {
	OBJECT,
	FILE_NAME,
	FUNCTION,
	GROUPS,
};

struct writer {
	const struct program *p;
	struct sink out;
	unsigned char *named[GROUPS]; /* whose name has been written: later the id is enough */
	uint64_t *incoming;           /* per function: what its callers say of the first event */
	/* what subpositions are relative to: the last cost line, not the last call line */
	uint64_t base_addr, base_line;
	uint32_t object, function_file, file; /* in force; UINT32_MAX before the first */
	uint64_t lines, self_lines, jumps, name_bytes;
};

static void put_end(struct writer *w)
{
	sink_char(&w->out, '\n');
	w->lines++;
}

static void put_name(struct writer *w, const char *key, enum group group, uint32_t id)
{
	struct name name;

	sink_text(&w->out, key);
	sink_char(&w->out, '(');
	sink_dec(&w->out, group == FUNCTION ? 2 * ((uint64_t)id + 1) : (uint64_t)id + 1);
	sink_char(&w->out, ')');
	if (!w->named[group][id]) {
		w->named[group][id] = 1;
		if (group == OBJECT)
			name_object(&name, id);
		else if (group == FILE_NAME)
			name_file(&name, w->p->seed, id);
		else
			name_function(&name, w->p->seed, id, is_recursive(w->p, id));
		w->name_bytes += group == FUNCTION ? name.n : 0;
		sink_char(&w->out, ' ');
		sink_bytes(&w->out, name.text, name.n);
	}
	put_end(w);
}

/* One subposition and a blank: relative to LAST when near it, else absolute. */
static void put_subposition(struct writer *w, uint64_t v, uint64_t last, bool hex)
{
	uint64_t distance = v > last ? v - last : last - v;

	if (v == last) {
		sink_char(&w->out, '*');
	} else if (distance < NEAR) {
		sink_char(&w->out, v > last ? '+' : '-');
		sink_dec(&w->out, distance);
	} else if (hex) {
		sink_text(&w->out, "0x");
		sink_hex(&w->out, v);
	} else {
		sink_dec(&w->out, v);
	}
	sink_char(&w->out, ' ');
}

static void put_position(struct writer *w, uint64_t addr, uint64_t line)
{
	if (w->p->instr)
		put_subposition(w, addr, w->base_addr, true);
	put_subposition(w, line, w->base_line, false);
}

/* The first cost always, zeros at the end never. */
static void put_costs(struct writer *w, const uint64_t *cost)
{
	uint32_t n = w->p->events;

	while (n > 1 && !cost[n - 1])
		n--;
	for (uint32_t e = 0; e < n; e++) {
		if (e)
			sink_char(&w->out, ' ');
		sink_dec(&w->out, cost[e]);
	}
	put_end(w);
}

static void put_jump(struct writer *w, const struct walk *at)
{
	uint64_t start = w->p->addr[at->fn];

	if (at->jump == CONDITIONAL) {
		sink_text(&w->out, "jcnd=");
		sink_dec(&w->out, at->followed);
		sink_char(&w->out, '/');
	} else {
		sink_text(&w->out, "jump=");
	}
	sink_dec(&w->out, at->cost[IR]);
	sink_char(&w->out, ' ');
	put_position(w, start + at->target_offset, at->target_line);
	put_end(w);
	put_position(w, w->base_addr, w->base_line);
	put_end(w);
	w->jumps++;
}

static void put_call(struct writer *w, uint32_t caller, uint64_t call)
{
	const struct program *p = w->p;
	uint32_t callee = p->callee[call];
	uint64_t cost[MAX_EVENTS] = {0};

	for (uint32_t e = 0; e < p->events; e++)
		cost[e] = call_cost(p, call, caller, e);
	w->incoming[callee] += cost[IR];
	if (object_of(p, callee) != w->object)
		put_name(w, "cob=", OBJECT, object_of(p, callee));
	if (file_of(p, callee) != w->file)
		put_name(w, "cfi=", FILE_NAME, file_of(p, callee));
	put_name(w, "cfn=", FUNCTION, callee);
	sink_text(&w->out, "calls=");
	sink_dec(&w->out, p->count[call]);
	sink_char(&w->out, ' ');
	put_position(w, p->addr[callee], first_line_of(p, callee));
	put_end(w);
	put_position(w, w->base_addr, w->base_line);
	put_costs(w, cost);
}

static void put_function(struct writer *w, uint32_t f)
{
	const struct program *p = w->p;
	struct walk at;

	if (object_of(p, f) != w->object) {
		w->object = object_of(p, f);
		w->function_file = UINT32_MAX;
		put_name(w, "ob=", OBJECT, w->object);
	}
	if (file_of(p, f) != w->function_file) {
		w->function_file = file_of(p, f);
		put_name(w, "fl=", FILE_NAME, w->function_file);
	}
	w->file = w->function_file;
	put_name(w, "fn=", FUNCTION, f);
	w->base_addr = w->base_line = UINT64_MAX / 2; /* a block's first position is absolute */
	walk_begin(p, &at, f);
	while (walk_next(p, &at)) {
		if (at.file != w->file) {
			w->file = at.file;
			put_name(w, at.file == at.own_file ? "fe=" : "fi=", FILE_NAME, at.file);
		}
		put_position(w, p->addr[f] + at.offset, at.line);
		put_costs(w, at.cost);
		w->self_lines++;
		w->base_addr = p->addr[f] + at.offset;
		w->base_line = at.line;
		if (at.jump != NO_JUMP)
			put_jump(w, &at);
		for (uint32_t c = at.call_begin; c < at.call_end; c++)
			put_call(w, f, p->first_call[f] + c);
	}
	put_end(w);
}

static void put_header(struct writer *w)
{
	static const char *const caches[2][3] = {
		{"", "", ""},
		{"32768 B, 64 B, 8-way associative", "32768 B, 64 B, 8-way associative",
			"268435456 B, 64 B, direct-mapped"},
	};
	const char *const *cache = caches[w->p->events > IR + 1];
	static const char *const names[] = {"I1", "D1", "LL"};

	sink_text(
		&w->out, "# callgrind format\nversion: 1\ncreator: callgrind-3.19.0\npid: 1234\n");
	sink_text(&w->out, "cmd:  /opt/program/bin/program --seed ");
	sink_dec(&w->out, w->p->seed);
	sink_text(&w->out, "\npart: 1\n\n\n");
	for (size_t i = 0; i < ARRAY_LEN(names); i++) {
		sink_text(&w->out, "desc: ");
		sink_text(&w->out, names[i]);
		sink_text(&w->out, " cache: ");
		sink_text(&w->out, cache[i]);
		put_end(w);
	}
	sink_text(&w->out, "\ndesc: Timerange: Basic block 0 - 625643546\n");
	sink_text(&w->out, "desc: Trigger: Program termination\n\npositions: ");
	sink_text(&w->out, w->p->instr ? "instr line\nevents:" : "line\nevents:");
	for (uint32_t e = 0; e < w->p->events; e++) {
		sink_char(&w->out, ' ');
		sink_text(&w->out, event_names[e]);
	}
	sink_text(&w->out, "\nsummary: ");
	w->lines += 14;
	put_costs(w, w->p->totals);
	sink_text(&w->out, "\n\n");
	w->lines += 2;
}

static void say_facts(const struct writer *w)
{
	const struct program *p = w->p;
	uint64_t most = 0;

	for (uint32_t f = 0; f < p->n; f++)
		if (w->incoming[f] > most)
			most = w->incoming[f];
	fact("bytes", w->out.written);
	fact("lines", w->lines);
	fact("functions", p->n);
	fact("files", p->files);
	fact("function_name_bytes", w->name_bytes);
	fact("self_lines", w->self_lines);
	fact("calls", p->first_call[p->n]);
	fact("jumps", w->jumps);
	fact("largest_inclusive", most);
	for (uint32_t e = 0; e < p->events; e++) {
		fprintf(stderr, "total_");
		fact(event_names[e], p->totals[e]);
	}
}

static uint64_t options(struct program *p, int argc, char **argv)
{
	uint64_t size = 1000000;
	int c;

	p->seed = 1;
	p->events = 1;
	while ((c = getopt(argc, argv, "S:s:ie:")) != -1) {
		switch (c) {
		case 'S':
			p->seed = parse_num(optarg);
			break;
		case 's':
			size = parse_size(optarg);
			break;
		case 'i':
			p->instr = true;
			break;
		case 'e':
			p->events = (uint32_t)parse_num(optarg);
			break;
		default:
			exit(2);
		}
	}
	if (optind < argc || !p->events || p->events > MAX_EVENTS) {
		fputs("usage: gen_callgrind [-S SEED] [-s SIZE] [-i] [-e EVENTS] > FILE\n", stderr);
		exit(2);
	}
	return size;
}

int main(int argc, char **argv)
{
	static struct writer w;
	static struct program p;
	uint64_t size = options(&p, argc, argv);

	program_make(&p, size);
	w.p = &p;
	w.out.file = stdout;
	w.object = w.function_file = w.file = UINT32_MAX;
	w.named[OBJECT] = need(OBJECTS, 1);
	w.named[FILE_NAME] = need(p.files, 1);
	w.named[FUNCTION] = need(p.n, 1);
	w.incoming = need(p.n, sizeof(*w.incoming));
	put_header(&w);
	for (uint32_t i = 0; i < p.n; i++)
		put_function(&w, function_at(&p, i));
	sink_text(&w.out, "totals: ");
	put_costs(&w, p.totals);
	sink_flush(&w.out);
	if (fflush(stdout))
		die("write");
	say_facts(&w);
	for (int g = 0; g < GROUPS; g++)
		free(w.named[g]);
	free(w.incoming);
	program_release(&p);
	return 0;
}
