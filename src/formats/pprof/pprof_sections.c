/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Files in sections: a front, samples by the mappings that they end in, and tables of what several
 * of these need. Who asks for one image reads the front, the section that has it, and the tables
 * that this needs. What the front says of sections is compared with what is there.
 */
#include "formats/pprof/pprof_sections.h"

/* ---- which are asked for ---- */

struct choosing {
	const struct as_alloc *al;
	const struct as_rd_choice *choice;
	AS_VEC(struct as_slice) str;
	AS_VEC(uint64_t) file; /* of each mapping, whose ids are 1 and so on */
	AS_VEC(struct as_pb_cur) section;
	bool *wants; /* as many as mappings, and one */
};

static bool sections_note_map(struct choosing *c, struct as_pb_cur msg)
{
	uint64_t v[PB_MAP_HAS_LAST + 1];

	return as_pb_plain_numbers(msg, v, PB_MAP_HAS_LAST) && v[PB_MAP_ID] == c->file.n + 1 &&
	       as_vec_push(c->al, &c->file, v[PB_MAP_FILE]);
}

static bool sections_note(struct choosing *c, const struct as_pb_field *f)
{
	struct as_slice s = {(const char *)f->data.p, (size_t)(f->data.end - f->data.p)};

	if (f->type != AS_PB_BYTES)
		return true;
	if (f->number == PB_STRING_TABLE)
		return as_vec_push(c->al, &c->str, s);
	if (f->number == PB_OWN_SECTION)
		return as_vec_push(c->al, &c->section, f->data);
	return f->number != PB_MAPPING || sections_note_map(c, f->data);
}

/* The strings that stand behind one. */
static bool sections_note_strings(struct choosing *c, struct as_pb_cur *cur)
{
	size_t n = as_pb_count_strings(cur, SIZE_MAX);

	if (!n)
		return true;
	if (!as_vec_reserve(c->al, &c->str, c->str.n + n))
		return false;
	as_pb_take_strings(cur, n, c->str.p + c->str.n);
	c->str.n += n;
	return true;
}

/* All of FRONT is what its first field says that it is. */
static bool sections_look(struct choosing *c, struct as_slice front)
{
	const uint8_t *p = (const uint8_t *)front.p;
	struct as_pb_cur cur = {p, p + front.len};
	struct as_pb_field f;
	const char *why;
	enum as_code rc;

	if (as_pb_next(&cur, &f, &why) != AS_OK || f.number != PB_OWN_FRONT ||
		f.type != AS_PB_VARINT || f.v != (uint64_t)(cur.end - cur.p))
		return false;
	while ((rc = as_pb_next(&cur, &f, &why)) == AS_OK)
		if (!sections_note(c, &f) ||
			(f.number == PB_STRING_TABLE && !sections_note_strings(c, &cur)))
			return false;
	return rc == AS_END;
}

/* What is asked for: mappings by their ids, 0 for none. Each is asked of, whether or not a section
 * has it. */
static bool sections_ask(struct choosing *c)
{
	static const struct as_slice none = {"", 0};

	if (!as_alloc_array(c->al, &c->wants, c->file.n + 1))
		return false;
	c->wants[0] = c->choice->object(c->choice->ctx, none);
	for (size_t i = 0; i < c->file.n; i++) {
		uint64_t file = c->file.p[i];

		if (file >= c->str.n)
			return false;
		c->wants[i + 1] =
			file ? c->choice->object(c->choice->ctx, c->str.p[file]) : c->wants[0];
	}
	return true;
}

static bool sections_wants(const struct choosing *c, struct as_pb_cur msg, bool *wants)
{
	struct as_pb_field f;
	const char *why;
	enum as_code rc;
	uint64_t id;

	*wants = false;
	while ((rc = as_pb_next(&msg, &f, &why)) == AS_OK) {
		if (f.number != PB_SECTION_MAP || f.type != AS_PB_BYTES)
			continue;
		for (; f.data.p < f.data.end && !*wants; *wants = c->wants[id])
			if (!as_pb_varint(&f.data.p, f.data.end, &id) || id > c->file.n)
				return false;
	}
	return rc == AS_END;
}

