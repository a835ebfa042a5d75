/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The callgrind text of pprof. It is not what Callgrind means: calls are 0, a target's address
 * counts from the node before, and recursion is booked several times. docs/compat.md tells.
 */
#include "report/pprof_callgrind.h"

#include "base/index.h"

/* Names that were written get numbers, from 1 on. */
struct names {
	struct as_index index;
	AS_VEC(struct as_slice) row;
};

struct writer {
	struct as_pprof pp;
	struct as_out *out;
	struct names object, file, name;
	uint32_t *number; /* of each node among those of its file and name, from 1 on */
	uint32_t *group;  /* of each node: those of its file and name */
	AS_VEC(uint32_t) group_size;
	bool no_memory;
};

/* One line, whatever is in it. */
static void put_text(struct writer *w, struct as_slice s)
{
	for (size_t i = 0; i < s.len; i++)
		as_out_char(w->out, (char)(s.p[i] == '\n' || s.p[i] == '\r' ? ' ' : s.p[i]));
}

static void put_name(struct writer *w, struct names *names, const char *key, struct as_slice s)
{
	uint64_t hash = as_hash_bytes(s.p, s.len), pos = AS_INDEX_START;
	uint32_t row;

	as_out_text(w->out, key);
	if (!s.p || !s.len) {
		as_out_char(w->out, '\n');
		return;
	}
	while (as_index_find(&names->index, hash, &pos, &row))
		if (as_slice_eq(names->row.p[row], s)) {
			as_out_printf(w->out, "(%" PRIu32 ")\n", row + 1);
			return;
		}
	row = (uint32_t)names->row.n;
	w->no_memory |= !as_vec_push(w->pp.prof->al, &names->row, s) ||
			!as_index_add(&names->index, hash, row);
	as_out_printf(w->out, "(%" PRIu32 ") ", row + 1);
	put_text(w, s);
	as_out_char(w->out, '\n');
}

/* "*", "+16" or "0x401136": the shortest. PREV is the node before, or NULL. */
static void put_addr(struct writer *w, const struct as_pg_node *prev, uint64_t addr)
{
	char absolute[24], relative[24];
	uint64_t up;

	snprintf(absolute, sizeof(absolute), "0x%" PRIx64, addr);
	if (!prev) {
		as_out_text(w->out, absolute);
		return;
	}
	up = addr - prev->addr;
	snprintf(relative, sizeof(relative), "%c%" PRIu64, up > INT64_MAX ? '-' : '+',
		up > INT64_MAX ? 0 - up : up);
	if (!up)
		as_out_char(w->out, '*');
	else
		as_out_text(w->out, strlen(relative) < strlen(absolute) ? relative : absolute);
}

/* Whole numbers of the unit. */
static void put_cost(struct writer *w, as_val v)
{
	struct as_slice unit;
	double scaled = as_pprof_scale(v, w->pp.opts->column.unit, w->pp.unit, &unit);

	if (scaled >= 9.2e18 || scaled <= -9.2e18)
		as_out_printf(w->out, " %.0f\n", scaled);
	else
		as_out_printf(w->out, " %" PRId64 "\n", (int64_t)scaled);
}

/* Nodes of other functions with the same file and name are "f [2/3]", where they are called. */
static struct as_slice callee_name(struct writer *w, uint32_t i)
{
	struct as_slice name = w->pp.graph.node.p[i].name;
	uint32_t of = w->group_size.p[w->group[i]];

	if (of < 2)
		return name;
	return as_arena_printf(&w->pp.arena, "%.*s [%" PRIu32 "/%" PRIu32 "]", AS_SLICE_FMT(name),
		w->number[i], of);
}

static void put_call(struct writer *w, const struct as_pg_node *prev, const struct as_pg_edge *e)
{
	const struct as_pg_node *callee = &w->pp.graph.node.p[e->dst];
	struct as_slice name = callee_name(w, e->dst);

	w->no_memory |= !name.p;
	put_name(w, &w->file, "cfl=", callee->file);
	put_name(w, &w->name, "cfn=", name);
	as_out_text(w->out, "calls=0 ");
	put_addr(w, prev, callee->addr);
	as_out_printf(w->out, " %" PRIu64 "\n* *", callee->line);
	put_cost(w, e->weight);
}

