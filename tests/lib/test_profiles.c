/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/test_profiles.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "formats/format.h"

extern const struct as_format as_format_dump;

enum { FUNCS = 8, EVENTS = 3, FILES = 4 };

void as_test_begin(struct as_build *b, const char *events)
{
	struct as_slice rest = as_slice_of(events), word;
	uint32_t i;

	assert_int_equal(as_build_init(b, NULL, NULL), AS_OK);
	while (as_slice_word(&rest, &word))
		assert_int_equal(as_build_event(b, word, as_slice_of(""), &i), AS_OK);
	assert_int_equal(as_build_part(b, &i), AS_OK);
}

struct as_profile *as_test_end(struct as_build *b)
{
	struct as_profile *prof;

	assert_int_equal(as_build_finish(b, &prof), AS_OK);
	return prof;
}

as_func as_test_func(struct as_build *b, const char *name, const char *object, const char *file)
{
	as_object o;
	as_file f;
	as_func func;

	assert_int_equal(as_build_object(b, as_slice_of(object), as_slice_of(""), &o), AS_OK);
	assert_int_equal(as_build_file(b, as_slice_of(file), &f), AS_OK);
	assert_int_equal(as_build_func(b, as_slice_of(name), o, f, 0, &func), AS_OK);
	return func;
}

void as_test_self(struct as_build *b, as_func func, uint64_t line, as_val cost)
{
	struct as_pos pos = {.func = func, .file = b->prof->func.file.p[func.i], .line = line};

	assert_int_equal(as_build_self(b, 0, &pos, &cost, 1), AS_OK);
}

void as_test_call(struct as_build *b, as_func from, as_func to, as_val count, as_val cost)
{
	struct as_pos pos = {.func = from, .file = b->prof->func.file.p[from.i]};
	struct as_call call = {.callee = to, .count = count};

	assert_int_equal(as_build_call(b, 0, &pos, &call, &cost, 1), AS_OK);
}

void as_test_stack(struct as_build *b, uint32_t part, const as_func *stack, as_val cost)
{
	as_node node = {0};
	as_place place;

	for (; stack->i; stack++) {
		struct as_pos pos = {.func = *stack};

		assert_int_equal(as_build_place(b, &pos, &place), AS_OK);
		assert_int_equal(as_build_push(b, node, place, &node), AS_OK);
	}
	assert_int_equal(as_build_sample(b, part, node, &cost), AS_OK);
}

uint32_t as_test_next(uint64_t *state, uint32_t n)
{
	uint64_t z = (*state += 0x9e3779b97f4a7c15u);

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
	z = (z ^ z >> 27) * 0x94d049bb133111ebu;
	return (uint32_t)((z ^ z >> 31) % n);
}

struct maker {
	struct as_build b;
	uint64_t state;
	unsigned what;
	uint32_t parts;
	as_func func[FUNCS];
	as_file file[FILES];
};

static as_val random_cost(struct maker *m)
{
	as_val v = as_test_next(&m->state, 5) ? as_test_next(&m->state, 100) : 0;

	if ((m->what & AS_TEST_NEGATIVE) && as_test_next(&m->state, 4) == 0)
		v = -v;
	return v;
}

static uint32_t random_costs(struct maker *m, as_val cost[EVENTS])
{
	for (int k = 0; k < EVENTS; k++)
		cost[k] = random_cost(m);
	return as_test_next(&m->state, EVENTS) + 1;
}

static struct as_pos random_pos(struct maker *m)
{
	as_func f = m->func[as_test_next(&m->state, FUNCS)];
	struct as_pos pos = {.func = f, .file = m->b.prof->func.file.p[f.i]};

	if (as_test_next(&m->state, 4) == 0)
		pos.file = m->file[as_test_next(&m->state, FILES)];
	pos.line = as_test_next(&m->state, 4);
	pos.addr = as_test_next(&m->state, 4) * 4;
	return pos;
}

/* Another function than FUNC in what few sources say. */
static void random_func_row(struct maker *m, as_func *func)
{
	static const char *const systems[] = {"", "f", "_Zf", "_Zg"};
	struct as_func_row row = as_func_get(m->b.prof, *func);

	assert_int_equal(
		as_build_str(&m->b, as_slice_of(systems[as_test_next(&m->state, 4)]), &row.system),
		AS_OK);
	row.line = as_test_next(&m->state, 3);
	assert_int_equal(as_build_func_row(&m->b, &row, func), AS_OK);
}

static struct as_place_more random_more(struct maker *m)
{
	struct as_place_more more = {0};

