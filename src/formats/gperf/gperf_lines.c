/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The text list into the builder: mappings, lines that are kept, and what lines of our own say.
 * Those are facts of the model and are not kept; docs/formats/gperf.md, "Lines of our own".
 */
#include "formats/gperf/gperf.h"

#include "base/date.h"

enum { SHOWN = 60 }; /* bytes of a line in a finding */

struct lines {
	struct as_gp_read *g;
	struct as_run_read run;
	AS_VEC(uint32_t) virtual; /* paths of objects that have virtual addresses */
};

static enum as_code gp_lines_wrong(
	struct as_gp_read *g, size_t i, struct as_slice found, const char *expected)
{
	const struct as_map_line *line = &g->line.p[i];

	return as_rd_find(g->rd, AS_F_GP_LINE_WRONG, line->off + (uint64_t)(found.p - line->text.p),
		0, "line %zu of the list: expected %s, found '%.*s'; it was left out", i + 1,
		expected, (int)(found.len < SHOWN ? found.len : SHOWN), found.p);
}

/* "assay: build id: 55c980094000 e56a64be" */
static bool parse_id(struct as_slice line, uint64_t *start, struct as_slice *id)
{
	struct as_slice rest = as_slice_skip(line, strlen(AS_GP_BUILD_ID)), word;

	if (as_slice_ends(rest, "\r"))
		rest.len--;
	*id = rest;
	if (!as_slice_cut(&rest, ' ', &word) || !as_slice_hex(word, start))
		return false;
	*id = rest;
	return as_slice_is_hex(rest);
}

static bool is_id_line(const struct as_gp_read *g, size_t i)
{
	return i < g->line.n && as_slice_starts(g->line.p[i].text, AS_GP_BUILD_ID);
}

/* A mapping of something that a build id can be of. */
static bool may_have_id(const struct as_gp_read *g, size_t i)
{
	return g->line.p[i].is_map && g->path.p[i].len && !as_slice_is(g->path.p[i], AS_MAP_NULL);
}

/* The build id of what line I maps; empty if the next line gives none. */
static struct as_slice id_of(const struct as_gp_read *g, size_t i)
{
	struct as_slice id, none = {NULL, 0};
	uint64_t start;

	if (!may_have_id(g, i) || !is_id_line(g, i + 1) ||
		!parse_id(g->line.p[i + 1].text, &start, &id) || start != g->line.p[i].start)
		return none;
	return id;
}

static enum as_code check_id(struct as_gp_read *g, size_t i)
{
	struct as_slice id, value = as_slice_skip(g->line.p[i].text, strlen(AS_GP_BUILD_ID));
	uint64_t start;

	if (!parse_id(g->line.p[i].text, &start, &id))
		return gp_lines_wrong(
			g, i, value, "an address and a build id, both in hexadecimal digits");
	if (!i || !may_have_id(g, i - 1))
		return gp_lines_wrong(
			g, i, g->line.p[i].text, "the mapping of a file before this line");
	if (start != g->line.p[i - 1].start)
		return gp_lines_wrong(
			g, i, value, "the address where the mapping before it begins");
	return AS_OK;
}

/* ---- lines ---- */

static enum as_addr_kind gp_lines_kind_of(struct as_slice path)
{
	return as_map_is_memory(path) ? AS_ADDR_ABSOLUTE : AS_ADDR_FILE_OFFSET;
}

static enum as_code build_map(struct as_gp_read *g, size_t i)
{
	struct as_build *b = g->rd->out;
	const struct as_map_line *line = &g->line.p[i];
	struct as_map map = {.start = line->start,
		.limit = line->limit,
		.offset = line->offset,
		.part = g->part,
		.exec = line->exec};

	AS_TRY(as_build_object(b, g->path.p[i], id_of(g, i), &map.object));
	AS_TRY(as_build_str(b, line->text, &map.text));
	g->object.p[i] = map.object;
	if (map.object.i)
		b->prof->object.p[map.object.i].addr_kind = gp_lines_kind_of(g->path.p[i]);
	return as_build_map(b, &map);
}

static enum as_code build_line(struct as_gp_read *g, size_t i)
{
	char key[32];

	snprintf(key, sizeof(key), AS_GP_META_LINE "%zu", i);
	return as_build_meta(g->rd->out, g->part, as_slice_of(key), g->line.p[i].text);
}

