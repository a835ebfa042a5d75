/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reading the text of a file: the list that ends each profile, and the symbol section that may
 * come before the first one. Every line of the list is kept: in the file's own words, so that it
 * can be written again, and as the mapping that it is.
 */
#include "formats/gperf/gperf.h"

/* Bytes up to the next end of line, or to the end of the input. */
static enum as_code line_length(struct as_gp_read *g, size_t *n, bool *ended)
{
	struct as_in *in = g->rd->in;
	const char *end = NULL;
	struct as_slice win;

	*n = 0;
	for (;;) {
		AS_TRY(as_in_peek(in, *n + 1, &win));
		if (win.len > *n)
			end = memchr(win.p + *n, '\n', win.len - *n);
		if (end || win.len == *n)
			break;
		*n = win.len;
		if (*n > in->line_max)
			return as_rd_fail(g->rd, AS_E_LIMIT, in->off, 0,
				"line is longer than %zu bytes", in->line_max);
	}
	*ended = end != NULL;
	if (end)
		*n = (size_t)(end - win.p);
	return AS_OK;
}

/* A profile may begin in the line: text holds no NUL, and every header begins with one. */
static enum as_code cut_at_header(struct as_gp_read *g, size_t *n, bool *ended)
{
	struct as_gp_layout layout;
	struct as_slice win;
	const char *nul;
	size_t at;

	AS_TRY(as_in_peek(g->rd->in, *n, &win));
	nul = *n ? memchr(win.p, 0, *n) : NULL;
	if (!nul)
		return AS_OK;
	at = (size_t)(nul - win.p);
	AS_TRY(as_in_peek(g->rd->in, at + (size_t)GP_HEAD_SLOTS * GP_SLOT_MAX, &win));
	if (as_gp_detect(as_slice_skip(win, at), false, &layout) == AS_GP_HEAD_EXACT) {
		*n = at;
		*ended = false;
	}
	return AS_OK;
}

/*
 * The next line and how many bytes to take for it; AS_END where the list ends, which is at the
 * end of the input or at a header. LINE is good until the next peek.
 */
static enum as_code gp_text_next_line(struct as_gp_read *g, struct as_slice *line, size_t *take)
{
	struct as_slice win;
	bool ended = false;
	size_t n = 0;

	AS_TRY(line_length(g, &n, &ended));
	AS_TRY(cut_at_header(g, &n, &ended));
	AS_TRY(as_in_peek(g->rd->in, n + ended, &win));
	*line = (struct as_slice){win.p, n};
	*take = n + ended;
	return *take ? AS_OK : AS_END;
}

static enum as_code gp_text_keep_line(struct as_gp_read *g, struct as_slice text)
{
	struct as_map_line line = {.text = as_arena_dup(&g->arena, text), .off = g->rd->in->off};

	AS_TRY(as_err_memory(g->rd->err, line.text.p));
	as_map_line_parse(&line);
	return as_err_memory(g->rd->err, as_vec_push(g->al, &g->line, line));
}

static enum as_code gp_text_read_lines(struct as_gp_read *g)
{
	struct as_slice text = {NULL, 0};
	enum as_code rc;
	size_t take = 0;

	while ((rc = gp_text_next_line(g, &text, &take)) == AS_OK) {
		g->unended = take == text.len;
		AS_TRY(gp_text_keep_line(g, text));
		as_in_take(g->rd->in, take);
	}
	return rc == AS_END ? AS_OK : rc;
}

/* The last build specifier of the list holds for all of it. */
static struct as_slice find_build(const struct as_gp_read *g)
{
	struct as_slice build = {NULL, 0};

	for (size_t i = 0; i < g->line.n; i++)
		if (g->line.p[i].is_build)
			build = g->line.p[i].path;
	return build;
}

static enum as_code map_findings(struct as_gp_read *g, const struct as_map_line *line, uint64_t no)
{
	if (line->glued)
		AS_TRY(as_rd_find(g->rd, AS_F_GP_MAP_INODE_GLUED, line->off, 0,
			"line %" PRIu64 " of the list has no blank between inode and path '%.*s'",
			no, AS_SLICE_FMT(line->path)));
	if (line->deleted && line->exec)
		AS_TRY(as_rd_find(g->rd, AS_F_GP_MAP_DELETED, line->off, 0,
			"'%.*s' had been deleted or replaced while the program ran",
			AS_SLICE_FMT(line->path)));
	return AS_OK;
}

/* What line I maps, with $build put in; an executable one takes part in look-ups. */
static enum as_code settle_map(struct as_gp_read *g, size_t i, struct as_slice build)
{
	const struct as_map_line *line = &g->line.p[i];
	struct as_addr_range range = {line->start, line->limit, (uint32_t)i};
	struct as_slice path = line->path;
	size_t n = 0;

	if (build.p)
		path = as_map_path(&g->arena, path, build, &n);
	else if (as_map_path(&g->arena, path, (struct as_slice){"", 0}, &n).p && n)
		AS_TRY(as_rd_find(g->rd, AS_F_GP_MAP_BUILD_UNDEFINED, line->off, 0,
			"'%.*s' uses $build, and there is no build= line", AS_SLICE_FMT(path)));
	if (path.len && !path.p)
		return as_err_no_memory(g->rd->err);
	g->path.p[i] = path;
	AS_TRY(map_findings(g, line, i + 1));
	/* Generated code has no file to be an offset in; nor may a name of ours be taken. */
	if (!line->exec || !path.len || as_slice_is(path, AS_MAP_NULL))
		return AS_OK;
	return as_err_memory(g->rd->err, as_vec_push(g->al, &g->ranges.row, range));
}

