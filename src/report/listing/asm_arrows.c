/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Jumps as lines in a gutter. All that lead to one instruction share a line; short ones are
 * inside. A line that finds no room among the AS_ARROWS_MAX lanes is left out.
 */
#include "base/sort.h"
#include "report/listing/list_print_impl.h"

static bool asm_arrows_push(struct as_arrows *a, size_t from, size_t to)
{
	struct as_arrow arrow = {(uint32_t)from, (uint32_t)to};

	return as_vec_push(a->al, &a->arrow, arrow);
}

static bool from_profile(struct as_arrows *a, const struct as_asm_view *v, size_t at)
{
	const struct as_list_row *row = &v->l->row.p[v->entry[at].row - 1];
	size_t to;

	as_assert(row->jump + row->n_jumps <= v->l->jump.n);
	for (uint32_t k = row->jump; k < row->jump + row->n_jumps; k++) {
		const struct as_list_jump *jump = &v->l->jump.p[k];

		if (!jump->func.i && jump->addr && as_asm_view_find(v, jump->addr, &to) &&
			!asm_arrows_push(a, at, to))
			return false;
	}
	return true;
}

bool as_arrows_collect(struct as_arrows *a, const struct as_asm_view *v)
{
	size_t to;

	for (size_t i = 0; i < v->n; i++) {
		const struct as_code_insn *insn = v->entry[i].insn;

		if (v->prof->jump.n) {
			if (v->entry[i].row && !from_profile(a, v, i))
				return false;
		} else if (insn && insn->is_jump && insn->has_target &&
			   as_asm_view_find(v, insn->target, &to) && !asm_arrows_push(a, i, to)) {
			return false;
		}
	}
	return true;
}

static int cmp_arrow(const void *ctx, uint32_t i, uint32_t j)
{
	const struct as_arrow *a = (const struct as_arrow *)ctx + i;
	const struct as_arrow *b = (const struct as_arrow *)ctx + j;

	if (a->to != b->to)
		return a->to < b->to ? -1 : 1;
	return a->from < b->from ? -1 : a->from > b->from;
}

static int cmp_span(const void *ctx, uint32_t i, uint32_t j)
{
	const struct as_arrow_lane *a = (const struct as_arrow_lane *)ctx + i;
	const struct as_arrow_lane *b = (const struct as_arrow_lane *)ctx + j;
	uint32_t x = a->high - a->low, y = b->high - b->low;

	return x < y ? -1 : x > y;
}

static void asm_arrows_make_groups(struct as_arrows *a)
{
	for (uint32_t i = 0; i < a->arrow.n; i++) {
		const struct as_arrow *arrow = &a->arrow.p[i];
		struct as_arrow_lane *g = a->n_groups ? &a->group[a->n_groups - 1] : NULL;

		if (!g || a->arrow.p[g->first].to != arrow->to) {
			g = &a->group[a->n_groups++];
			*g = (struct as_arrow_lane){
				.first = i, .low = arrow->to, .high = arrow->to};
		}
		g->n++;
		g->low = arrow->from < g->low ? arrow->from : g->low;
		g->high = arrow->from > g->high ? arrow->from : g->high;
	}
}

/* The lanes that those of the first N of ORDER take between G's ends. */
static unsigned lanes_taken(
	const struct as_arrows *a, const uint32_t *order, size_t n, const struct as_arrow_lane *g)
{
	unsigned taken = 0;

	for (size_t i = 0; i < n; i++) {
		const struct as_arrow_lane *other = &a->group[order[i]];

		if (other->lane < AS_ARROWS_MAX && other->low <= g->high && other->high >= g->low)
			taken |= 1u << other->lane;
	}
	return taken;
}

