/* SPDX-License-Identifier: Apache-2.0 */
/* What a reader has added up, counted again from the paths of the same input. */
#ifndef AS_TESTS_SUMS_ORACLE_H
#define AS_TESTS_SUMS_ORACLE_H

#include <stdlib.h>
#include <string.h>

#include "model/profile.h"

/* A function of the paths or of the sums; objects of one path may be several, and both readings
 * find them in the same order. */
struct sums_func {
	struct as_slice text[3]; /* name, file, system's name */
	uint32_t object;
	uint64_t addr;    /* what has no name is told apart by it */
	uint32_t *number; /* equal functions get the same */
};

/* What the paths say of each function, by its number. */
struct sums_row {
	uint32_t seen;  /* the last sample that has it on its path, from 1 */
	uint32_t calls; /* of it, on that path */
	bool recursive, is_told;
};

struct sums_want {
	size_t e; /* events */
	uint32_t *of_path,
		*of_sum; /* numbers of the functions of the paths, of the rows of the sums */
	uint32_t n;
	struct sums_row *row;
	as_val *cost; /* E of self cost and E of inclusive cost each */
};

static inline int sums_order(const void *left, const void *right)
{
	const struct sums_func *a = left, *b = right;

	for (int i = 0; i < 3; i++) {
		size_t n = a->text[i].len < b->text[i].len ? a->text[i].len : b->text[i].len;
		int c = n ? memcmp(a->text[i].p, b->text[i].p, n) : 0;

		if (c || a->text[i].len != b->text[i].len)
			return c ? c : a->text[i].len < b->text[i].len ? -1 : 1;
	}
	if (a->object != b->object)
		return a->object < b->object ? -1 : 1;
	return a->addr < b->addr ? -1 : a->addr > b->addr;
}

static inline struct sums_func sums_func_of(
	const struct as_profile *prof, as_func f, uint32_t *number)
{
	return (struct sums_func){
		.text = {as_func_name(prof, f), as_file_path(prof, prof->func.file.p[f.i]),
			as_str_get(prof, as_func_system(prof, f))},
		.object = prof->func.object.p[f.i].i,
		.addr = prof->func.addr.p[f.i],
		.number = number};
}

static inline bool sums_number(
	struct sums_want *w, const struct as_profile *prof, const struct as_profile *sums)
{
	size_t n = prof->func.object.n, rows = sums->sums.func.n;
	struct sums_func *all = calloc(n + rows + 1, sizeof(*all));

	if (!all)
		return false;
	for (size_t i = 0; i < n; i++)
		all[i] = sums_func_of(prof, (as_func){(uint32_t)i}, &w->of_path[i]);
	for (size_t i = 0; i < rows; i++)
		all[n + i] = sums_func_of(sums, sums->sums.func.p[i], &w->of_sum[i]);
	qsort(all, n + rows, sizeof(*all), sums_order);
	for (size_t i = 0; i < n + rows; i++) {
		w->n += !i || sums_order(&all[i - 1], &all[i]) != 0;
		*all[i].number = w->n - 1;
	}
	free(all);
	return true;
}

static inline uint32_t sums_at(
	const struct sums_want *w, const struct as_profile *prof, uint32_t node)
{
	return w->of_path[prof->place.func.p[prof->node.place.p[node].i].i];
}

/* Not the root, and not the function around it, inlined. */
static inline bool sums_is_call(
	const struct sums_want *w, const struct as_profile *prof, uint32_t node)
{
	uint32_t up = prof->node.parent.p[node].i;

	return node && !(up && prof->place.inlined.p[prof->node.place.p[node].i] &&
			       sums_at(w, prof, node) == sums_at(w, prof, up));
}

static inline void sums_add(struct sums_want *w, uint32_t number, bool incl, const as_val *cost)
{
	as_val *to = w->cost + (2 * (size_t)number + incl) * w->e;

	for (size_t k = 0; k < w->e; k++)
		to[k] += cost[k];
}

/* The path of sample S, from its leaf up. */
static inline void sums_walk(struct sums_want *w, const struct as_profile *prof, size_t s)
{
	const as_val *cost = prof->sample.cost.p + s * w->e;
	uint32_t node = prof->sample.node.p[s].i;

	sums_add(w, sums_at(w, prof, node), false, cost);
	do {
		uint32_t number = sums_at(w, prof, node);
		struct sums_row *row = &w->row[number];

		if (row->seen != s + 1) {
			row->seen = (uint32_t)s + 1;
			row->calls = 0;
			sums_add(w, number, true, cost);
		}
		row->calls += sums_is_call(w, prof, node);
		row->recursive |= row->calls > 1;
		node = prof->node.parent.p[node].i;
	} while (node);
}

/* Each row is what the paths say, and each function of a path has one. */
static inline bool sums_compare(
	struct sums_want *w, const struct as_profile *prof, const struct as_profile *sums)
{
	bool right = true;

	for (size_t s = 0; s < prof->sample.node.n; s++)
		sums_walk(w, prof, s);
	for (size_t i = 0; right && i < sums->sums.func.n; i++) {
		struct sums_row *row = &w->row[w->of_sum[i]];
		size_t e = 2 * w->e;

		for (size_t k = 0; k < e; k++)
			right &= w->cost[w->of_sum[i] * e + k] == sums->sums.cost.p[i * e + k];
		right &= row->recursive == (bool)sums->sums.recursive.p[i] && !row->is_told;
		row->is_told = true;
	}
	for (uint32_t i = 0; i < w->n; i++)
		right &= !w->row[i].seen || w->row[i].is_told;
	for (size_t k = 0; k < w->e; k++)
		right &= prof->total[k] == sums->total[k];
	return right;
}

/* SUMS were read instead of the paths of PROF: a row for each function on a path, with its
 * costs. */
static inline bool sums_are_right(const struct as_profile *prof, const struct as_profile *sums)
{
	struct sums_want w = {.e = prof->event.n};
	size_t n = prof->func.object.n + sums->sums.func.n + 1;
	bool right = !sums->sample.node.n && w.e == sums->event.n;

	w.of_path = calloc(n, sizeof(*w.of_path));
	w.of_sum = calloc(n, sizeof(*w.of_sum));
	w.row = calloc(n, sizeof(*w.row));
	w.cost = calloc(n * (2 * w.e + 1), sizeof(*w.cost));
	right = right && w.of_path && w.of_sum && w.row && w.cost && sums_number(&w, prof, sums) &&
		sums_compare(&w, prof, sums);
	free(w.of_path);
	free(w.of_sum);
	free(w.row);
	free(w.cost);
	return right;
}

#endif
