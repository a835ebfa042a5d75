/* SPDX-License-Identifier: Apache-2.0 */
/* Parts, and what belongs to them: metadata and mappings. */
#include "change/merge/merge_impl.h"

#include "base/sort.h"

/* ---- parts ---- */

/* True if HAVE and FROM differ; HAVE is not known then. */
static enum as_code merge_parts_keep_equal(
	struct as_merge_add_job *j, as_str *have, as_str from, bool *differ)
{
	as_str text;

	AS_TRY(as_remap_str(&j->r, from, &text));
	*differ |= have->i != text.i;
	if (have->i != text.i)
		have->i = 0;
	return AS_OK;
}

static bool keep_equal_number(uint64_t *have, bool *has, uint64_t from, bool from_has)
{
	bool differ = *has != from_has || *have != from;

	if (differ) {
		*has = false;
		*have = 0;
	}
	return differ;
}

static enum as_code first_part(struct as_merge_add_job *j, const struct as_part *from)
{
	struct as_part p = *from;

	AS_TRY(as_remap_each(&j->r, &p.name, &p.command, &p.creator, &p.thread));
	p.event = NULL; /* set when all inputs are there */
	p.n_events = p.n_summary = p.n_totals = 0;
	p.summary = p.totals = NULL;
	p.first_label = p.n_labels = 0;
	j->m->b.prof->part.p[0] = p;
	return AS_OK;
}

/* Fold a part of the input into the one there is. */
static enum as_code fold_part(struct as_merge_add_job *j, const struct as_part *from)
{
	struct as_part *p = &j->m->b.prof->part.p[0];
	bool differ = false, name_differs = false;

	p->positions |= from->positions;
	AS_TRY(merge_parts_keep_equal(j, &p->name, from->name, &name_differs));
	AS_TRY(merge_parts_keep_equal(j, &p->command, from->command, &differ));
	AS_TRY(merge_parts_keep_equal(j, &p->creator, from->creator, &differ));
	AS_TRY(merge_parts_keep_equal(j, &p->thread, from->thread, &differ));
	differ |= keep_equal_number(&p->pid, &p->has_pid, from->pid, from->has_pid);
	differ |= keep_equal_number(&p->tid, &p->has_tid, from->tid, from->has_tid);
	keep_equal_number(&p->number, &p->has_number, from->number, from->has_number);
	as_lose(j->l, AS_CAPBIT_PROCESS, differ);
	return AS_OK;
}

/* Where that is told by labels, what the result says beside them holds for all of it. */
static enum as_code fold_owner(struct as_merge_add_job *j, const struct as_part *from)
{
	struct as_part *p = &j->m->b.prof->part.p[0];
	bool differ = false;

	AS_TRY(merge_parts_keep_equal(j, &p->command, from->command, &differ));
	AS_TRY(merge_parts_keep_equal(j, &p->thread, from->thread, &differ));
	keep_equal_number(&p->pid, &p->has_pid, from->pid, from->has_pid);
	keep_equal_number(&p->tid, &p->has_tid, from->tid, from->has_tid);
	return AS_OK;
}

enum { OWN_LABELS = 4 };

static bool merge_parts_has_label(const struct as_merge *m, uint32_t n, const char *key)
{
	for (uint32_t i = 0; i < n; i++)
		if (as_slice_is(as_str_get(m->b.prof, m->label.p[i].key), key))
			return true;
	return false;
}

/* A label that is there already stays: the part comes from a merged profile. */
static enum as_code own_label(
	struct as_merge_add_job *j, const char *key, as_str text, uint64_t number, uint32_t *n)
{
	struct as_label *label = &j->m->label.p[*n];

	if (merge_parts_has_label(j->m, *n, key))
		return AS_OK;
	as_assert(*n < j->m->label.cap);
	(*n)++;
	*label = (struct as_label){.number = (int64_t)number};
	AS_TRY(as_remap_str(&j->r, text, &label->text));
	return as_build_str(&j->m->b, as_slice_of(key), &label->key);
}

/* The last word of the path that the command begins with. */
static enum as_code program_label(
	struct as_merge_add_job *j, const struct as_part *from, uint32_t *n)
{
	struct as_slice rest = as_str_get(j->src, from->command), program;
	struct as_label *label = &j->m->label.p[*n];

