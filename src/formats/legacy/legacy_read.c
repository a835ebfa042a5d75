/* SPDX-License-Identifier: Apache-2.0 */
/* Reading line by line: the head, rows and what stands below them, the list of mappings. */
#include "formats/legacy/legacy.h"

/* ---- what ends the rows ---- */

static bool is_sentinel(struct as_slice line)
{
	line = as_slice_trim(line);
	return as_slice_starts(line, "MAPPED_LIBRARIES:") ||
	       (as_slice_starts(line, "---") && as_slice_find_text(line, "emory map:") < line.len);
}

/* A last line without an end may be half of what it says. */
static enum as_code check_end(struct as_lg_read *l, struct as_slice line)
{
	if (l->rd->in->p < l->rd->in->end || line.p[line.len] == '\n')
		return AS_OK;
	return as_rd_find(l->rd, AS_F_LG_LINE_END, l->line_off, l->line,
		"the last line has no end: it may have been cut");
}

static enum as_code read_maps(struct as_lg_read *l)
{
	struct as_slice line;
	enum as_code rc;

	while ((rc = as_lg_next(l, &line)) == AS_OK) {
		if (!is_sentinel(line))
			AS_TRY(as_lg_map_add(l, line));
		AS_TRY(check_end(l, line));
	}
	return rc == AS_END ? AS_OK : rc;
}

/* ---- rows ---- */

/* Java's ids are named below the rows. */
static enum as_code java_line(struct as_lg_read *l, struct as_slice line, bool *is)
{
	struct as_addr_name name;
	struct as_lg_frame frame;

	*is = l->java && as_java_name_parse(line, &name);
	if (!*is)
		return AS_OK;
	frame = (struct as_lg_frame){name.func, name.file, name.object, name.line, false};
	return as_err_memory(l->rd->err, as_lg_names_add(&l->names, name.addr, &frame));
}

static enum as_code lg_read_row(struct as_lg_read *l, struct as_slice line)
{
	struct as_slice rest = line;
	uint64_t v[LG_NUMBERS] = {0};
	bool is;

	if (as_lg_row_numbers(l, &rest, v)) {
		AS_TRY(as_lg_row_open(l, v));
		return as_lg_row_addresses(l, rest);
	}
	AS_TRY(as_lg_row_close(l));
	AS_TRY(java_line(l, line, &is));
	return is ? AS_OK : as_lg_unknown_line(l, line);
}

static enum as_code read_comment(struct as_lg_read *l, struct as_slice line)
{
	bool is;

	if (!l->is_open)
		return AS_OK;
	AS_TRY(as_lg_labels(l, line, &is));
	return is ? AS_OK : as_err_memory(l->rd->err, as_lg_names_comment(&l->names, line));
}

static enum as_code read_line(struct as_lg_read *l, struct as_slice line)
{
	struct as_slice s = as_slice_ltrim(line);

	if (!s.len || s.p[0] == '\r')
		return AS_OK;
	if (s.p[0] == '#')
		return read_comment(l, line);
	if (l->head.kind == AS_LG_THREAD)
		return as_lg_thread_line(l, line);
	if (l->head.kind == AS_LG_JEMALLOC)
		return as_lg_jemalloc_line(l, line);
	return lg_read_row(l, line);
}

/* LINE is the first one, if it is none of the head. */
static enum as_code read_rows(struct as_lg_read *l, struct as_slice line, bool has_line)
{
	enum as_code rc = has_line ? AS_OK : as_lg_next(l, &line);

	for (; rc == AS_OK; rc = as_lg_next(l, &line)) {
		if (is_sentinel(line)) {
			AS_TRY(as_lg_row_close(l));
			return read_maps(l);
		}
		AS_TRY(read_line(l, line));
		AS_TRY(check_end(l, line));
	}
	return rc == AS_END ? as_lg_row_close(l) : rc;
}

/* ---- all of it ---- */

/* jemalloc 5.3 and newer round each row, and the head, to what gives the right bytes when it is
 * scaled up; then they add up but for the rounding, which is less than RATE bytes of each. */