/* The tables that a section needs, of N sections. */
static bool sections_want_tables(struct as_pb_cur msg, bool *wanted, size_t n)
{
	struct as_pb_field f;
	const char *why;
	uint64_t id;

	while (as_pb_next(&msg, &f, &why) == AS_OK) {
		if (f.number != PB_SECTION_TABLE || f.type != AS_PB_BYTES)
			continue;
		for (; f.data.p < f.data.end; wanted[id] = true)
			if (!as_pb_varint(&f.data.p, f.data.end, &id) || !id || id >= n)
				return false;
	}
	return true;
}

/* Older files say nothing of the last section, which is all their tables. */
static bool pb_sections_choose(struct choosing *c, bool *wanted, size_t n)
{
	if ((c->section.n + 1 != n && c->section.n + 2 != n) || !sections_ask(c))
		return false;
	memset(wanted, 0, n * sizeof(*wanted));
	wanted[0] = true;
	for (size_t i = 0; i < c->section.n; i++) {
		bool wants;

		if (!sections_wants(c, c->section.p[i], &wants))
			return false;
		if (!wants)
			continue;
		wanted[i + 1] = true;
		if (c->section.n + 2 == n)
			wanted[n - 1] = true;
		else if (!sections_want_tables(c->section.p[i], wanted, n))
			return false;
	}
	return true;
}

bool as_pb_sections(const struct as_alloc *al, struct as_slice first,
	const struct as_rd_choice *choice, bool *wanted, size_t n)
{
	struct choosing c = {.al = al, .choice = choice};
	bool ok = choice->object && sections_look(&c, first) && pb_sections_choose(&c, wanted, n);

	if (c.wants)
		as_alloc_free(al, c.wants, (c.file.n + 1) * sizeof(*c.wants) + 1);
	as_vec_free(al, &c.str);
	as_vec_free(al, &c.file);
	as_vec_free(al, &c.section);
	return ok;
}

/* ---- what they say, and what is there ---- */

bool as_pb_is_front_alone(const struct as_rd *rd)
{
	for (size_t i = 1; rd->sections && i < rd->n_sections; i++)
		if (rd->sections[i])
			return false;
	return rd->sections;
}

static bool sections_is_there(const struct as_pb_read *r, size_t section)
{
	return !r->rd->sections || r->rd->sections[section + 1];
}

/* The first thing that is wrong is told; the samples hold. */
static enum as_code sections_lie(struct as_pb_read *r, size_t section, const char *what)
{
	struct as_pb_at at = {"section", section + 1, NULL};

	r->sections_lie = true;
	return as_pb_find(r, AS_F_PB_FRONT, 0, &at, "%s", what);
}

/* ---- strings ---- */

enum { STRINGS_MAX = 1 << 22 };

/* How many strings the front says that section I, which is not the front, has. */
static uint64_t sections_told(const struct as_pb_read *r, size_t i)
{
	struct as_pb_cur msg = r->sections.p[i - 1];
	struct as_pb_field f;
	const char *why;

	while (as_pb_next(&msg, &f, &why) == AS_OK)
		if (f.number == PB_SECTION_STR && f.type == AS_PB_VARINT)
			return f.v;
	return 0;
}

/* Those from number FIRST on that stand before END. An empty one may end there. */
static size_t sections_strings_to(const struct as_pb_read *r, size_t first, const uint8_t *end)
{
	size_t i = first;

	while (i < r->str.n && (const uint8_t *)r->str.p[i].p <= end)
		i++;
	return i - first;
}

/* All strings are there: those behind the front are as many as it says. Older files say nothing. */
static enum as_code sections_check_strings(struct as_pb_read *r)
{
	uint64_t told = 0, n = r->str.n - sections_strings_to(r, 0, r->front_end);

	for (size_t i = 1; i <= r->sections.n && told <= r->str.n; i++)
		told += sections_told(r, i) < r->str.n ? sections_told(r, i) : n + 1;
	return told && told != n ? sections_lie(r, r->sections.n - 1,
					   "all have other strings than the front says")
				 : AS_OK;
}

/* How many strings all sections have; each that is there has as many as the front says. */
static enum as_code sections_count_strings(struct as_pb_read *r, uint64_t *all)
{
	const uint8_t *end = r->base + r->rd->sections[0];
	size_t at = sections_strings_to(r, 0, end);