	if (!(m->what & AS_TEST_RARE))
		return more;
	more.column = as_test_next(&m->state, 2);
	more.folded = as_test_next(&m->state, 4) == 0;
	assert_int_equal(as_build_str(&m->b, as_slice_of(as_test_next(&m->state, 4) ? "" : "x"),
				 &more.extra),
		AS_OK);
	return more;
}

/* A few parts that labels split off. */
static void random_labels(struct maker *m)
{
	static const char *const words[] = {"", "a", "b"};
	struct as_label label[2];
	uint32_t part;

	for (uint32_t i = as_test_next(&m->state, 4); i > 0; i--) {
		memset(label, 0, sizeof(label));
		for (int k = 0; k < 2; k++) {
			assert_int_equal(as_build_str(&m->b,
						 as_slice_of(words[1 + as_test_next(&m->state, 2)]),
						 &label[k].key),
				AS_OK);
			assert_int_equal(
				as_build_str(&m->b, as_slice_of(words[as_test_next(&m->state, 3)]),
					&label[k].text),
				AS_OK);
			label[k].number = (int64_t)as_test_next(&m->state, 2) - 1;
		}
		assert_int_equal(
			as_build_labelled(&m->b, label, 1 + as_test_next(&m->state, 2), &part),
			AS_OK);
	}
	m->parts = (uint32_t)m->b.prof->part.n;
	m->b.prof->duration = as_test_next(&m->state, 5);
}

static void random_funcs(struct maker *m)
{
	static const char *const plain[] = {"f", "g", "h", "", ""};
	static const char *const context[] = {"f", "f'2", "f'g'h", "g", "g'3", "h'f"};
	static const char *const objects[] = {"", "/bin/a", "/lib/b.so"};
	static const char *const files[FILES] = {"", "a.c", "b.c", "c.h"};
	bool contexts = m->what & AS_TEST_CONTEXTS;

	for (int i = 0; i < FILES; i++)
		assert_int_equal(as_build_file(&m->b, as_slice_of(files[i]), &m->file[i]), AS_OK);
	for (int i = 0; i < FUNCS; i++) {
		const char *name =
			contexts ? context[as_test_next(&m->state, 6)]
				 : plain[as_test_next(&m->state, m->what & AS_TEST_NAMED ? 3 : 5)];
		const char *path = objects[as_test_next(&m->state, 3)];
		as_object object;

		assert_int_equal(
			as_build_object(&m->b, as_slice_of(path),
				as_slice_of(*path && (m->what & AS_TEST_FACTS) ? "1f" : ""),
				&object),
			AS_OK);
		assert_int_equal(as_build_func(&m->b, as_slice_of(name), object,
					 m->file[as_test_next(&m->state, FILES)],
					 as_test_next(&m->state, 3) * 8, &m->func[i]),
			AS_OK);
		if (m->what & AS_TEST_RARE)
			random_func_row(m, &m->func[i]);
	}
}

static void random_self(struct maker *m)
{
	for (uint32_t i = as_test_next(&m->state, 30); i > 0; i--) {
		struct as_pos pos = random_pos(m);
		as_val cost[EVENTS];
		uint32_t n = random_costs(m, cost);

		assert_int_equal(
			as_build_self(&m->b, as_test_next(&m->state, m->parts), &pos, cost, n),
			AS_OK);
	}
}

static void random_calls(struct maker *m)
{
	for (uint32_t i = as_test_next(&m->state, 14); i > 0; i--) {
		struct as_pos pos = random_pos(m), to = random_pos(m);
		struct as_call call = {.callee = to.func,
			.line = to.line,
			.addr = to.addr,
			.count = as_test_next(&m->state, 4)};
		as_val cost[EVENTS];
		uint32_t n = random_costs(m, cost);

		assert_int_equal(as_build_call(&m->b, as_test_next(&m->state, m->parts), &pos,
					 &call, cost, n),
			AS_OK);
	}
}

/* COST in pieces, some of them time that passed. */
static void random_moments(struct maker *m, uint32_t part, as_node node, const as_val *cost)
{
	for (uint32_t k = 0; k < EVENTS; k++)
		for (int64_t left = (int64_t)cost[k]; left != 0;) {
			struct as_moment mo = {.time = as_test_next(&m->state, 1000),
				.value = left < 20 ? left : 1 + as_test_next(&m->state, 20),
				.part = part,
				.event = k,
				.node = node};

			if (mo.value > 0 && as_test_next(&m->state, 2))
				mo.duration = (uint64_t)mo.value;
			left -= mo.value;
			assert_int_equal(as_build_moment(&m->b, &mo), AS_OK);
		}
}