	if (!as_slice_word(&rest, &program) || merge_parts_has_label(j->m, *n, "process"))
		return AS_OK;
	AS_TRY(own_label(j, "process", (as_str){0}, 0, n));
	return as_build_str(&j->m->b, as_base_name(program), &label->text);
}

/* What tells the part from others, behind its labels. */
static enum as_code own_labels(struct as_merge_add_job *j, const struct as_part *from, uint32_t *n)
{
	if (!j->m->opts.label_parts)
		return AS_OK;
	if (from->has_pid)
		AS_TRY(own_label(j, "pid", (as_str){0}, from->pid, n));
	if (from->has_tid)
		AS_TRY(own_label(j, "tid", (as_str){0}, from->tid, n));
	if (from->thread.i)
		AS_TRY(own_label(j, "comm", from->thread, 0, n));
	return j->m->opts.label_programs && from->command.i ? program_label(j, from, n) : AS_OK;
}

/* The part of the result that has the labels of part I of the input. */
static enum as_code labelled_part(struct as_merge_add_job *j, uint32_t i)
{
	uint32_t n = j->src->part.p[i].n_labels;
	struct as_merge *m = j->m;

	if (m->opts.drop_labels)
		return AS_OK;
	AS_TRY(as_err_memory(m->err, as_vec_reserve(m->own, &m->label, n + OWN_LABELS)));
	AS_TRY(as_remap_labels(&j->r, i, m->label.p));
	AS_TRY(own_labels(j, &j->src->part.p[i], &n));
	return n ? as_build_labelled(&m->b, m->label.p, n, &j->r.part[i]) : AS_OK;
}

/* What labels split off goes where the rest is. */
static enum as_code parts_without_labels(struct as_merge_add_job *j)
{
	AS_TRY(as_remap_parts(&j->r, true, true));
	as_lose(j->l, AS_CAPBIT_LABELS, j->src->label.n);
	return AS_OK;
}

/* The parts of the input that labels did not split off; its first one if there are none. */
static bool merge_parts_is_whole(const struct as_profile *src, size_t i)
{
	return i == 0 || !src->part.p[i].n_labels;
}

enum as_code as_merge_parts(struct as_merge_add_job *j)
{
	struct as_merge *m = j->m;
	uint64_t sums = 0;
	uint32_t part;

	if (m->opts.keep_parts)
		return m->opts.drop_labels ? parts_without_labels(j)
					   : as_remap_parts(&j->r, true, false);
	for (size_t i = 0; i < j->src->part.n; i++) {
		const struct as_part *from = &j->src->part.p[i];

		j->r.part[i] = 0;
		m->n_parts += merge_parts_is_whole(j->src, i);
		m->has_events |= from->n_events != 0;
		if (m->b.prof->part.n == 0) {
			AS_TRY(as_build_part(&m->b, &part));
			AS_TRY(first_part(j, from));
		} else if (merge_parts_is_whole(j->src, i)) {
			AS_TRY(fold_part(j, from));
		}
		if (m->opts.label_parts)
			AS_TRY(fold_owner(j, from));
		AS_TRY(labelled_part(j, (uint32_t)i));
		sums += from->summary != NULL;
		sums += from->totals != NULL;
	}
	as_lose(j->l, AS_CAPBIT_SUMMARY, sums);
	return AS_OK;
}

void as_merge_settle_parts(struct as_merge *m)
{
	struct as_part *part = m->b.prof->part.p;

	for (size_t i = 1; i < m->b.prof->part.n; i++) {
		uint32_t first = part[i].first_label, n = part[i].n_labels;

		part[i] = part[0];
		part[i].first_label = first;
		part[i].n_labels = n;
	}
}

/* ---- metadata ---- */

static enum as_code find_meta(
	struct as_merge *m, as_str key, as_str text, uint32_t nth, struct as_merge_meta **out)
{
	uint64_t pos = AS_INDEX_START, hash = as_hash_mix(as_hash_mix(key.i, text.i), nth);
	struct as_merge_meta row = {.key = key, .text = text, .nth = nth};
	uint32_t i;

	while (as_index_find(&m->metas, hash, &pos, &i)) {
		*out = &m->meta.p[i];
		if ((*out)->key.i == key.i && (*out)->text.i == text.i && (*out)->nth == nth)
			return AS_OK;
	}
	i = (uint32_t)m->meta.n;
	if (!as_vec_push(m->own, &m->meta, row) || !as_index_add(&m->metas, hash, i))
		return as_err_no_memory(m->err);
	*out = &m->meta.p[i];
	return AS_OK;
}

