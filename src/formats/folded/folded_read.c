/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reading folded stacks, line by line. What a line has in common with the one before it is not
 * looked at again: files are often sorted.
 */
#include "formats/folded/folded_read.h"
#include "formats/folded/folded_dialect.h"

enum as_code as_folded_find(
	struct as_folded_reader *r, enum as_finding_id id, struct as_slice at, const char *what)
{
	return as_rd_find(r->rd, id, r->base_off + (uint64_t)(at.p - r->base), r->line,
		"%s: '%.*s'", what, AS_SLICE_FMT(at));
}

/* ---- lines ---- */

static enum as_code read_stack(
	struct as_folded_reader *r, struct as_slice line, const struct as_folded_line *fl)
{
	if (fl->rounded)
		AS_TRY(as_folded_find(r, AS_F_FO_COUNT_FRACTION, line, "a fraction was rounded"));
	if (!fl->stack.len)
		AS_TRY(as_folded_find(r, AS_F_FO_NO_STACK, line, "a count without a stack"));
	r->n_stacks++;
	return r->rd->sums ? as_folded_add_sums(r, fl->stack, fl->count)
			   : as_folded_add_path(r, fl->stack, fl->count);
}

static enum as_code folded_read_line(struct as_folded_reader *r, struct as_slice line)
{
	struct as_folded_line fl;

	switch (as_folded_split(line, r->columns, r->scale, &fl)) {
	case AS_FOLDED_STACK:
		return read_stack(r, line, &fl);
	case AS_FOLDED_NOISE:
		break;
	case AS_FOLDED_NO_COUNT:
		return as_folded_find(r, AS_F_FO_NO_COUNT, line,
			"expected 'frame;frame COUNT'; the line was left out");
	case AS_FOLDED_TOO_FEW:
		return as_folded_find(
			r, AS_F_FO_ONE_COUNT, line, "expected two counts; the line was left out");
	case AS_FOLDED_RANGE:
		return as_folded_find(r, AS_F_COUNT_RANGE, line,
			"a count is beyond 64 bits; the line was left out");
	}
	return AS_OK;
}

static enum as_code folded_read_window(struct as_folded_reader *r, struct as_slice lines)
{
	r->base = lines.p;
	r->base_off = r->rd->in->off;
	if (!r->base_off)
		lines = as_folded_past_marks(lines);
	r->last.len = r->level.n = 0;
	while (lines.len) {
		const char *nl = memchr(lines.p, '\n', lines.len);
		struct as_slice line = {lines.p, nl ? (size_t)(nl - lines.p) : lines.len};

		r->line++;
		AS_TRY(folded_read_line(r, line));
		if (!nl)
			AS_TRY(as_folded_find(r, AS_F_FO_LINE_END, line,
				"the last line has no end: it may have been cut"));
		lines = as_slice_skip(lines, line.len + (nl != NULL));
	}
	return AS_OK;
}

static enum as_code folded_read_lines(struct as_folded_reader *r)
{
	struct as_slice lines;
	enum as_code rc;

	while ((rc = as_in_lines(r->rd->in, &lines)) == AS_OK) {
		AS_TRY(folded_read_window(r, lines));
		as_in_take(r->rd->in, lines.len);
	}
	return rc == AS_END ? AS_OK : rc;
}

/* ---- all of it ---- */

static enum as_code folded_read_options(struct as_folded_reader *r)
{
	const char *columns = as_opts_get(&r->rd->opts, "columns");
	const char *scale = as_opts_get(&r->rd->opts, "scale");
	struct as_slice digits = as_slice_of(scale);

	if (columns && strcmp(columns, "1") != 0 && strcmp(columns, "2") != 0)
		return as_err_set(r->rd->err, AS_E_ARG, "columns=%s: expected 1 or 2", columns);
	if (columns)
		r->columns = (unsigned)(columns[0] - '0');
	r->scale = 1;
	if (!scale)
		return AS_OK;
	if (digits.len < 1 || digits.len > 10 || digits.p[0] != '1')
		digits.len = 0;
	for (size_t i = 1; i < digits.len; i++)
		r->scale = digits.p[i] == '0' ? r->scale * 10 : 0;
	if (!digits.len || !r->scale)
		return as_err_set(r->rd->err, AS_E_ARG,
			"scale=%s: expected a power of ten, up to 1000000000", scale);
	return AS_OK;
}

/* What it is was asked before; a caller may have named the format, though. */
static enum as_code folded_read_look(struct as_folded_reader *r)
{
	struct as_peek pk;

