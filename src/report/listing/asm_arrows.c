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

static int cmp_span(const void *ctx, uint32_t i, uint32_t j)
{
	const struct as_arrow_lane *a = (const struct as_arrow_lane *)ctx + i;
	const struct as_arrow_lane *b = (const struct as_arrow_lane *)ctx + j;
	int cmp = as_cmp_u64(a->high - a->low, b->high - b->low);

	return cmp ? cmp : as_cmp_u64(a->to, b->to);
}

/* Arrows that lead to one entry; GROUP_OF, of each entry, is zeroed. */
static void asm_arrows_make_groups(struct as_arrows *a, uint32_t *group_of)
{
	for (size_t i = 0; i < a->arrow.n; i++) {
		uint32_t from = (uint32_t)a->arrow.p[i].from, to = a->arrow.p[i].to;
		struct as_arrow_lane *g;

		if (!group_of[to]) {
			a->group[a->n_groups++] =
				(struct as_arrow_lane){.to = to, .low = to, .high = to};
			group_of[to] = (uint32_t)a->n_groups;
		}
		g = &a->group[group_of[to] - 1];
		g->low = from < g->low ? from : g->low;
		g->high = from > g->high ? from : g->high;
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

bool as_arrows_arrange(struct as_arrows *a, size_t n, struct as_arena *ar)
{
	uint32_t *group_of, *order;

	if (!as_arena_array(ar, &group_of, n) || !as_arena_array(ar, &a->group, a->arrow.n))
		return false;
	asm_arrows_make_groups(a, group_of);
	order = as_sorted_rows(a->al, a->n_groups, cmp_span, a->group);
	if (!order)
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
	as_alloc_free(a->al, order, a->n_groups * sizeof(*order) + 1);
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
	size_t i = as_rows_below(a->arrow.p, a->arrow.n, from, at);

	while (i < a->arrow.n && a->arrow.p[i].from == at && a->arrow.p[i].to != g->to)
		i++;
	return g->to == at || (i < a->arrow.n && a->arrow.p[i].from == at);
}

enum cell { NONE, PASS, TOP, BOTTOM, MIDDLE, SELF, LINE, CROSS };

static const char *const cell_text[2][8] = {
	{" ", "|", ",", "'", "+", "-", "-", "+"},
	{" ", "\u2502", "\u256d", "\u2570", "\u251c", "\u2500", "\u2500", "\u253c"},
};

void as_arrows_put(const struct as_arrows *a, uint32_t at, bool utf8, struct as_out *out)
{
	enum cell cell[AS_ARROWS_MAX] = {NONE};
	bool line = false, head = false;

	as_assert(a->n_lanes <= AS_ARROWS_MAX);
	for (size_t i = 0; i < a->n_groups; i++) {
		const struct as_arrow_lane *g = &a->group[i];

		if (g->lane >= AS_ARROWS_MAX || at < g->low || at > g->high)
			continue;
		if (!ends_here(a, g, at)) {
			cell[g->lane] = PASS;
			continue;
		}
		head |= g->to == at;
		cell[g->lane] = g->low == g->high ? SELF
				: at == g->low    ? TOP
				: at == g->high   ? BOTTOM
						  : MIDDLE;
	}
	for (unsigned lane = a->n_lanes; lane-- > 0;) {
		if (cell[lane] == PASS || cell[lane] == NONE) {
			if (line)
				cell[lane] = cell[lane] == PASS ? CROSS : LINE;
		} else {
			line = true;
		}
		as_out_text(out, cell_text[utf8][cell[lane]]);
	}
	if (a->n_lanes) {
		as_out_text(out, head ? ">" : cell_text[utf8][line ? LINE : NONE]);
		as_out_char(out, ' ');
	}
}