static bool is_sum_scaled(const struct as_lg_read *l)
{
	uint64_t value[LG_COLUMNS];
	as_uval off = ((as_uval)l->n_rows + 1) * (l->rate + (as_uval)1);

	if (l->head.kind != AS_LG_JEMALLOC || l->rate < 2 || !as_lg_values(l, l->head.total, value))
		return false;
	for (uint32_t k = 1; k < l->n_columns / 2; k += 2)
		if (l->scaled[k] + off < value[k] || value[k] + off < l->scaled[k])
			return false;
	return true;
}

static enum as_code check_totals(struct as_lg_read *l)
{
	static const uint32_t numbers[] = {
		[AS_LG_HEAP] = 4, [AS_LG_JEMALLOC] = 4, [AS_LG_COUNT] = 1, [AS_LG_THREAD] = 0};
	static const char *const what[] = {
		"objects in use", "bytes in use", "objects allocated", "bytes allocated"};
	uint32_t n = l->head.kind < AS_ARRAY_LEN(numbers) ? numbers[l->head.kind] : 0;

	for (uint32_t i = 0; i < n; i++) {
		if (l->sum[i] == l->head.total[i] || is_sum_scaled(l))
			continue;
		as_rd_partial(l->rd);
		return as_rd_find(l->rd, AS_F_LG_TOTAL, 0, 1,
			"the head says %" PRIu64 " %s, the rows add up to %" PRIu64
			": rows are missing, or too many",
			l->head.total[i], n == 1 ? "in all" : what[i], l->sum[i]);
	}
	return AS_OK;
}

/* The names that jeprof and google-pprof put in front of what they fetched; LINE is the first,
 * and becomes the line of the head. */
static enum as_code read_symbols(struct as_lg_read *l, struct as_slice *line)
{
	enum as_code rc;

	while ((rc = as_lg_next(l, line)) == AS_OK && !as_slice_starts(*line, "---"))
		AS_TRY(as_err_memory(l->rd->err, as_lg_names_symbol(&l->names, *line)));
	AS_TRY(as_err_memory(l->rd->err, as_lg_names_symbols_end(&l->names)));
	AS_THEN(rc, as_lg_next(l, line)); /* "--- heap" */
	if (rc == AS_OK && as_slice_starts(*line, LG_CPU_MARK))
		return as_rd_fail(l->rd, AS_E_FORMAT, l->line_off, l->line,
			"names of a CPU profile: '%.*s'", LG_SHOWN(*line));
	return rc == AS_OK ? as_lg_next_said(l, line) : rc;
}

static enum as_code lg_read_profile(struct as_lg_read *l)
{
	struct as_slice line = {NULL, 0};
	bool has_line = false;
	enum as_code rc;

	AS_TRY(as_rd_part(l->rd, "legacy", &l->part));
	rc = as_lg_next_said(l, &line);
	if (rc == AS_OK && !l->line_off && as_slice_starts(line, AS_SYMBOL_MARK))
		rc = read_symbols(l, &line);
	if (rc == AS_END)
		return as_rd_fail(l->rd, AS_E_TRUNC, AS_OFF_NONE, 0, "the file holds no profile");
	AS_TRY(rc);
	AS_TRY(as_lg_read_head(l, &line, &has_line));
	AS_TRY(as_lg_columns(l));
	AS_TRY(read_rows(l, line, has_line));
	AS_TRY(check_totals(l));
	l->rd->out->prof->part.p[l->part].positions = AS_POS_INSTR;
	AS_TRY(as_lg_build(l));
	if (!l->rd->out->prof->sample.node.n && !l->rd->out->prof->stacks.n)
		return as_rd_find(
			l->rd, AS_F_NO_SAMPLES, AS_OFF_NONE, 0, "the profile holds no samples");
	return AS_OK;
}

enum as_code as_lg_read_file(struct as_rd *rd)
{
	struct as_lg_read l = {.rd = rd};

	as_arena_init(&l.arena, rd->al);
	as_lg_stacks_init(&l.stacks, rd->al);
	as_lg_names_init(&l.names, rd->al);
	l.maps.al = l.maps.ranges.al = rd->al;
	as_arena_init(&l.maps.arena, rd->al);
	return lg_read_profile(&l);
}
