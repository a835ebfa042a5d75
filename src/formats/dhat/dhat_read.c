/* SPDX-License-Identifier: Apache-2.0 */
/* The file's one object, member by member; the table of frames comes last. docs/formats/dhat.md. */
#include "formats/dhat/dhat.h"

/* The limit of the caller is reached. */
static bool dhat_deep(struct as_dh *dh)
{
	dh->in.rc = as_rd_fail(dh->rd, AS_E_LIMIT, as_json_in_off(&dh->in), 0,
		"a stack is deeper than %" PRIu64 " frames", dh->rd->lim.depth);
	return false;
}

/* ---- points ---- */

static bool dhat_read_stack(struct as_dh *dh, struct dh_point *p)
{
	uint64_t number;

	p->first = dh->frame.n;
	as_pull_array(&dh->in.js);
	while (as_pull_item(&dh->in.js)) {
		if (!as_json_in_count(&dh->in, &number))
			return false;
		if (dh->rd->lim.depth && dh->frame.n - p->first >= dh->rd->lim.depth)
			return dhat_deep(dh);
		if (number > UINT32_MAX)
			number = UINT32_MAX; /* of no frame */
		if (!as_json_in_room(&dh->in, as_vec_push(dh->al, &dh->frame, (uint32_t)number)))
			return false;
	}
	p->n = dh->frame.n - p->first;
	return !dh->in.js.why;
}

static bool dhat_read_member(struct as_dh *dh, struct as_slice key, struct dh_point *p)
{
	static const char *const keys[DH_VALUES] = {
		"tb", "tbk", "tl", "gb", "gbk", "eb", "ebk", "rb", "wb"};

	for (size_t i = 0; i < DH_VALUES; i++)
		if (as_slice_is(key, keys[i])) {
			dh->seen[i] = true;
			return as_json_in_count(&dh->in, &p->value[i]);
		}
	if (as_slice_is(key, "fs"))
		return dhat_read_stack(dh, p);
	dh->n_maxima += as_slice_is(key, "mb");
	dh->n_accesses += as_slice_is(key, "acc");
	return as_pull_skip(&dh->in.js);
}

static bool dhat_read_point(struct as_dh *dh)
{
	struct dh_point p = {.off = as_json_in_off(&dh->in)};
	struct as_slice key;

	as_pull_object(&dh->in.js);
	while (as_pull_key(&dh->in.js, &key))
		if (!dhat_read_member(dh, key, &p))
			return false;
	return !dh->in.js.why && as_json_in_room(&dh->in, as_vec_push(dh->al, &dh->point, p));
}

static bool dhat_read_points(struct as_dh *dh)
{
	as_pull_array(&dh->in.js);
	while (as_pull_item(&dh->in.js))
		if (!dhat_read_point(dh))
			return false;
	return !dh->in.js.why;
}

/* ---- the rest ---- */

static bool dhat_read_table(struct as_dh *dh)
{
	struct as_slice text;

	as_pull_array(&dh->in.js);
	while (as_pull_item(&dh->in.js)) {
		struct dh_frame f = {.place = {0}};

		if (!as_json_in_text(&dh->in, &dh->arena, &text))
			return false;
		as_vg_frame_parse(text, &f.is);
		if (!as_json_in_room(&dh->in, as_vec_push(dh->al, &dh->table, f)))
			return false;
	}
	return !dh->in.js.why;
}

/* "339641", to be shown. */
static bool dhat_read_end(struct as_dh *dh)
{
	struct as_slice text;

	if (!as_pull_number(&dh->in.js, &text))
		return false;
	dh->end = as_arena_dup(&dh->arena, text);
	return as_json_in_room(&dh->in, dh->end.p);
}

static bool dhat_read_top(struct as_dh *dh, struct as_slice key)
{
	const struct {
		const char *key;
		struct as_slice *to;
	} texts[] = {{"mode", &dh->mode}, {"cmd", &dh->command}, {"bu", &dh->byte},
		{"bsu", &dh->bytes}, {"bksu", &dh->blocks}, {"tu", &dh->time}};

	for (size_t i = 0; i < AS_ARRAY_LEN(texts); i++)
		if (as_slice_is(key, texts[i].key))
			return as_json_in_text(&dh->in, &dh->arena, texts[i].to);
	if (as_slice_is(key, DH_VERSION_KEY))
		return as_json_in_count(&dh->in, &dh->version);
	if (as_slice_is(key, "pid"))
		return dh->has_pid = as_json_in_count(&dh->in, &dh->pid);
	if (as_slice_is(key, "te"))
		return dhat_read_end(dh);
	if (as_slice_is(key, "pps"))
		return dhat_read_points(dh);
	if (as_slice_is(key, "ftbl"))
		return dhat_read_table(dh);
	return as_pull_skip(&dh->in.js);
}

static enum as_code dhat_read_all(struct as_dh *dh)
{
	struct as_slice key;

	AS_TRY(as_json_in_open(&dh->in, dh->rd, dh->al));
	as_pull_object(&dh->in.js);
	while (as_pull_key(&dh->in.js, &key))
		if (!dhat_read_top(dh, key))
			break;
	AS_TRY(as_json_in_end(&dh->in));
	if (dh->version != DH_VERSION)
		return as_rd_fail(dh->rd, AS_E_UNSUPPORTED, 0, 0,
			"expected version %u in '" DH_VERSION_KEY "', found %" PRIu64,
			(unsigned)DH_VERSION, dh->version);
	return as_dh_put(dh);
}

enum as_code as_dh_read(struct as_rd *rd)
{
	struct as_dh dh = {.rd = rd, .al = rd->al};

	as_arena_init(&dh.arena, dh.al);
	return dhat_read_all(&dh);
}