	*all = at;
	for (size_t i = 1; i < r->rd->n_sections; i++) {
		uint64_t told = sections_told(r, i);
		size_t n;

		end += r->rd->sections[i];
		n = r->rd->sections[i] ? sections_strings_to(r, at, end) : 0;
		if (told > STRINGS_MAX || *all + told > STRINGS_MAX ||
			(r->rd->sections[i] && n != told))
			return sections_lie(r, i - 1, "it has other strings than the front says");
		at += n;
		*all += told;
	}
	return AS_OK;
}

/* Strings are numbered through all of the file: those that are there to their numbers. */
static enum as_code sections_place_strings(struct as_pb_read *r)
{
	size_t from = r->str.n;
	uint64_t to;

	if (r->sections.n + 1 != r->rd->n_sections)
		return AS_OK; /* an older file, or it was told */
	AS_TRY(sections_count_strings(r, &to));
	if (r->sections_lie)
		return AS_OK;
	AS_TRY(as_err_memory(r->rd->err, as_vec_reserve(r->al, &r->str, (size_t)to) &&
						 as_vec_reserve(r->al, &r->str_of, (size_t)to)));
	r->str.n = r->str_of.n = (size_t)to;
	memset(r->str_of.p, 0, (size_t)to * sizeof(*r->str_of.p));
	for (size_t i = r->rd->n_sections; i-- > 1 && from < to;) {
		size_t n = (size_t)sections_told(r, i);

		to -= n;
		if (!r->rd->sections[i]) {
			memset(r->str.p + to, 0, n * sizeof(*r->str.p));
			continue;
		}
		from -= n;
		memmove(r->str.p + to, r->str.p + from, n * sizeof(*r->str.p));
	}
	return AS_OK;
}

/* ---- locations, functions and mappings ---- */

/* Ids beyond are of others; and how many there are, about. */
enum {
	IDS_MAX = 1 << 24,
	IDS_ABOUT = 1 << 12,
	SOME_ABOUT = 1 << 11,
	NAMES_ABOUT = 3 << 10,
	MAPS_ABOUT = 1 << 9,
	STRINGS_ABOUT = 1 << 13
};

bool as_pb_reserve_some(struct as_pb_read *r)
{
	struct as_build *b = r->rd->out;

	return as_build_reserve_funcs(b, SOME_ABOUT) == AS_OK &&
	       as_strings_reserve(&b->prof->strings, NAMES_ABOUT) &&
	       as_vec_reserve(r->al, &r->str, STRINGS_ABOUT) &&
	       as_vec_reserve(r->al, &r->str_of, STRINGS_ABOUT) &&
	       as_vec_reserve(r->al, &r->map, MAPS_ABOUT) &&
	       as_vec_reserve(r->al, &r->maps.id, MAPS_ABOUT) &&
	       as_vec_reserve(r->al, &r->loc, SOME_ABOUT) &&
	       as_vec_reserve(r->al, &r->line, SOME_ABOUT) &&
	       as_vec_reserve(r->al, &r->locs.id, SOME_ABOUT) &&
	       as_vec_reserve(r->al, &r->func, SOME_ABOUT) &&
	       as_vec_reserve(r->al, &r->funcs.id, SOME_ABOUT) &&
	       as_vec_reserve(r->al, &r->place, SOME_ABOUT);
}

static AS_NOINLINE bool sections_room(struct as_pb_read *r, struct as_pb_some *s, uint64_t id)
{
	size_t n = s->n, end = (size_t)id + 1;

	if (id >= IDS_MAX || !as_vec_grow(r->al, &s->row, &s->n, end > IDS_ABOUT ? end : IDS_ABOUT,
				     sizeof(*s->row)))
		return false;
	memset(s->row + n, 0, (s->n - n) * sizeof(*s->row));
	return true;
}

static inline bool sections_is_some(uint8_t tag)
{
	return tag == (PB_LOCATION << 3 | AS_PB_BYTES) || tag == (PB_FUNCTION << 3 | AS_PB_BYTES);
}

/* The id of the message at P; 0: it does not begin as our writer's do, which is a tag, a length of
 * one byte, the tag of the id, and that. */
