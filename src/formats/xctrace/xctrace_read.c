/* SPDX-License-Identifier: Apache-2.0 */
/* The document, piece by piece, and what is left of a damaged one. docs/formats/xctrace.md. */
#include "formats/xctrace/xctrace.h"

static enum as_code read_pieces(
	struct as_xc *xc, const struct as_xml *xml, void *x, struct as_xml_fault *fault)
{
	struct as_slice piece;
	enum as_code rc;

	do {
		AS_TRY(as_in_peek(xc->rd->in, 1, &piece));
		rc = xml->feed(x, piece, !piece.len, fault);
		as_in_take(xc->rd->in, piece.len);
	} while (rc == AS_OK && piece.len);
	return rc;
}

/* Rows above the damage are good. */
static enum as_code read_damaged(
	struct as_xc *xc, enum as_code rc, const struct as_xml_fault *fault)
{
	if (!xc->n_rows)
		return as_rd_fail(xc->rd, rc, fault->off, fault->line, "%s",
			rc == AS_E_TRUNC ? "the text ends before its first row does" : fault->why);
	as_rd_partial(xc->rd);
	if (rc == AS_E_TRUNC)
		return as_rd_find(xc->rd, AS_F_TRUNCATED, fault->off, fault->line,
			"the text ends in its table, behind %" PRIu64 " row%s", xc->n_rows,
			xc->n_rows == 1 ? "" : "s");
	return as_rd_find(xc->rd, AS_F_XC_XML, fault->off, fault->line,
		"%s; %" PRIu64 " row%s above it %s kept", fault->why, xc->n_rows,
		xc->n_rows == 1 ? "" : "s", xc->n_rows == 1 ? "was" : "were");
}

static enum as_code read_document(struct as_xc *xc)
{
	const struct as_xml *xml = xc->rd->xml;
	struct as_xml_to to = {xc, as_xc_begin, as_xc_text, as_xc_end};
	struct as_xml_fault fault = {.why = ""};
	void *x = xml->open(xc->al, &to);
	enum as_code rc;

	AS_TRY(as_err_memory(xc->rd->err, x));
	rc = read_pieces(xc, xml, x, &fault);
	xml->close(xc->al, x);
	if (rc == AS_END)
		return xc->rc;
	if (rc == AS_E_NOMEM)
		return as_err_no_memory(xc->rd->err);
	if (rc == AS_E_FORMAT || rc == AS_E_TRUNC || rc == AS_E_LIMIT)
		return read_damaged(xc, rc, &fault);
	return rc;
}

static enum as_code read_findings(struct as_xc *xc)
{
	AS_TRY(as_rd_tell(
		xc->rd, AS_F_XC_REF, xc->n_ref, "element{ refers|s refer} to what is not there"));
	AS_TRY(as_rd_tell(xc->rd, AS_F_XC_WEIGHT, xc->n_no_weight, "row{ has|s have} no weight"));
	return as_rd_find_if(xc->rd, !xc->n_rows, AS_F_NO_SAMPLES, "no table has rows with stacks");
}

static enum as_code xctrace_all(struct as_xc *xc)
{
	struct as_slice head;

	if (!xc->rd->xml)
		return as_rd_fail(xc->rd, AS_E_UNSUPPORTED, AS_OFF_NONE, 0,
			"XML, which this build cannot read (made without expat)");
	AS_TRY(as_in_peek(xc->rd->in, AS_PEEK_MAX, &head));
	head.len = head.len < AS_PEEK_MAX ? head.len : AS_PEEK_MAX;
	if (!as_xc_looks(head))
		return as_rd_fail(xc->rd, AS_E_FORMAT, 0, 1,
			"expected '" XC_ROOT "', the outermost element of what xctrace exports");
	as_tally_init(&xc->tally, xc->rd, xc->al, "xctrace");
	AS_TRY(read_document(xc));
	AS_TRY(as_tally_put(&xc->tally));
	return read_findings(xc);
}

enum as_code as_xc_read(struct as_rd *rd)
{
	struct as_xc xc = {.rd = rd, .al = rd->al};

	as_arena_init(&xc.arena, xc.al);
	as_index_init(&xc.ids, xc.al);
	as_index_init(&xc.tables, xc.al);
	return xctrace_all(&xc);
}