static void random_sample(struct maker *m, as_node node, const as_val *cost)
{
	uint32_t part = as_test_next(&m->state, m->parts);

	assert_int_equal(as_build_sample(&m->b, part, node, cost), AS_OK);
	if (m->what & AS_TEST_MOMENTS)
		random_moments(m, part, node, cost);
}

static void random_paths(struct maker *m)
{
	for (uint32_t i = as_test_next(&m->state, 30); i > 0; i--) {
		as_node node = {0};
		as_val cost[EVENTS];

		for (uint32_t depth = as_test_next(&m->state, 7); depth > 0; depth--) {
			struct as_pos pos = random_pos(m);
			struct as_place_more more = random_more(m);
			as_place place;

			assert_int_equal(as_build_place_more(&m->b, &pos, &more, &place), AS_OK);
			assert_int_equal(as_build_push(&m->b, node, place, &node), AS_OK);
		}
		random_costs(m, cost);
		if (as_test_next(&m->state, 8)) /* some nodes lead to nothing */
			random_sample(m, node, cost);
	}
}

static void random_jumps(struct maker *m)
{
	for (uint32_t i = as_test_next(&m->state, 8); i > 0; i--) {
		struct as_pos from = random_pos(m), to = random_pos(m);
		struct as_jump jump = {.conditional = as_test_next(&m->state, 2),
			.other_file = as_test_next(&m->state, 2),
			.line = to.line,
			.addr = to.addr,
			.executed = 5,
			.followed = 5};

		if (as_test_next(&m->state, 2))
			jump.func = to.func;
		if (jump.other_file)
			jump.file = to.file;
		if (jump.conditional)
			jump.followed = as_test_next(&m->state, 5);
		assert_int_equal(
			as_build_jump(&m->b, as_test_next(&m->state, m->parts), &from, &jump),
			AS_OK);
	}
}

static void random_facts(struct maker *m)
{
	struct as_profile *prof = m->b.prof;
	uint32_t events[EVENTS] = {0, 1, 2};
	as_val sums[EVENTS] = {10, 20, 30};
	struct as_map map = {.start = 0x1000, .limit = 0x2000, .exec = true};
	as_str text;

	map.object.i = as_test_next(&m->state, (uint32_t)prof->object.n);
	assert_int_equal(as_build_map(&m->b, &map), AS_OK);
	assert_int_equal(as_build_str(&m->b, as_slice_of("./prog -x"), &text), AS_OK);
	for (uint32_t p = 0; p < m->parts; p++) {
		prof->part.p[p].command = text;
		prof->part.p[p].pid = 100 + p;
		prof->part.p[p].has_pid = true;
		assert_int_equal(as_build_part_events(&m->b, p, events, EVENTS), AS_OK);
		prof->part.p[p].summary = as_build_values(&m->b, sums, EVENTS);
		prof->part.p[p].n_summary = EVENTS;
		assert_int_equal(as_build_meta(&m->b, p, as_slice_of("desc"),
					 as_slice_of(p ? "I1 cache: 1" : "I1 cache: 0")),
			AS_OK);
	}
	assert_int_equal(as_build_str(&m->b, as_slice_of("Instructions"), &text), AS_OK);
	prof->event.p[0].title = text;
	prof->event.p[1].period = 65536;
}

struct as_profile *as_test_random(uint64_t seed, unsigned what)
{
	struct maker m = {.state = seed, .what = what};
	struct as_profile *prof;
	uint32_t part;

	as_test_begin(&m.b, "Ir Dr Dw");
	prof = m.b.prof;
	m.b.keep_moments = m.b.has_zero = what & AS_TEST_MOMENTS;
	m.parts = 1 + as_test_next(&m.state, 3);
	for (uint32_t i = 1; i < m.parts; i++)
		assert_int_equal(as_build_part(&m.b, &part), AS_OK);
	if (what & AS_TEST_CONTEXTS) {
		assert_int_equal(
			as_build_str(&m.b, as_slice_of("callgrind"), &prof->format), AS_OK);
		assert_int_equal(as_build_str(&m.b, as_slice_of("callgrind-3.19.0"),
					 &prof->part.p[0].creator),
			AS_OK);
	}
	random_funcs(&m);
	if (what & AS_TEST_RARE)
		random_labels(&m);
	if (what & AS_TEST_SELF)
		random_self(&m);
	if (what & AS_TEST_CALLS)
		random_calls(&m);
	if (what & AS_TEST_PATHS)
		random_paths(&m);
	if (what & AS_TEST_JUMPS)
		random_jumps(&m);
	if (what & AS_TEST_FACTS)
		random_facts(&m);
	return as_test_end(&m.b);
}

