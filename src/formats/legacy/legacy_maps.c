/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The list of mappings at the end: lines of /proc/PID/maps, short ones, and values to be put in.
 *
 *	build=/home/me
 *	00400000-00fcb000: $build/server (@1000) 55c98009e56a
 *	I0102 03:04:05.678901 1234 file.cc:12] 00400000-00fcb000 r-xp 00000000 03:01 12 /server
 */
#include "formats/legacy/legacy.h"

/* "start-end: file (@off) id": the id is cut off the path. */
static struct as_slice cut_build_id(struct as_map_line *line)
{
	size_t at = as_slice_find_text(line->path, " (@"), close;
	struct as_slice rest, id;

	if (at == line->path.len)
		return (struct as_slice){NULL, 0};
	rest = as_slice_skip(line->path, at + 3);
	close = as_slice_find(rest, ')');
	if (close == rest.len || !as_slice_hex((struct as_slice){rest.p, close}, &line->offset))
		return (struct as_slice){NULL, 0};
	id = as_slice_trim(as_slice_skip(rest, close + 1));
	if (!as_slice_is_hex(id))
		return (struct as_slice){NULL, 0};
	line->path.len = at;
	return id;
}

/* "key=value", a key of letters: it is said before it is used. */
static bool legacy_maps_value(struct as_lg_maps *m, struct as_slice line, bool *ok)
{
	struct as_slice value = as_slice_trim(line), key;

	if (!as_slice_has(value, '=') || !as_slice_cut(&value, '=', &key) || !key.len)
		return false;
	for (size_t i = 0; i < key.len; i++)
		if (!(key.p[i] == '_' || (key.p[i] >= 'a' && key.p[i] <= 'z') ||
			    (key.p[i] >= 'A' && key.p[i] <= 'Z')))
			return false;
	*ok = as_vec_push(m->al, &m->key, as_slice_trim(key)) &&
	      as_vec_push(m->al, &m->value, as_slice_trim(value));
	return true;
}

/* PATH with all "$key" in it as they stand above. p == NULL: out of memory. */
static struct as_slice legacy_maps_path(struct as_lg_maps *m, struct as_slice path)
{
	for (size_t i = m->key.n; path.p && as_slice_has(path, '$') && i-- > 0;) {
		struct as_slice key = m->key.p[i],
				out = as_arena_printf(&m->arena, "$%.*s", AS_SLICE_FMT(key));
		size_t at = out.p ? as_slice_find_text(path, out.p) : path.len;

		if (!out.p)
			return out;
		if (at < path.len)
			path = as_arena_printf(&m->arena, "%.*s%.*s%.*s", (int)at, path.p,
				AS_SLICE_FMT(m->value.p[i]),
				AS_SLICE_FMT(as_slice_skip(path, at + out.len)));
	}
	return path;
}

static bool legacy_maps_push(
	struct as_lg_maps *m, const struct as_map_line *line, struct as_slice id)
{
	return as_vec_push(m->al, &m->line, *line) && as_vec_push(m->al, &m->id, id) &&
	       as_vec_push(m->al, &m->object, (as_object){0});
}

enum as_code as_lg_map_add(struct as_lg_read *l, struct as_slice text)
{
	struct as_lg_maps *m = &l->maps;
	struct as_map_line line = {
		.text = as_arena_dup(&m->arena, as_slice_chop(text)), .off = l->line_off};
	size_t log;
	bool ok = true;

	AS_TRY(as_err_memory(l->rd->err, line.text.p));
	if (!as_slice_trim(line.text).len)
		return AS_OK;
	as_map_line_parse(&line);
	log = as_slice_find_text(line.text, "] ");
	if (!line.is_map && log < line.text.len && !as_slice_has(line.text, '[')) {
		line.text = as_slice_skip(line.text, log + 2);
		as_map_line_parse(&line);
	}
	if (line.is_map) {
		struct as_slice id = cut_build_id(&line);

		line.path = legacy_maps_path(m, line.path);
		ok = (line.path.p || !m->arena.failed) && legacy_maps_push(m, &line, id);
	} else if (!legacy_maps_value(m, line.text, &ok)) {
		return as_rd_find(l->rd, AS_F_LG_MAP_LINE, l->line_off, l->line,
			"no mapping: '%.*s'", LG_SHOWN(line.text));
	}
	return as_err_memory(l->rd->err, ok);
}

static enum as_code legacy_maps_put(struct as_lg_read *l, size_t i)
{
	struct as_build *b = l->rd->out;
	const struct as_map_line *line = &l->maps.line.p[i];
	struct as_addr_range range = {line->start, line->limit, (uint32_t)i};
	struct as_map map = {.start = line->start,
		.limit = line->limit,
		.offset = line->offset,
		.part = l->part,
		.exec = line->exec};

	as_assert(i < l->maps.line.n);
	AS_TRY(as_build_object(b, line->path, l->maps.id.p[i], &map.object));
	AS_TRY(as_build_str(b, line->text, &map.text));
	l->maps.object.p[i] = map.object;
	if (map.object.i)
		b->prof->object.p[map.object.i].addr_kind =
			as_map_is_memory(line->path) ? AS_ADDR_ABSOLUTE : AS_ADDR_FILE_OFFSET;
	AS_TRY(as_build_map(b, &map));
	if (!line->exec || !line->path.len || as_slice_is(line->path, AS_MAP_NULL))
		return AS_OK;
	return as_err_memory(l->rd->err, as_vec_push(l->maps.al, &l->maps.ranges.row, range));
}

enum as_code as_lg_maps_build(struct as_lg_read *l)
{
	for (size_t i = 0; i < l->maps.line.n; i++)
		AS_TRY(legacy_maps_put(l, i));
	return as_err_memory(l->rd->err, as_addr_ranges_make(&l->maps.ranges));
}