static void put_node(struct writer *w, const struct as_pg_node *n, const struct as_pg_node *prev)
{
	const struct as_pg *pg = &w->pp.graph;

	if (!prev || !as_slice_eq(prev->object, n->object) || !as_slice_eq(prev->file, n->file) ||
		!as_slice_eq(prev->name, n->name)) {
		as_out_char(w->out, '\n');
		put_name(w, &w->object, "ob=", n->object);
		put_name(w, &w->file, "fl=", n->file);
		put_name(w, &w->name, "fn=", n->name);
	}
	put_addr(w, prev, n->addr);
	as_out_printf(w->out, " %" PRIu64, n->line);
	put_cost(w, n->flat);
	for (uint32_t k = 0; k < n->n_out; k++)
		put_call(w, prev, &pg->edge.p[pg->out.p[n->out + k]]);
}

/* ---- which nodes have one name ---- */

/* GROUPS has a node of each, FUNCS a node of each function. */
static bool number_node(
	struct writer *w, struct as_index *groups, struct as_index *funcs, uint32_t i)
{
	const struct as_pg_node *node = w->pp.graph.node.p, *n = &node[i];
	uint64_t hash = as_hash_mix(
		as_hash_bytes(n->name.p, n->name.len), as_hash_bytes(n->file.p, n->file.len));
	uint64_t pos = AS_INDEX_START;
	bool known = false;
	uint32_t row;

	while (!known && as_index_find(groups, hash, &pos, &row))
		known = as_slice_eq(node[row].name, n->name) &&
			as_slice_eq(node[row].file, n->file);
	w->group[i] = known ? w->group[row] : (uint32_t)w->group_size.n;
	if (!known &&
		(!as_vec_push(w->pp.prof->al, &w->group_size, 0) || !as_index_add(groups, hash, i)))
		return false;
	pos = AS_INDEX_START;
	hash = as_hash_mix(n->func, w->group[i]);
	for (known = false; !known && as_index_find(funcs, hash, &pos, &row);)
		known = node[row].func == n->func && w->group[row] == w->group[i];
	w->number[i] = known ? w->number[row] : ++w->group_size.p[w->group[i]];
	return known || as_index_add(funcs, hash, i);
}

static bool number_nodes(struct writer *w)
{
	size_t n = w->pp.graph.node.n;
	struct as_index groups, funcs;
	bool fine;

	w->number = as_arena_get(&w->pp.arena, (n + 1) * sizeof(*w->number));
	w->group = as_arena_get(&w->pp.arena, (n + 1) * sizeof(*w->group));
	fine = w->number && w->group;
	as_index_init(&groups, w->pp.prof->al);
	as_index_init(&funcs, w->pp.prof->al);
	for (uint32_t i = 0; fine && i < n; i++)
		fine = number_node(w, &groups, &funcs, i);
	as_index_release(&groups);
	as_index_release(&funcs);
	return fine;
}

static void write_all(struct writer *w)
{
	const struct as_pg_node *n = w->pp.graph.node.p, *prev = NULL;

	as_out_text(w->out, "positions: instr line\nevents: ");
	as_out_text(w->out, w->pp.opts->mean ? "mean_" : "");
	put_text(w, w->pp.opts->column.type);
	as_out_char(w->out, '(');
	put_text(w, w->pp.unit);
	as_out_text(w->out, ")\n");
	w->no_memory = !number_nodes(w);
	for (size_t i = 0; n && !w->no_memory && i < w->pp.graph.node.n; i++) {
		put_node(w, &n[i], prev);
		prev = &n[i];
	}
}

enum as_code as_pprof_callgrind(const struct as_profile *prof, const struct as_pprof_opts *opts,
	struct as_out *out, struct as_err *err)
{
	struct writer w = {.out = out};
	struct names *names[] = {&w.object, &w.file, &w.name};
	enum as_code rc = as_pprof_begin(&w.pp, prof, opts, err);

	for (size_t i = 0; i < AS_ARRAY_LEN(names); i++)
		as_index_init(&names[i]->index, prof->al);
	if (rc == AS_OK)
		write_all(&w);
	if (w.no_memory)
		rc = as_err_set(err, AS_E_NOMEM, "out of memory");
	for (size_t i = 0; i < AS_ARRAY_LEN(names); i++) {
		as_index_release(&names[i]->index);
		as_vec_free(prof->al, &names[i]->row);
	}
	as_vec_free(prof->al, &w.group_size);
	as_pprof_end(&w.pp);
	return rc;
}