/* The sum of what parts say stands apart from their lines. */
#define NTH_SUM UINT32_MAX

static enum as_code add_up(struct as_merge *m, const struct as_meta *from, uint32_t stamp)
{
	struct as_merge_meta *row = NULL;
	uint64_t v = 0;

	AS_TRY(find_meta(m, from->key, (as_str){0}, NTH_SUM, &row));
	as_assert(row);
	row->wrong |= row->last == stamp || /* said twice */
		      !as_slice_dec(as_str_get(m->b.prof, from->text), &v) ||
		      v > UINT64_MAX - row->sum;
	row->of = from->of;
	row->last = stamp;
	row->sum += v;
	row->seen++;
	return AS_OK;
}

/* Count a line of the part that STAMP numbers, among equal ones of that part. */
static enum as_code count_meta(struct as_merge *m, const struct as_meta *from, uint32_t stamp)
{
	as_str key = from->key, text = from->text;
	struct as_merge_meta *row = NULL;
	uint32_t nth;

	if (from->of >= AS_META_OF_SUM)
		return add_up(m, from, stamp);
	AS_TRY(find_meta(m, key, text, 0, &row));
	as_assert(row);
	if (row->last != stamp)
		row->times = 0;
	row->last = stamp;
	nth = row->times++;
	AS_TRY(find_meta(m, key, text, nth, &row));
	if (row->of < from->of)
		row->of = from->of;
	row->seen++;
	return AS_OK;
}

/* All parts say it, and it is no number of one run's, or their sum. */
static bool is_common(const struct as_merge *m, const struct as_merge_meta *row)
{
	if (row->of >= AS_META_OF_SUM)
		return (row->seen >= m->n_parts || row->of == AS_META_OF_COUNT) && !row->wrong;
	return row->seen >= m->n_parts && (row->of <= AS_META_OF_ALL || m->n_parts < 2);
}

/* Lines that are not common are lost, as often as they were there, but for what fields say. */
static uint64_t lost_metas(const struct as_merge *m)
{
	uint64_t lost = 0;

	for (size_t i = 0; i < m->meta.n; i++) {
		const struct as_merge_meta *row = &m->meta.p[i];

		if (row->of != AS_META_OF_FIELD && !is_common(m, row))
			lost += row->seen;
	}
	return lost;
}

enum as_code as_merge_metas(struct as_merge_add_job *j)
{
	struct as_merge *m = j->m;
	uint32_t before;
	uint64_t lost;

	if (m->opts.keep_parts)
		return as_remap_metas(&j->r);
	before = m->n_inputs_parts;
	m->n_inputs_parts += (uint32_t)j->src->part.n;
	for (size_t i = 0; i < j->src->meta.n; i++) {
		struct as_meta from = j->src->meta.p[i];

		AS_TRY(as_remap_each(&j->r, &from.key, &from.text));
		AS_TRY(count_meta(m, &from, before + from.part + 1));
	}
	lost = lost_metas(m);
	as_lose(j->l, AS_CAPBIT_META, lost - m->metas_lost);
	m->metas_lost = lost;
	return AS_OK;
}

static enum as_code write_number(struct as_merge *m, uint64_t v, as_str *out)
{
	char text[24];

	snprintf(text, sizeof(text), "%" PRIu64, v);
	return as_build_str(&m->b, as_slice_of(text), out);
}

enum as_code as_merge_place_metas(struct as_merge *m)
{
	if (m->opts.keep_parts)
		return AS_OK;
	for (size_t i = 0; i < m->meta.n; i++) {
		const struct as_merge_meta *row = &m->meta.p[i];
		struct as_meta meta = {.key = row->key, .text = row->text, .of = row->of};

		if (row->of >= AS_META_OF_SUM)
			AS_TRY(write_number(m, row->sum, &meta.text));
		if (is_common(m, row) && !as_vec_push(m->al, &m->b.prof->meta, meta))
			return as_err_no_memory(m->err);
	}
	return AS_OK;
}

/* ---- mappings ---- */

