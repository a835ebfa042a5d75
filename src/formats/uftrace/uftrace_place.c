/* SPDX-License-Identifier: Apache-2.0 */
/* From addresses to functions: by the mappings of the session, and the symbols of the binary. */
#include "formats/uftrace/uftrace.h"

enum { GENERATIONS_MAX = 64, AFTER_LAST_SYMBOL = 0x10000 };

/* ---- sessions ---- */

static uint32_t uftrace_place_syms(const struct uftrace *u, struct as_slice path)
{
	struct as_slice base = as_base_name(path);

	for (uint32_t i = 0; i < u->syms.n; i++)
		if (u->syms.p[i].path.len && as_slice_eq(u->syms.p[i].path, path))
			return i + 1;
	for (uint32_t i = 0; i < u->syms.n; i++)
		if (base.len && !u->syms.p[i].path.len && as_slice_eq(u->syms.p[i].file, base))
			return i + 1;
	return 0;
}

static uint32_t uftrace_place_find_maps(const struct uftrace *u, struct as_slice sid)
{
	for (uint32_t i = 0; i < u->maps.n; i++)
		if (as_slice_eq(u->maps.p[i].sid, sid))
			return i + 1;
	return 0;
}

/* How far a library goes is known by its symbols only. */
static enum as_code uftrace_place_load(struct uftrace *u, const struct uftrace_dlopen *d)
{
	uint32_t maps = uftrace_place_find_maps(u, d->sid);
	struct uftrace_map m = {.start = d->base, .path = d->path};
	const struct uftrace_syms *syms;

	m.syms = uftrace_place_syms(u, d->path);
	if (!maps || !m.syms || !u->syms.p[m.syms - 1].sym.n)
		return AS_OK;
	syms = &u->syms.p[m.syms - 1];
	if (__builtin_add_overflow(m.start, syms->sym.p[syms->sym.n - 1].addr, &m.end) ||
		__builtin_add_overflow(m.end, AFTER_LAST_SYMBOL, &m.end))
		return AS_OK;
	return as_err_memory(u->rd->err, as_vec_push(u->al, &u->maps.p[maps - 1].map, m));
}

static enum as_code uftrace_place_object(struct uftrace *u, struct uftrace_map *m)
{
	AS_TRY(as_build_object(u->rd->out, m->path, m->id, &m->object));
	if (m->object.i)
		u->rd->out->prof->object.p[m->object.i].addr_kind = AS_ADDR_FILE_OFFSET;
	return AS_OK;
}

enum as_code as_uftrace_begin_places(struct uftrace *u)
{
	for (size_t i = 0; i < u->dlopen.n; i++)
		AS_TRY(uftrace_place_load(u, &u->dlopen.p[i]));
	for (size_t i = 0; i < u->maps.n; i++)
		for (size_t k = 0; k < u->maps.p[i].map.n; k++) {
			struct uftrace_map *m = &u->maps.p[i].map.p[k];

			if (!m->syms)
				m->syms = uftrace_place_syms(u, m->path);
		}
	for (size_t i = 0; i < u->session.n; i++)
		u->session.p[i].maps = uftrace_place_find_maps(u, u->session.p[i].sid);
	return AS_OK;
}

uint64_t as_uftrace_process(const struct uftrace *u, uint64_t tid)
{
	for (size_t i = 0; i < u->task.n; i++)
		if (u->task.p[i].tid == tid)
			return u->task.p[i].pid;
	return tid;
}

/* The last session of PID that began by TIME, or, EARLY, its first one; NULL: there is none.
 * *UNTIL: no later than its next one begins. */
static const struct uftrace_session *uftrace_place_session(
	const struct uftrace *u, uint64_t pid, uint64_t time, bool early, uint64_t *until)
{
	const struct uftrace_session *best = NULL;

	for (size_t i = 0; i < u->session.n; i++) {
		const struct uftrace_session *s = &u->session.p[i];

		if (s->pid != pid)
			continue;
		if (s->time > time && s->time < *until)
			*until = s->time;
		if (s->time <= time ? !best || best->time > time || s->time >= best->time
				    : early && (!best || s->time < best->time))
			best = s;
	}
	return best;
}

/* What a process is before it has a session of its own is what the process was that it is a copy
 * of. */
uint32_t as_uftrace_maps_at(const struct uftrace *u, uint64_t pid, uint64_t time, uint64_t *until)
{
	const struct uftrace_session *s;
	uint64_t own = pid;

	*until = UINT64_MAX;
	for (int i = 0; i < GENERATIONS_MAX; i++) {
		size_t k = 0;

		s = uftrace_place_session(u, pid, time, false, until);
		if (s)
			return s->maps;
		while (k < u->fork.n && u->fork.p[k].pid != pid)
			k++;
		if (k == u->fork.n)
			break;
		pid = u->fork.p[k].parent;
	}
	s = uftrace_place_session(u, own, time, true, until);
	return s ? s->maps : 0;
}

/* ---- addresses ---- */

static struct as_slice uftrace_place_name(const struct uftrace_syms *syms, uint64_t addr)
{
	size_t lo = 0, hi = syms->sym.n;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (syms->sym.p[mid].addr <= addr)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo ? syms->sym.p[lo - 1].name : (struct as_slice){"", 0};
}

static enum as_code uftrace_place_find(
	struct uftrace *u, uint32_t maps, uint64_t addr, struct as_pos *pos)
{
	struct uftrace_map *map = NULL;
	struct as_slice name = {"", 0};
	as_object object = {0};

	for (size_t i = 0; maps && !map && i < u->maps.p[maps - 1].map.n; i++) {
		struct uftrace_map *m = &u->maps.p[maps - 1].map.p[i];

		if (addr >= m->start && addr < m->end)
			map = m;
	}
	pos->addr = addr;
	if (map) {
		AS_TRY(uftrace_place_object(u, map));
		object = map->object;
		pos->addr = addr - map->start + map->offset;
		if (map->syms)
			name = uftrace_place_name(&u->syms.p[map->syms - 1],
				u->features & UFTRACE_HAS_RELATIVE ? pos->addr : addr);
	}
	if (name.len)
		pos->addr = 0; /* only that it is in the function is known */
	return as_build_func(u->rd->out, name, object, (as_file){0}, pos->addr, &pos->func);
}

enum as_code as_uftrace_place(struct uftrace *u, uint32_t maps, uint64_t addr, as_place *out)
{
	struct uftrace_code code = {.addr = addr, .maps = maps};
	uint64_t at = AS_INDEX_START, hash = as_hash_mix(addr, maps);
	struct as_pos pos = {0};
	uint32_t row;

	while (as_index_find(&u->codes, hash, &at, &row))
		if (u->code.p[row].addr == addr && u->code.p[row].maps == maps) {
			*out = u->code.p[row].place;
			return AS_OK;
		}
	AS_TRY(uftrace_place_find(u, maps, addr, &pos));
	AS_TRY(as_build_place(u->rd->out, &pos, &code.place));
	*out = code.place;
	row = (uint32_t)u->code.n;
	return as_err_memory(u->rd->err,
		as_vec_push(u->al, &u->code, code) && as_index_add(&u->codes, hash, row));
}

enum as_code as_uftrace_thing(
	struct uftrace *u, const char *object, const char *name, as_place *out)
{
	struct as_pos pos = {0};
	as_object o;

	AS_TRY(as_build_object(u->rd->out, as_slice_of(object), as_slice_of(""), &o));
	AS_TRY(as_build_func(u->rd->out, as_slice_of(name), o, (as_file){0}, 0, &pos.func));
	return as_build_place(u->rd->out, &pos, out);
}