static inline uint64_t sections_id(const uint8_t *p, const uint8_t *end)
{
	const uint8_t *q = p + 3;
	uint64_t id;

	if (end - p < 5 || !sections_is_some(p[0]) || p[2] != PB_LOC_ID << 3 || p[1] < 3 ||
		p[1] >= 0x80 || p[1] + 2 > end - p)
		return 0;
	if (AS_LIKELY(q[0] < 0x80 || q[1] < 0x80))
		return q[0] < 0x80 ? q[0] : (q[0] & 0x7fu) | (uint32_t)q[1] << 7;
	return as_pb_varint(&q, p + 2 + p[1], &id) ? id : 0;
}

const uint8_t *as_pb_find_some(struct as_pb_read *r, const uint8_t *p, const uint8_t *end)
{
	struct as_pb_some loc = r->some_loc, func = r->some_func;
	const uint8_t *first = p, *base = r->base;
	uint64_t id;

	for (; (id = sections_id(p, end)); p += 2 + p[1]) {
		struct as_pb_some *s = p[0] >> 3 == PB_LOCATION ? &loc : &func;

		if ((AS_UNLIKELY(id >= s->n) && !sections_room(r, s, id)) || s->row[id].at ||
			(uint64_t)(p - base) > UINT32_MAX)
			break;
		s->row[id].at = (uint32_t)(p - base);
	}
	r->some_loc = loc;
	r->some_func = func;
	r->some_odd |= p == first || (p < end && sections_is_some(p[0]));
	return p;
}

static enum as_code sections_read_all(struct as_pb_read *r)
{
	struct as_pb_field f;
	const char *why;

	for (size_t i = 0; i < r->some.row.n; i++) {
		struct as_pb_cur cur = r->some.row.p[i].bytes;

		while (as_pb_next(&cur, &f, &why) == AS_OK)
			AS_TRY(f.number == PB_LOCATION ? as_pb_read_loc(r, f.data)
						       : as_pb_read_func(r, f.data));
	}
	return AS_OK;
}

/* The message of ID; false: there is none, or it has been read. */
static bool sections_take(const struct as_pb_read *r, struct as_pb_some *s, uint64_t id, size_t row,
	struct as_pb_cur *msg)
{
	const uint8_t *p;

	if (id >= s->n || !s->row[id].at)
		return false;
	p = r->base + s->row[id].at;
	*msg = (struct as_pb_cur){p + 2, p + 2 + p[1]};
	s->row[id] = (struct as_pb_some_row){0, (uint32_t)row + 1};
	return true;
}

static enum as_code sections_need_loc(struct as_pb_read *r, uint64_t id)
{
	struct as_pb_cur msg;

	return sections_take(r, &r->some_loc, id, r->loc.n, &msg) ? as_pb_read_loc(r, msg) : AS_OK;
}

/* Of the locations of SAMPLE the one where it ends, and the others if it may be asked for. What is
 * damaged is told when the sample is read. */
static enum as_code sections_need_of(struct as_pb_read *r, struct as_pb_cur sample)
{
	const struct as_pb_some *loc = &r->some_loc;
	bool first = true;
	struct as_pb_field f;
	const char *why;
	uint64_t id;

	while (as_pb_next(&sample, &f, &why) == AS_OK) {
		if (f.number != PB_SAMPLE_LOCATION)
			continue;
		if (f.type == AS_PB_VARINT)
			AS_TRY(sections_need_loc(r, f.v));
		for (; f.type == AS_PB_BYTES && as_pb_varint(&f.data.p, f.data.end, &id);
			first = false) {
			AS_TRY(sections_need_loc(r, id));
			if (first && id < loc->n && loc->row[id].row &&
				!as_pb_wants_map(r, r->loc.p[loc->row[id].row - 1].map))
				return AS_OK;
		}
	}
	return AS_OK;
}

/* Names of functions are rows of the profile. */
static enum as_code sections_name_funcs(struct as_pb_read *r)
{
	struct as_slice text[AS_STRINGS_MANY];
	uint64_t string[AS_STRINGS_MANY];
	as_str made[AS_STRINGS_MANY];
	uint32_t n = 0;

	for (size_t i = 0; i < r->func.n || n; i++) {
		uint64_t name = i < r->func.n ? r->func.p[i].name : 0;

		if (as_pb_has_str(r, name) && !r->str_of.p[name]) {
			text[n] = r->str.p[name];
			string[n++] = name;
		}
		if (n < AS_STRINGS_MANY && i < r->func.n)
			continue;
		AS_TRY(as_err_memory(r->rd->err,
			as_strings_add_many(&r->rd->out->prof->strings, text, n, made)));
		while (n--)
			r->str_of.p[string[n]] = made[n].i + 1;
		n = 0;
	}
	return AS_OK;
}

