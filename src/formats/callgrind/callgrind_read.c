/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The reader: lines are dispatched on their first byte. Cost lines, nine of
 * ten, are taken many at a time by callgrind_cost.c.
 */
#include "formats/callgrind/callgrind.h"

void as_cg_init(struct cg *cg, struct as_rd *rd)
{
	*cg = (struct cg){
		.rd = rd,
		.b = rd->out,
		.al = &cg->pool.al,
		.func_detail = rd->detail == AS_DETAIL_FUNC,
		.no_lines = rd->detail <= AS_DETAIL_FILE,
		.full = rd->detail == AS_DETAIL_FULL,
		.line = 1,
		.cut = as_cg_cut_fast(),
		.cut_sum = as_cg_sum_fast(),
		.acc.block = 1,
	};
	as_pool_init(&cg->pool, rd->out->prof->al);
	as_cg_ids_init(&cg->objects, cg->al);
	as_cg_ids_init(&cg->files, cg->al);
	as_cg_ids_init(&cg->funcs, cg->al);
}

void as_cg_release(struct cg *cg)
{
	as_pool_release(&cg->pool);
}

static bool is_marker(struct as_slice line)
{
	return as_slice_starts(line, "# callgrind format");
}

static enum as_code unknown_line(struct cg *cg, struct as_slice line)
{
	struct as_slice shown = line;
	size_t eq = as_slice_find(line, '=');
	bool spec = eq > 0 && eq < line.len;

	if (memchr(line.p, 0, line.len))
		AS_TRY(CG_FIND(cg, AS_F_CG_NUL_BYTE, line.p, "a NUL byte in the text"));
	for (size_t i = 0; spec && i < eq; i++)
		spec = line.p[i] >= 'a' && line.p[i] <= 'z';
	if (shown.len > 40)
		shown.len = 40;
	if (spec)
		return CG_FIND(cg, AS_F_CG_UNKNOWN_SPEC, line.p, "unknown specification '%.*s'",
			AS_SLICE_FMT(shown));
	as_rd_partial(cg->rd);
	return CG_FIND(cg, AS_F_CG_LINE_UNKNOWN, line.p,
		"expected a header, position, call or cost, found '%.*s'", AS_SLICE_FMT(shown));
}

static enum as_code cg_read_line(struct cg *cg, struct as_slice line)
{
	bool known = false;

	cg->n_crlf += line.len && line.p[line.len - 1] == '\r';
	while (line.len && line.p[line.len - 1] == '\r') /* converted twice: more than one */
		line.len--;
	line = as_slice_ltrim(line);
	if (line.len == 0)
		return AS_OK;
	if (line.p[0] == '#') {
		cg->zero_call = as_slice_is(line, "# calls=0");
		AS_TRY(as_cg_jump_note(cg, line));
		return is_marker(line) ? as_cg_marker(cg) : AS_OK;
	}
	if (as_cg_starts_cost(line.p[0]))
		return as_cg_cost_line(cg, line);
	AS_TRY(as_cg_spec_line(cg, line, &known));
	if (!known)
		AS_TRY(as_cg_header_line(cg, line, &known));
	return known ? AS_OK : unknown_line(cg, line);
}

static enum as_code cg_read_window(struct cg *cg)
{
	while (cg->p < cg->end && !(cg->header_only && cg->have_body)) {
		struct as_slice line;
		enum as_code rc;

		if (as_cg_starts_cost(*cg->p)) {
			AS_TRY(as_cg_cost_lines(cg));
			continue;
		}
		rc = as_cg_fast_spec(cg);
		if (rc == AS_OK)
			continue;
		if (rc != AS_END)
			return rc;
		line = (struct as_slice){cg->p, (size_t)(cg->end - cg->p)};
		line.len = as_slice_find(line, '\n');
		cg->p += line.len + (line.p + line.len < cg->end);
		AS_TRY(cg_read_line(cg, line));
		cg->line++;
	}
	return AS_OK;
}

enum as_code as_cg_read_lines(struct cg *cg)
{
	struct as_slice window;
	enum as_code rc;