/* Line I, which is ours: a mark, a build id, something about the run, or nothing known. */
static enum as_code build_own(struct lines *ls, size_t i)
{
	struct as_gp_read *g = ls->g;
	struct as_slice text = g->line.p[i].text;
	enum as_said said;
	bool is_thread = false;
	as_str path;

	if (AS_HAS_WRITERS)
		AS_TRY(as_gp_when_line(g, text, &is_thread));
	if (is_thread)
		return AS_OK;
	if (as_slice_is(text, AS_GP_CLEAN)) {
		g->clean = true;
		return AS_OK;
	}
	if (as_slice_starts(text, AS_GP_VIRTUAL)) {
		text = as_map_path_read(as_slice_skip(text, strlen(AS_GP_VIRTUAL)));
		AS_TRY(as_build_str(g->rd->out, text, &path));
		if (as_map_is_memory(text))
			return AS_OK;
		return as_err_memory(g->rd->err, as_vec_push(g->al, &ls->virtual, path.i));
	}
	if (is_id_line(g, i))
		return check_id(g, i);
	AS_TRY(as_run_line(&ls->run, text, &said));
	if (said == AS_SAID_WRONG)
		return gp_lines_wrong(g, i, ls->run.found, ls->run.expected);
	return said == AS_SAID_FACT ? AS_OK : build_line(g, i);
}

/* Room for more lines, in the file of a recorder that was killed. */
static bool gp_lines_is_room(const struct lines *ls, struct as_slice text)
{
	return as_gp_is_room(text) || (!text.len && ls->run.has_clock);
}

static enum as_code build_lines(struct lines *ls)
{
	struct as_gp_read *g = ls->g;

	for (size_t i = 0; i < g->line.n; i++) {
		if (g->line.p[i].is_map)
			AS_TRY(build_map(g, i));
		else if (as_gp_is_own(g->line.p[i].text))
			AS_TRY(build_own(ls, i));
		else if (!gp_lines_is_room(ls, g->line.p[i].text))
			AS_TRY(build_line(g, i));
	}
	return AS_OK;
}

static int cmp_u32(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

/* Behind all mappings, which say something else. */
static void set_virtual(struct lines *ls)
{
	struct as_profile *prof = ls->g->rd->out->prof;

	if (!ls->virtual.n)
		return;
	qsort(ls->virtual.p, ls->virtual.n, sizeof(*ls->virtual.p), cmp_u32);
	for (size_t i = 1; i < prof->object.n; i++)
		if (bsearch(&prof->object.p[i].path.i, ls->virtual.p, ls->virtual.n,
			    sizeof(*ls->virtual.p), cmp_u32))
			prof->object.p[i].addr_kind = AS_ADDR_VIRTUAL;
}

/* A file of several runs starts with the earliest. */
static enum as_code add_times(struct as_gp_read *g, const struct as_run_read *run)
{
	bool started = run->has_started;

	if (started && (g->n_started == 0 || run->started < g->started))
		g->started = run->started;
	g->n_started += started;
	if (!run->has_duration)
		return AS_OK;
	g->n_durations++;
	return as_spans_add(
		       &g->file_pool.al, &g->spans, started ? &run->started : NULL, run->duration)
		       ? AS_OK
		       : as_err_no_memory(g->rd->err);
}

enum as_code as_gp_build_list(struct as_gp_read *g)
{
	struct lines ls = {.g = g};
	struct as_slice none = {NULL, 0};
	enum as_code rc;

	as_run_begin(&ls.run, g->rd->out, g->part, AS_RUN_PROCESS | AS_RUN_TIMES);
	rc = build_lines(&ls);
	if (rc == AS_OK)
		rc = as_run_end(&ls.run);
	if (rc == AS_OK && g->unended && g->line.n)
		rc = as_build_meta(g->rd->out, g->part, as_slice_of(AS_GP_META_UNENDED), none);
	set_virtual(&ls);
	if (rc == AS_OK)
		rc = add_times(g, &ls.run);
	as_run_release(&ls.run);
	return rc;
}

/* The time that some of several runs took is that of none. */
enum as_code as_gp_build_times(struct as_gp_read *g)
{
	struct as_profile *prof = g->rd->out->prof;
	char text[AS_DATE_NANOS];

	prof->duration = g->n_durations < g->n_parts ? 0 : as_spans_length(&g->spans);
	if (!g->n_started)
		return AS_OK;
	return as_build_str(g->rd->out, as_slice_of(as_date_nanos_text(g->started, "T", "Z", text)),
		&prof->epoch);
}