/* The locations that samples need, and the functions of these. */
static enum as_code sections_read_some(struct as_pb_read *r)
{
	struct as_pb_cur msg;
	struct as_pb_field f;
	const char *why;

	if (r->some_odd)
		return sections_read_all(r);
	for (size_t i = 0; i < r->stretch.row.n; i++) {
		struct as_pb_cur cur = r->stretch.row.p[i].bytes;

		while (as_pb_next(&cur, &f, &why) == AS_OK)
			AS_TRY(sections_need_of(r, f.data));
	}
	for (size_t i = 0; i < r->line.n; i++)
		if (sections_take(r, &r->some_func, r->line.p[i].func, r->func.n, &msg))
			AS_TRY(as_pb_read_func(r, msg));
	return sections_name_funcs(r);
}

/* Of the mappings those of the files that locations are in. Their ids are 1 and so on, or the front
 * would not have told of sections. */
static enum as_code sections_choose_maps(struct as_pb_read *r)
{
	uint8_t *of_file;

	AS_TRY(as_err_memory(r->rd->err, as_alloc_array(r->al, &of_file, r->str.n + 1)));
	for (size_t i = 0; i < r->loc.n; i++) {
		uint64_t map = r->loc.p[i].map;

		if (map && map <= r->map.n && r->map.p[map - 1].file < r->str.n)
			of_file[r->map.p[map - 1].file] = 1;
	}
	for (size_t i = 0; i < r->map.n; i++)
		r->map.p[i].left_out = r->map.p[i].file < r->str.n && !of_file[r->map.p[i].file];
	return AS_OK;
}

enum as_code as_pb_read_some(struct as_pb_read *r)
{
	if (!AS_HAS_WRITERS || !r->rd->sections || as_pb_is_front_alone(r->rd))
		return AS_OK;
	AS_TRY(sections_place_strings(r));
	AS_TRY(sections_read_some(r));
	return sections_choose_maps(r);
}

enum as_code as_pb_is_odd_in_section(struct as_pb_read *r, size_t row)
{
	struct as_pb_at at = {"location", row + 1, NULL};

	if (!AS_HAS_WRITERS || !r->sections.n || r->sections_lie)
		return AS_OK;
	r->sections_lie = true;
	return as_pb_find(r, AS_F_PB_FRONT, r->locs.id.p[row].off, &at,
		"it is not in its mapping: its section says less than all of them do");
}

/* ---- samples ---- */

static enum as_code sections_read_maps(struct as_pb_read *r, size_t section, struct as_pb_cur list)
{
	uint64_t id;

	while (list.p < list.end && !r->sections_lie) {
		uint32_t row, *of;

		if (!as_pb_varint(&list.p, list.end, &id))
			return sections_lie(r, section, "a number of its mappings is damaged");
		row = id ? as_pb_row(&r->maps, id) : 0;
		if (id && !row)
			return sections_lie(r, section,
				"the front has a mapping of it that does "
				"not exist");
		of = &r->map_section[row];
		if (*of)
			return sections_lie(
				r, section, "the front has its mapping in another one, too");
		*of = (uint32_t)section + 1;
	}
	return AS_OK;
}

static enum as_code sections_read_one(struct as_pb_read *r, size_t section)
{
	struct as_pb_at at = {"section", section + 1, NULL};
	struct as_pb_cur msg = r->sections.p[section];
	struct as_pb_section s = {0};
	struct as_pb_field f;
	enum as_code rc;

	while ((rc = as_pb_get(r, &msg, &f, &at)) == AS_OK) {
		if (f.number == PB_SECTION_SAMPLES && f.type == AS_PB_VARINT)
			s.n = f.v;
		else if (f.number == PB_SECTION_TOTAL && f.type == AS_PB_BYTES)
			s.total = f.data;
		else if (f.number == PB_SECTION_MAP && f.type == AS_PB_BYTES)
			AS_TRY(sections_read_maps(r, section, f.data));
	}
	if (rc != AS_END)
		return rc;
	return as_err_memory(r->rd->err, as_vec_push(r->al, &r->section, s));
}