	while ((rc = as_in_lines(cg->rd->in, &window)) == AS_OK) {
		cg->window = cg->p = window.p;
		cg->end = window.p + window.len;
		cg->off = cg->rd->in->off;
		AS_TRY(cg_read_window(cg));
		if (cg->header_only && cg->have_body)
			return AS_OK;
		as_in_take(cg->rd->in, window.len);
	}
	if (rc != AS_END)
		return rc;
	/* Only offsets of findings are still wanted, and the window is gone. */
	cg->off = cg->rd->in->off;
	cg->window = cg->p = cg->end = cg->rd->in->p;
	return AS_OK;
}

/* Functions whose id never got a name: "[id 9]", so that they stay apart. */
static enum as_code name_the_nameless(struct cg *cg)
{
	struct as_profile *prof = cg->b->prof;

	for (uint32_t f = 0; f < cg->placed.n; f++) {
		char text[32] = "[function ";
		size_t at = strlen(text);

		if (!(cg->placed.p[f] & CG_NAMELESS))
			continue;
		at = (size_t)(as_put_u64(text + at, f) - text);
		text[at] = ']';
		AS_TRY(as_build_str(cg->b, (struct as_slice){text, at + 1}, &prof->func.name.p[f]));
	}
	return AS_OK;
}

/* What our writer puts for code that is known by its addresses alone: "[libm.so]" of libm.so. */
static void forget_stand_ins(struct as_profile *prof)
{
	for (uint32_t f = 1; f < prof->func.name.n; f++) {
		struct as_slice name = as_func_name(prof, (as_func){f});
		struct as_slice base = as_base_name(as_object_path(prof, prof->func.object.p[f]));

		if (base.len && name.len == base.len + 2 && name.p[0] == '[' &&
			name.p[name.len - 1] == ']' && memcmp(name.p + 1, base.p, base.len) == 0)
			prof->func.name.p[f].i = 0;
	}
}

enum as_code as_cg_finish(struct cg *cg)
{
	AS_TRY(as_cg_part_end(cg));
	AS_TRY(as_cg_event_lines_end(cg));
	AS_TRY(as_cg_own_end(cg));
	AS_TRY(name_the_nameless(cg));
	as_cg_settle_callees(cg);
	forget_stand_ins(cg->b->prof);
	if (cg->n_crlf && cg->n_crlf + 1 < cg->line - 1)
		AS_TRY(as_rd_find(cg->rd, AS_F_CG_LINE_ENDS_MIXED, AS_OFF_NONE, 0,
			"%" PRIu64 " of %" PRIu64 " lines %s in CR LF", cg->n_crlf, cg->line - 1,
			cg->n_crlf == 1 ? "ends" : "end"));
	return as_build_unify(cg->b);
}

static enum as_code empty_input(struct as_rd *rd)
{
	as_findings_add(rd->findings, AS_F_EMPTY_FILE, 0, 0,
		"the file is empty (valgrind leaves one beside FILE.1 and FILE-01)");
	return as_rd_fail(rd, AS_E_TRUNC, 0, 0,
		"the file is empty; valgrind leaves one beside FILE.1 and FILE-01");
}

enum as_code as_cg_read(struct as_rd *rd)
{
	struct as_slice head;
	struct cg cg;
	enum as_code rc;

	AS_TRY(as_in_peek(rd->in, 1, &head));
	if (head.len == 0)
		return empty_input(rd);
	if (as_cg_read_parallel(rd))
		return AS_OK;
	as_cg_init(&cg, rd);
	rc = as_cg_read_lines(&cg);
	if (rc == AS_OK)
		rc = as_cg_finish(&cg);
	if (rc == AS_OK && !cg.have_events && cg.n_lines_cost + cg.n_lines_call == 0 &&
		!rd->out->prof->event.n)
		rc = as_rd_fail(rd, AS_E_FORMAT, AS_OFF_NONE, 0, "there is no 'events:' line");
	as_cg_release(&cg);
	return rc;
}
