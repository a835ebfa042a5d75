/* SPDX-License-Identifier: Apache-2.0 */
/* Which frames are one node of pprof's graph. */
#include "base/path.h"
#include "compat/pprof/pprof_graph_impl.h"
#include "formats/format.h"

struct as_slice as_pg_name(struct as_arena *ar, const struct as_pg_node *n)
{
	struct as_slice base = as_base_name(n->object), place = n->file;
	char addr[20] = "";

	if (n->addr)
		snprintf(addr, sizeof(addr), "%016" PRIx64 "%s", n->addr, " ");
	if (n->line)
		place = as_arena_printf(ar, "%.*s:%" PRIu64, AS_SLICE_FMT(n->file), n->line);
	if (!place.p)
		return place;
	if (place.len || n->name.len)
		return as_arena_printf(ar, "%s%.*s%s%.*s", addr, AS_SLICE_FMT(n->name),
			n->name.len && place.len ? " " : "", AS_SLICE_FMT(place));
	if (base.len)
		return as_arena_printf(ar, "%s[%.*s]", addr, AS_SLICE_FMT(base));
	return as_arena_printf(ar, "%s<unknown>", addr);
}

/* The run-time address of code at ADDR of an object, by the first mapping that has it. */
static uint64_t run_time(const struct as_profile *prof, as_object object, uint64_t addr)
{
	if (!addr || prof->object.p[object.i].addr_kind == AS_ADDR_ABSOLUTE)
		return addr;
	for (uint32_t i = prof->object.p[object.i].map; i; i = prof->map.p[i - 1].next) {
		const struct as_map *m = &prof->map.p[i - 1];

		if (m->exec && addr >= m->offset && addr - m->offset < m->limit - m->start)
			return m->start + (addr - m->offset);
	}
	return addr;
}

/* "./a//b/../c" is "a/c". */
static struct as_slice pg_nodes_clean(struct as_arena *ar, struct as_slice path)
{
	struct as_slice copy;

	if (!path.len)
		return path;
	copy = as_arena_dup(ar, path);
	if (copy.p)
		copy.len = as_path_tidy((char *)(uintptr_t)copy.p, copy.len);
	return copy.len || !copy.p ? copy : as_slice_of(".");
}

/* Each is cleaned once. */
static struct as_slice pg_nodes_file_of(struct as_pg_maker *mk, as_file file)
{
	struct as_slice *known = &mk->file[file.i];

	if (!known->p)
		*known = pg_nodes_clean(&mk->pg->arena, as_file_path(mk->prof, file));
	return *known;
}

/* ---- nodes ---- */

static struct as_pg_node pg_nodes_key_of(struct as_pg_maker *mk, uint32_t place)
{
	const struct as_profile *prof = mk->prof;
	struct as_pos pos = as_place_pos(prof, (as_place){place});
	struct as_func_row func = as_func_get(prof, pos.func);
	enum as_pg_by by = mk->opts->by;
	struct as_pg_node n = {.name = as_shown_name(prof, as_func_name(prof, pos.func)),
		.file = {"", 0},
		.object = {"", 0}};
	bool known = n.name.len > 0 || func.file.i;

	if (known && by != AS_PG_FUNCS)
		n.file = pg_nodes_file_of(mk, func.file);
	if (known && (by == AS_PG_LINES || by == AS_PG_ADDRS))
		n.line = pos.line;
	/* Those of Java are numbers of locations. */
	if (by == AS_PG_ADDRS && !as_slice_starts(as_str_get(prof, prof->version), "1 java"))
		n.addr = run_time(prof, func.object, pos.addr ? pos.addr : func.addr);
	if (by == AS_PG_FILES)
		n.name.len = 0;
	if (!n.name.len) {
		n.object = as_object_path(prof, func.object);
		n.start = known ? func.line : 0;
	}
	return n;
}

struct as_pg_node as_pg_node_of(struct as_pg *pg, const struct as_profile *prof,
	const struct as_pg_opts *opts, struct as_slice *file, uint32_t place)
{
	struct as_pg_maker mk = {.pg = pg, .prof = prof, .opts = opts, .file = file};

	return pg_nodes_key_of(&mk, place);
}