enum as_code as_pb_begin_sections(struct as_pb_read *r)
{
	if (!AS_HAS_WRITERS || !r->sections.n || as_pb_is_front_alone(r->rd))
		return AS_OK;
	AS_TRY(as_err_memory(r->rd->err, as_alloc_array(r->al, &r->map_section, r->map.n + 1) &&
						 as_alloc_array(r->al, &r->now_total, r->type.n)));
	for (size_t i = 0; i < r->sections.n && !r->sections_lie; i++)
		AS_TRY(sections_read_one(r, i));
	return r->rd->sections || r->sections_lie ? AS_OK : sections_check_strings(r);
}

static bool sections_are_told(const struct as_pb_read *r)
{
	return AS_HAS_WRITERS && r->section.n && !r->sections_lie;
}

/* The section that ended costs what the front says. */
static enum as_code sections_check_total(struct as_pb_read *r)
{
	struct as_pb_cur list = r->section.p[r->now - 1].total;
	uint64_t v = 0;

	for (size_t k = 0; k < r->type.n; k++) {
		if (!as_pb_varint(&list.p, list.end, &v) || r->now_total[k] != (int64_t)v)
			return sections_lie(
				r, r->now - 1, "its samples do not cost what the front says");
		r->now_total[k] = 0;
	}
	if (list.p < list.end)
		return sections_lie(r, r->now - 1, "the front has more totals than sample types");
	return AS_OK;
}

/* To the next one that has samples and is there, or the end. */
static enum as_code sections_go_on(struct as_pb_read *r)
{
	while (!r->left && r->now <= r->section.n && !r->sections_lie) {
		if (r->now && sections_is_there(r, r->now - 1))
			AS_TRY(sections_check_total(r));
		r->now++;
		if (r->now <= r->section.n && sections_is_there(r, r->now - 1))
			r->left = r->section.p[r->now - 1].n;
	}
	return AS_OK;
}

enum as_code as_pb_next_of_section(struct as_pb_read *r)
{
	if (AS_LIKELY(!sections_are_told(r)))
		return AS_OK;
	if (!r->left)
		AS_TRY(sections_go_on(r));
	if (r->now > r->section.n)
		return sections_lie(
			r, r->section.n - 1, "there are more samples than the front says");
	r->left--;
	return AS_OK;
}

enum as_code as_pb_add_to_section(
	struct as_pb_read *r, uint64_t number, const int64_t *v, uint32_t leaf)
{
	uint64_t map = leaf ? r->loc.p[leaf - 1].map : 0;
	struct as_pb_at at = {"sample", number + 1, NULL};

	if (AS_LIKELY(!sections_are_told(r)))
		return AS_OK;
	for (size_t k = 0; k < r->type.n; k++)
		r->now_total[k] += v[k];
	if (r->map_section[map ? as_pb_row(&r->maps, map) : 0] == r->now)
		return AS_OK;
	r->sections_lie = true;
	return as_pb_find(r, AS_F_PB_FRONT, 0, &at,
		"it ends in the mapping %" PRIu64 ", which the front does not have in this section",
		map);
}

/* What all sections cost is what the file does. */
static enum as_code sections_check_sum(struct as_pb_read *r)
{
	memset(r->now_total, 0, r->type.n * sizeof(*r->now_total));
	for (size_t i = 0; i < r->section.n; i++) {
		struct as_pb_cur list = r->section.p[i].total;
		uint64_t v;

		for (size_t k = 0; k < r->type.n; k++)
			if (as_pb_varint(&list.p, list.end, &v))
				r->now_total[k] += (int64_t)v;
	}
	for (size_t k = 0; k < r->type.n; k++)
		if (k >= r->front_total.n || r->now_total[k] != r->front_total.p[k])
			return sections_lie(
				r, r->section.n - 1, "all do not cost what the front says");
	return AS_OK;
}

enum as_code as_pb_end_sections(struct as_pb_read *r)
{
	if (!sections_are_told(r))
		return AS_OK;
	if (r->left)
		return sections_lie(r, r->now - 1, "there are fewer samples than the front says");
	AS_TRY(sections_go_on(r));
	if (r->now <= r->section.n)
		return AS_OK; /* told */
	return r->sections_lie ? AS_OK : sections_check_sum(r);
}