static int map_cmp(const struct as_profile *prof, const struct as_map *a, const struct as_map *b)
{
	int cmp = as_cmp_u64(a->start, b->start);

	cmp = cmp ? cmp : as_cmp_u64(a->limit, b->limit);
	cmp = cmp ? cmp : as_cmp_u64(a->offset, b->offset);
	cmp = cmp ? cmp : as_cmp_u64(a->exec, b->exec);
	cmp = cmp ? cmp : as_cmp_u64(a->has, b->has);
	cmp = cmp ? cmp : as_str_cmp(prof, a->extra, b->extra);
	cmp = cmp ? cmp : as_str_cmp(prof, a->text, b->text);
	if (!cmp)
		cmp = as_str_cmp(
			prof, prof->object.p[a->object.i].path, prof->object.p[b->object.i].path);
	return cmp;
}

/* The order of lists: the longest first, as it explains most; then by content, so that it
 * does not depend on the order of the inputs. */
static int maps_cmp(const void *ctx, uint32_t a, uint32_t b)
{
	const struct as_merge *m = ctx;
	const struct as_merge_maps *x = &m->maps.p[a], *y = &m->maps.p[b];
	int cmp = as_cmp_u64(y->n, x->n);

	for (size_t i = 0; !cmp && i < x->n; i++)
		cmp = map_cmp(m->b.prof, &m->map.p[x->first + i], &m->map.p[y->first + i]);
	return cmp;
}

enum as_code as_merge_keep_maps(struct as_merge_add_job *j)
{
	struct as_merge *m = j->m;

	if (m->opts.keep_parts)
		return as_remap_maps(&j->r);
	for (size_t i = 0; i < j->src->map.n;) {
		struct as_merge_maps list = {.first = m->map.n};
		uint32_t part = j->src->map.p[i].part;

		for (; i < j->src->map.n && j->src->map.p[i].part == part; i++) {
			struct as_map map = j->src->map.p[i];

			map.object.i = j->r.object[map.object.i];
			map.part = 0;
			AS_TRY(as_remap_each(&j->r, &map.text, &map.extra));
			AS_TRY(as_err_memory(m->err, as_vec_push(m->own, &m->map, map)));
		}
		list.n = m->map.n - list.first;
		AS_TRY(as_err_memory(m->err, as_vec_push(m->own, &m->maps, list)));
		if (m->maps.n > 1 &&
			maps_cmp(m, (uint32_t)m->maps.n - 2, (uint32_t)m->maps.n - 1) == 0) {
			m->map.n = list.first; /* the same once more */
			m->maps.n--;
		}
	}
	return AS_OK;
}

static enum as_addr_kind merge_parts_kind(const struct as_profile *dst, const struct as_map *map)
{
	return dst->object.p[map->object.i].addr_kind;
}

/* The addresses that MAP explains are explained by a mapping that is kept. Those in memory are so
 * by one that leads to the same places only. */
static bool is_covered(const struct as_profile *dst, const struct as_map *map)
{
	bool absolute = merge_parts_kind(dst, map) == AS_ADDR_ABSOLUTE;

	for (uint32_t i = dst->object.p[map->object.i].map; i; i = dst->map.p[i - 1].next) {
		const struct as_map *have = &dst->map.p[i - 1];

		as_assert(have->object.i == map->object.i);
		if (absolute && have->start - have->offset != map->start - map->offset)
			continue;
		if (have->exec >= map->exec && have->offset <= map->offset &&
			map->offset - have->offset <= have->limit - have->start &&
			map->limit - map->start <=
				have->limit - have->start - (map->offset - have->offset))
			return true;
	}
	return false;
}

static bool is_free(const struct as_profile *dst, uint64_t start, uint64_t limit)
{
	for (size_t i = 0; i < dst->map.n; i++)
		if (start < dst->map.p[i].limit && dst->map.p[i].start < limit)
			return false;
	return true;
}

/* Another run's mapping may be where one of the first run's is: it moves behind all of them,
 * and its line is no longer the source's. */