static bool pg_nodes_same_func(const struct as_pg_node *a, const struct as_pg_node *b)
{
	return a->start == b->start && as_slice_eq(a->name, b->name) &&
	       as_slice_eq(a->file, b->file) && as_slice_eq(a->object, b->object);
}

static uint64_t hash_func(const struct as_pg_node *n)
{
	uint64_t h = as_hash_mix(
		as_hash_bytes(n->name.p, n->name.len), as_hash_bytes(n->file.p, n->file.len));

	return as_hash_mix(as_hash_mix(h, as_hash_bytes(n->object.p, n->object.len)), n->start);
}

/* The first row of the function that N is of: itself, if there is none yet. */
static bool pg_nodes_find_func(struct as_pg_maker *mk, struct as_pg_node *n, uint64_t hash)
{
	uint64_t pos = AS_INDEX_START;
	uint32_t row;

	while (as_index_find(&mk->funcs, hash, &pos, &row))
		if (pg_nodes_same_func(&mk->all.p[row], n)) {
			n->func = row;
			return true;
		}
	n->func = (uint32_t)mk->all.n;
	return as_index_add(&mk->funcs, hash, n->func);
}

static bool pg_nodes_add_node(
	struct as_pg_maker *mk, struct as_pg_node *n, uint64_t hash, uint64_t func)
{
	struct as_slice name = as_pg_name(&mk->pg->arena, n);

	return name.p && pg_nodes_find_func(mk, n, func) &&
	       as_index_add(&mk->nodes, hash, (uint32_t)mk->all.n) &&
	       as_vec_push(mk->pg->al, &mk->all, *n) && as_vec_push(mk->pg->al, &mk->name, name);
}

/* Find the row of PLACE's node in mk->all. False if out of memory. */
static bool pg_nodes_node_of(struct as_pg_maker *mk, uint32_t place)
{
	struct as_pg_node n;
	uint64_t func, hash, pos = AS_INDEX_START;
	uint32_t row;

	if (mk->of_place[place])
		return true;
	n = pg_nodes_key_of(mk, place);
	if (!n.file.p)
		return false;
	func = hash_func(&n);
	hash = as_hash_mix(func, as_hash_mix(n.line, n.addr));
	while (as_index_find(&mk->nodes, hash, &pos, &row)) {
		const struct as_pg_node *m = &mk->all.p[row];

		if (m->line == n.line && m->addr == n.addr && pg_nodes_same_func(m, &n)) {
			mk->of_place[place] = row + 1;
			return true;
		}
	}
	mk->of_place[place] = (uint32_t)mk->all.n + 1;
	return pg_nodes_add_node(mk, &n, hash, func);
}

as_val as_pg_value(const struct as_pg_maker *mk, size_t sample)
{
	const struct as_profile *prof = mk->prof;

	return prof->sample.cost.p[sample * prof->event.n + mk->opts->event] *
	       (as_val)mk->opts->each;
}

/* A stack of which the part from a node up is done ends there. */
bool as_pg_find_nodes(struct as_pg_maker *mk)
{
	const struct as_profile *prof = mk->prof;
	uint8_t *done;

	if (!as_alloc_array(mk->pg->al, &done, prof->node.parent.n))
		return false;
	for (size_t i = 0; i < prof->sample.node.n; i++) {
		as_val v = as_pg_value(mk, i);
		uint32_t node = v ? prof->sample.node.p[i].i : 0;

		mk->pg->total += as_pg_absolute(v);
		for (; node && !done[node]; node = prof->node.parent.p[node].i) {
			uint32_t place = prof->node.place.p[node].i;

			done[node] = 1;
			if (!as_pg_skips(mk, place) && !pg_nodes_node_of(mk, place))
				return false;
		}
	}
	return true;
}

static as_val pg_nodes_fraction(as_val total, double f)
{
	return as_pg_absolute((as_val)((double)total * f));
}

void as_pg_set_cutoffs(struct as_pg_maker *mk, as_val flat)
{
	mk->pg->node_cutoff = pg_nodes_fraction(flat, mk->opts->node_fraction);
	mk->pg->edge_cutoff = pg_nodes_fraction(flat, mk->opts->edge_fraction);
}