static enum as_code settle_maps(struct as_gp_read *g)
{
	struct as_slice build = find_build(g);

	AS_TRY(as_err_memory(g->rd->err, as_vec_reserve(g->al, &g->path, g->line.n) &&
						 as_vec_reserve(g->al, &g->object, g->line.n)));
	for (size_t i = 0; i < g->line.n; i++) {
		g->path.p[i] = (struct as_slice){NULL, 0};
		g->object.p[i] = (as_object){0};
		if (g->line.p[i].is_map)
			AS_TRY(settle_map(g, i, build));
	}
	AS_TRY(as_err_memory(g->rd->err, as_addr_ranges_make(&g->ranges)));
	if (g->ranges.overlap)
		return as_rd_find(g->rd, AS_F_GP_MAP_OVERLAP, g->line.p[0].off, 0,
			"executable mappings overlap; the first one in the list holds");
	return AS_OK;
}

/* Version 1 says Java, and location lines show that it is. */
static enum as_code settle_version(struct as_gp_read *g)
{
	uint64_t off = g->head_off + 2 * g->layout.width;
	struct as_addr_name name;

	for (size_t i = 0; g->version == 1 && i < g->line.n; i++)
		if (as_java_name_parse(g->line.p[i].text, &name) &&
			!as_addr_names_add(&g->java, &name))
			return as_err_no_memory(g->rd->err);
	if (g->java.row.n) {
		g->variant = AS_GP_JAVA;
		return as_rd_find(g->rd, AS_F_GP_JAVA, off, 0,
			"a Java profile: %zu location%s names", g->java.row.n,
			g->java.row.n == 1 ? " has" : "s have");
	}
	if (g->version)
		return as_rd_find(g->rd, AS_F_GP_VERSION, off, 0,
			"the version is %" PRIu64 ", expected 0%s", g->version,
			g->version == 1 ? " (no location lines of a Java profile follow)" : "");
	return AS_OK;
}

static bool gp_text_is_blank(struct as_slice text)
{
	return as_slice_trim(text).len == 0 || as_slice_is(text, "\r");
}

static enum as_code unknown_lines(struct as_gp_read *g)
{
	struct as_addr_name name;

	for (size_t i = 0; i < g->line.n; i++) {
		const struct as_map_line *line = &g->line.p[i];

		if (line->is_map || line->is_build || gp_text_is_blank(line->text) ||
			as_gp_is_own(line->text) || as_gp_is_room(line->text) ||
			(g->variant == AS_GP_JAVA && as_java_name_parse(line->text, &name)))
			continue;
		AS_TRY(as_rd_find(g->rd, AS_F_GP_MAP_LINE_UNKNOWN, line->off, 0,
			"line %zu of the list is neither mapping nor build specifier: '%.*s'",
			i + 1, (int)(line->text.len < 40 ? line->text.len : 40), line->text.p));
	}
	return AS_OK;
}

enum as_code as_gp_read_text(struct as_gp_read *g)
{
	AS_TRY(gp_text_read_lines(g));
	AS_TRY(settle_maps(g));
	AS_TRY(settle_version(g));
	return unknown_lines(g);
}

bool as_gp_is_marker(struct as_slice line, const char *word)
{
	if (!as_slice_starts(line, "---"))
		return false;
	return as_slice_starts(as_slice_ltrim(as_slice_skip(line, 3)), word);
}

static enum as_code symbol_line(struct as_gp_read *g, struct as_slice line)
{
	struct as_addr_name name;

	if (!as_symbol_name_parse(line, &name))
		return AS_OK; /* binary=, and what else it may say */
	return as_err_memory(g->rd->err, as_addr_names_add(&g->symbols, &name));
}

enum as_code as_gp_read_symbols(struct as_gp_read *g)
{
	struct as_in *in = g->rd->in;
	struct as_slice line;
	enum as_code rc;

	AS_TRY(as_in_peek(in, 3, &line));
	if (!as_slice_starts(line, "---"))
		return AS_OK;
	g->variant = AS_GP_SYMBOL;
	rc = as_in_line(in, &line);
	if (rc == AS_OK && as_gp_is_marker(line, "symbol")) {
		while ((rc = as_in_line(in, &line)) == AS_OK && !as_slice_starts(line, "---"))
			AS_TRY(symbol_line(g, line));
		if (rc == AS_OK)
			rc = as_in_line(in, &line);
	}
	if (rc == AS_END)
		return as_rd_fail(g->rd, AS_E_TRUNC, in->off, in->line,
			"the input ends before the line '--- profile'");
	if (rc != AS_OK)
		return rc;
	if (!as_gp_is_marker(line, "profile"))
		return as_rd_fail(g->rd, AS_E_UNSUPPORTED, in->off, in->line - 1,
			"expected '--- profile', found '%.*s'",
			(int)(line.len < 40 ? line.len : 40), line.p);
	return AS_OK;
}