bool as_arrows_arrange(struct as_arrows *a, struct as_arena *ar)
{
	size_t n = a->arrow.n;
	uint32_t *order = as_arena_get(ar, n * sizeof(*order) + 1);
	struct as_arrow *sorted = as_arena_get(ar, n * sizeof(*sorted) + 1);

	a->group = as_arena_get(ar, n * sizeof(*a->group) + 1);
	if (!order || !sorted || !a->group)
		return false;
	for (uint32_t i = 0; i < n; i++)
		order[i] = i;
	if (!as_sort_rows(a->al, order, n, cmp_arrow, a->arrow.p))
		return false;
	for (size_t i = 0; i < n; i++)
		sorted[i] = a->arrow.p[order[i]];
	if (n)
		memcpy(a->arrow.p, sorted, n * sizeof(*sorted));
	asm_arrows_make_groups(a);
	for (uint32_t i = 0; i < a->n_groups; i++)
		order[i] = i;
	if (!as_sort_rows(a->al, order, a->n_groups, cmp_span, a->group))
		return false;
	for (size_t i = 0; i < a->n_groups; i++) {
		struct as_arrow_lane *g = &a->group[order[i]];
		unsigned taken = lanes_taken(a, order, i, g);

		while (g->lane < AS_ARROWS_MAX && (taken >> g->lane & 1))
			g->lane++;
		if (g->lane == AS_ARROWS_MAX)
			a->n_left_out++;
		else if (g->lane >= a->n_lanes)
			a->n_lanes = g->lane + 1;
	}
	return true;
}

void as_arrows_release(struct as_arrows *a)
{
	as_vec_free(a->al, &a->arrow);
}

unsigned as_arrows_width(const struct as_arrows *a)
{
	return a->n_lanes ? a->n_lanes + 2 : 0;
}

static bool ends_here(const struct as_arrows *a, const struct as_arrow_lane *g, uint32_t at)
{
	if (a->arrow.p[g->first].to == at)
		return true;
	for (uint32_t i = g->first; i < g->first + g->n; i++)
		if (a->arrow.p[i].from == at)
			return true;
	return false;
}

enum cell {
	CELL_NONE,
	CELL_PASS,
	CELL_TOP,
	CELL_BOTTOM,
	CELL_MIDDLE,
	CELL_SELF,
	CELL_LINE,
	CELL_CROSS
};

static const char *const cell_text[2][8] = {
	{" ", "|", ",", "'", "+", "-", "-", "+"},
	{" ", "\u2502", "\u256d", "\u2570", "\u251c", "\u2500", "\u2500", "\u253c"},
};

void as_arrows_put(const struct as_arrows *a, uint32_t at, bool utf8, struct as_out *out)
{
	enum cell cell[AS_ARROWS_MAX] = {CELL_NONE};
	bool line = false, head = false;

	as_assert(a->n_lanes <= AS_ARROWS_MAX);
	for (size_t i = 0; i < a->n_groups; i++) {
		const struct as_arrow_lane *g = &a->group[i];

		if (g->lane >= AS_ARROWS_MAX || at < g->low || at > g->high)
			continue;
		if (!ends_here(a, g, at)) {
			cell[g->lane] = CELL_PASS;
			continue;
		}
		head |= a->arrow.p[g->first].to == at;
		cell[g->lane] = g->low == g->high ? CELL_SELF
				: at == g->low    ? CELL_TOP
				: at == g->high   ? CELL_BOTTOM
						  : CELL_MIDDLE;
	}
	for (unsigned lane = a->n_lanes; lane-- > 0;) {
		if (cell[lane] == CELL_PASS || cell[lane] == CELL_NONE) {
			if (line)
				cell[lane] = cell[lane] == CELL_PASS ? CELL_CROSS : CELL_LINE;
		} else {
			line = true;
		}
		as_out_text(out, cell_text[utf8][cell[lane]]);
	}
	if (a->n_lanes) {
		as_out_text(out, head ? ">" : cell_text[utf8][line ? CELL_LINE : CELL_NONE]);
		as_out_char(out, ' ');
	}
}