static bool merge_parts_make_room(struct as_merge *m, struct as_map *map)
{
	const struct as_profile *dst = m->b.prof;
	struct as_merge_room *room = &m->room;
	uint64_t size = map->limit - map->start, top, align = 0x1000;

	if (is_free(dst, map->start, map->limit))
		return true;
	if (!room->n)
		*room = (struct as_merge_room){.high = UINT64_MAX};
	for (; room->n < dst->map.n; room->n++) {
		const struct as_map *have = &dst->map.p[room->n];

		if (have->limit > room->top && have->limit < UINT64_C(1) << 47)
			room->top = have->limit;
		else if (have->limit >= UINT64_C(1) << 47 && have->start < room->high)
			room->high = have->start;
	}
	top = (room->top + align - 1) / align * align + map->start % align;
	if (size > UINT64_MAX - top || (top + size > room->high && !is_free(dst, top, top + size)))
		return false;
	map->start = top;
	map->limit = top + size;
	map->text.i = 0;
	return true;
}

/* Until the profile is finished, an object leads to the mapping of it that was kept last. */
static enum as_code place_map(struct as_merge *m, const struct as_map *map)
{
	struct as_profile *dst = m->b.prof;
	uint32_t *last = &dst->object.p[map->object.i].map;

	AS_TRY(as_build_map(&m->b, map));
	dst->map.p[dst->map.n - 1].next = *last;
	*last = (uint32_t)dst->map.n;
	return AS_OK;
}

/* Some places of the file that both are of are in both. */
static bool merge_parts_overlap(const struct as_map *a, const struct as_map *b)
{
	return a->exec == b->exec &&
	       (a->offset <= b->offset ? b->offset - a->offset < a->limit - a->start
				       : a->offset - b->offset < b->limit - b->start);
}

/*
 * Where MAP and one that is kept have places of their file in common, that one becomes as wide as
 * both: who reads the profile could not tell them apart by the place. Of addresses that are places
 * in a file it does not matter where they were in memory. False: there is none, or no room.
 */
static bool merge_parts_widen(struct as_merge *m, const struct as_map *map)
{
	struct as_profile *dst = m->b.prof;

	for (uint32_t i = dst->object.p[map->object.i].map; i; i = dst->map.p[i - 1].next) {
		struct as_map *have = &dst->map.p[i - 1], was = *have, wide = was;
		uint64_t end = was.offset + (was.limit - was.start);
		uint64_t more = map->offset + (map->limit - map->start);
		bool widened;

		if (!merge_parts_overlap(&was, map) || end < was.offset || more < map->offset)
			continue;
		wide.offset = was.offset < map->offset ? was.offset : map->offset;
		wide.text.i = 0;
		end = (end > more ? end : more) - wide.offset;
		have->start = have->limit = 0; /* it is in nobody's way */
		m->room.n = 0;
		wide.limit = wide.start + end;
		widened = wide.limit > wide.start && merge_parts_make_room(m, &wide);
		*have = widened ? wide : was;
		m->room.n = 0;
		if (widened)
			return true;
	}
	return false;
}

/* Whether MAP, which is not of the first list, has a row of its own. */
static bool merge_parts_is_wanted(struct as_merge *m, struct as_map *map)
{
	const struct as_profile *dst = m->b.prof;
	enum as_addr_kind kind = merge_parts_kind(dst, map);

	if (!map->object.i || map->limit <= map->start || is_covered(dst, map))
		return false;
	if (kind == AS_ADDR_FILE_OFFSET && merge_parts_widen(m, map))
		return false;
	/* Addresses in memory cannot move. */
	return kind == AS_ADDR_ABSOLUTE || merge_parts_make_room(m, map);
}

static enum as_code place_list(struct as_merge *m, const struct as_merge_maps *list, bool first)
{
	as_assert(list->first <= m->map.n && list->n <= m->map.n - list->first);
	for (size_t i = 0; i < list->n; i++) {
		struct as_map map = m->map.p[list->first + i];

		if (!first && !merge_parts_is_wanted(m, &map))
			continue;
		AS_TRY(place_map(m, &map));
	}
	return AS_OK;
}

enum as_code as_merge_place_maps(struct as_merge *m)
{
	struct as_profile *dst = m->b.prof;
	uint32_t *order;

	if (m->opts.keep_parts)
		return AS_OK;
	for (size_t i = 0; i < dst->object.n; i++)
		dst->object.p[i].map = 0;
	order = as_sorted_rows(m->own, m->maps.n, maps_cmp, m);
	AS_TRY(as_err_memory(m->err, order));
	for (size_t i = 0; i < m->maps.n; i++)
		AS_TRY(place_list(m, &m->maps.p[order[i]], i == 0));
	return AS_OK;
}