static void row_text(const struct as_profile *prof, const struct as_table *t, size_t r, char *out)
{
	const struct as_key *k = &t->key[r];
	struct as_slice name = t->by == AS_BY_FUNC ? as_table_func_name(t, (uint32_t)r)
						   : as_func_name(prof, k->func);

	/* Which of several functions an address shows is a matter of taste. */
	if (t->by == AS_BY_ADDR && k->addr)
		name.len = 0;
	snprintf(out, 160, "%.*s|%.*s|%.*s|%.*s:%u+%u", AS_SLICE_FMT(name),
		AS_SLICE_FMT(as_object_path(prof, k->object)),
		AS_SLICE_FMT(as_str_get(prof, prof->object.p[k->object.i].id)),
		AS_SLICE_FMT(as_file_path(prof, t->by == AS_BY_ADDR ? (as_file){0} : k->file)),
		(unsigned)(t->by == AS_BY_ADDR ? 0 : k->line), (unsigned)k->addr);
}

static void add_sum(struct as_test_sums *sums, const char *name, const as_val *v, uint32_t n)
{
	size_t i = 0;

	while (i < sums->n && strcmp(sums->row[i].name, name) != 0)
		i++;
	if (i == sums->n) {
		assert_true(sums->n < AS_ARRAY_LEN(sums->row));
		sums->row[sums->n] = (struct as_test_sum){0};
		snprintf(sums->row[sums->n++].name, sizeof(sums->row[0].name), "%s", name);
	}
	for (uint32_t k = 0; k < n; k++)
		sums->row[i].v[k] += v[k];
}

void as_test_sum(
	struct as_test_sums *sums, const struct as_profile *prof, enum as_by by, bool inclusive)
{
	struct as_project_opts opts = {.by = by, .keep_contexts = true};
	uint32_t e = as_n_events(prof);
	struct as_table *t;
	char name[160];

	assert_true(e <= EVENTS);
	assert_int_equal(as_project(prof, &opts, &t, NULL), AS_OK);
	for (size_t r = 0; r < t->n; r++) {
		as_val *v = (inclusive ? t->incl : t->self) + r * e;
		bool zero = true;

		for (uint32_t k = 0; k < e; k++)
			zero &= v[k] == 0;
		row_text(prof, t, r, name);
		if (!zero && !t->key[r].is_cycle)
			add_sum(sums, name, v, e);
	}
	as_table_free(t);
}

void as_test_same(const struct as_test_sums *a, const struct as_test_sums *b)
{
	struct as_test_sums *both = calloc(1, sizeof(*both));

	assert_non_null(both);
	for (size_t i = 0; i < a->n; i++)
		add_sum(both, a->row[i].name, a->row[i].v, EVENTS);
	for (size_t i = 0; i < b->n; i++) {
		as_val minus[EVENTS];

		for (int k = 0; k < EVENTS; k++)
			minus[k] = -b->row[i].v[k];
		add_sum(both, b->row[i].name, minus, EVENTS);
	}
	for (size_t i = 0; i < both->n; i++)
		for (int k = 0; k < EVENTS; k++)
			if (both->row[i].v[k] != 0)
				fail_msg("%s differs by %lld", both->row[i].name,
					(long long)both->row[i].v[k]);
	free(both);
}

char *as_test_dump(const struct as_profile *prof)
{
	struct as_sink_mem sink;
	struct as_out out;
	struct as_wr wr = {.out = &out};
	char *text;

	as_sink_mem_init(&sink, &as_alloc_libc);
	assert_int_equal(as_out_open(&out, &as_alloc_libc, &sink.sink, NULL), AS_OK);
	assert_int_equal(as_format_write(&as_format_dump, &wr, prof), AS_OK);
	assert_int_equal(as_out_finish(&out), AS_OK);
	assert_true(as_vec_push(&as_alloc_libc, &sink.data, '\0'));
	text = malloc(sink.data.n);
	assert_non_null(text);
	memcpy(text, sink.data.p, sink.data.n);
	as_sink_mem_release(&sink);
	return text;
}

uint64_t as_test_lost(const struct as_losses *l, const char *kind)
{
	for (size_t i = 0; i < l->row.n; i++)
		if (strcmp(l->row.p[i].kind, kind) == 0)
			return l->row.p[i].amount;
	return 0;
}