	AS_TRY(as_in_peek(r->rd->in, (size_t)AS_PEEK_MAX + 1, &pk.head));
	pk.whole = pk.head.len <= AS_PEEK_MAX;
	if (!pk.whole)
		pk.head.len = AS_PEEK_MAX;
	if (!pk.head.len)
		return as_rd_fail(r->rd, AS_E_TRUNC, AS_OFF_NONE, 0, "the file is empty");
	if (as_folded_look(&pk, &r->columns) == AS_PROBE_NO &&
		(pk.whole || as_slice_find(pk.head, '\n') < pk.head.len))
		return as_rd_fail(r->rd, AS_E_NOTPROFILE, 0, 1,
			"not folded stacks: most lines are not 'frame;frame COUNT'");
	return AS_OK;
}

static enum as_code build_head(struct as_folded_reader *r)
{
	static const char *const pair[] = {"base", "new"};
	struct as_build *b = r->rd->out;
	uint32_t part, event[AS_FOLDED_COLUMNS] = {0};

	AS_TRY(as_rd_part(r->rd, "folded", &part));
	for (unsigned i = 0; i < r->columns && i < AS_FOLDED_COLUMNS; i++)
		AS_TRY(as_build_event(b, as_slice_of(r->columns == 1 ? "samples" : pair[i]),
			as_slice_of("count"), &event[i]));
	return as_build_part_events(b, part, event, r->columns);
}

static enum as_code folded_read_all(struct as_folded_reader *r)
{
	AS_TRY(folded_read_look(r));
	AS_TRY(folded_read_options(r));
	AS_TRY(build_head(r));
	r->sums.e = r->columns;
	/* A count without a stack is that of the unknown function. */
	if (r->rd->sums && !as_sums_room(&r->sums, (as_func){0}))
		return as_err_no_memory(r->rd->err);
	AS_TRY(folded_read_lines(r));
	AS_TRY(as_rd_find_if(r->rd, !r->n_stacks, AS_F_NO_SAMPLES, "there are no stacks"));
	return r->rd->sums ? as_sums_put(&r->sums, r->rd->out) : AS_OK;
}

static enum as_code folded_read_plain(struct as_rd *rd)
{
	struct as_folded_reader r = {.rd = rd, .al = rd->al};

	r.sums.al = r.al;
	as_index_init(&r.frames, r.al);
	as_index_init(&r.samples, r.al);
	return folded_read_all(&r);
}

#ifdef AS_FEWER_FORMATS
enum as_code as_folded_read(struct as_rd *rd)
{
	return folded_read_plain(rd);
}
#else
/* The text as UTF-8, of which places in the input are told. */
static enum as_code folded_read_utf16(struct as_rd *rd, bool big)
{
	const struct as_alloc *al = rd->out->prof->al;
	struct as_rd text = *rd;
	struct as_src_mem src;
	struct as_slice all;
	struct as_in in;
	size_t room = AS_PEEK_MAX;
	enum as_code rc;
	char *to;

	do {
		room *= 2;
		AS_TRY(as_in_peek(rd->in, room, &all));
	} while (all.len >= room);
	room = all.len + all.len / 2 + 1;
	AS_TRY(as_build_str(rd->out, as_slice_of("UTF-16"), &rd->out->prof->version));
	to = as_alloc_new(al, room);
	AS_TRY(as_err_memory(rd->err, to));
	as_src_mem_init(&src, (struct as_slice){to, as_folded_from_utf16(all, big, to)}, rd->name);
	rc = as_in_open(&in, al, &src.src, rd->err);
	text.in = &in;
	if (rc == AS_OK) {
		rc = as_folded_read(&text);
		as_in_close(&in);
	}
	as_alloc_free(al, to, room);
	return rc;
}

enum as_code as_folded_read(struct as_rd *rd)
{
	enum as_folded_dialect dialect;
	struct as_peek pk;
	unsigned columns;
	bool big;

	AS_TRY(as_in_peek(rd->in, (size_t)AS_PEEK_MAX + 1, &pk.head));
	pk.whole = pk.head.len <= AS_PEEK_MAX;
	if (!pk.whole)
		pk.head.len = AS_PEEK_MAX;
	if (as_folded_is_utf16(pk.head, &big))
		return folded_read_utf16(rd, big);
	AS_TRY(as_folded_frames_option(rd, pk.head, &dialect));
	if (dialect == AS_FOLDED_PYTHON && as_folded_look(&pk, &columns) == AS_PROBE_NO)
		dialect = AS_FOLDED_PLAIN; /* which says why it is refused */
	return dialect == AS_FOLDED_PLAIN ? folded_read_plain(rd)
					  : as_folded_read_dialect(rd, dialect);
}
#endif
