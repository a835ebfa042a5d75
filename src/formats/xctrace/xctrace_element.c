/* SPDX-License-Identifier: Apache-2.0 */
/* One element after the other: which it is, and where what it says belongs.
 * docs/formats/xctrace.md. */
#include "formats/xctrace/xctrace.h"

enum { OPEN_MAX = 256 }; /* elements in one another */

static const struct {
	const char *name;
	enum xc_kind kind;
} kinds[] = {
	{"sample-time", XC_TIME},
	{"weight", XC_WEIGHT},
	{"cycle-weight", XC_CYCLES},
	{"thread", XC_THREAD},
	{"tid", XC_TID},
	{"process", XC_PROCESS},
	{"pid", XC_PID},
	{"tagged-backtrace", XC_STACK},
	{"backtrace", XC_STACK},
	{"frame", XC_FRAME},
	{"binary", XC_BINARY},
	{"source", XC_SOURCE},
	{"path", XC_PATH},
	{"row", XC_ROW},
	{"node", XC_NODE},
	{"schema", XC_SCHEMA},
	{"col", XC_COL},
	{"mnemonic", XC_MNEMONIC},
	{"engineering-type", XC_TYPE},
};

static enum xc_kind element_kind(const char *name)
{
	for (size_t i = 0; i < AS_ARRAY_LEN(kinds); i++)
		if (strcmp(kinds[i].name, name) == 0)
			return kinds[i].kind;
	return XC_NUMBER; /* if its text is one */
}

static bool element_go_on(struct as_xc *xc, enum as_code rc)
{
	xc->rc = rc;
	return rc == AS_OK;
}

static enum as_code element_begins(struct as_xc *xc, struct xc_open *o)
{
	switch (o->kind) {
	case XC_NODE:
		as_xc_node_begin(xc);
		return AS_OK;
	case XC_ROW:
		as_xc_row_begin(xc);
		return AS_OK;
	case XC_STACK:
		o->first = xc->frame.n;
		return AS_OK;
	default:
		return AS_OK;
	}
}

static enum as_code element_attr(
	struct as_xc *xc, struct xc_open *o, const char *name, struct as_slice value)
{
	if (strcmp(name, "id") == 0) {
		o->has_id = as_slice_dec(value, &o->id);
		return AS_OK;
	}
	if (strcmp(name, "ref") == 0) {
		o->is_ref = as_slice_dec(value, &o->id);
		return AS_OK;
	}
	if (o->kind == XC_NODE && strcmp(name, "xpath") == 0)
		as_xc_node_xpath(xc, value);
	if (o->kind == XC_SCHEMA && strcmp(name, "name") == 0)
		return as_xc_schema_name(xc, value);
	return as_xc_value_attr(xc, o, name, value);
}

static enum as_code element_begin(struct as_xc *xc, const char *name, const char *const *attr)
{
	struct xc_open o = {.kind = element_kind(name)};

	if (!xc->is_root && strcmp(name, XC_ROOT) != 0)
		return as_rd_fail(xc->rd, AS_E_FORMAT, AS_OFF_NONE, 0,
			"the outermost element is '%s', not '" XC_ROOT "'", name);
	xc->is_root = true;
	if (xc->open.n == OPEN_MAX)
		return as_rd_fail(xc->rd, AS_E_LIMIT, AS_OFF_NONE, 0,
			"more than %d elements are in one another", (int)OPEN_MAX);
	xc->text.n = 0;
	AS_TRY(element_begins(xc, &o));
	for (; *attr; attr += 2)
		AS_TRY(element_attr(xc, &o, attr[0], as_slice_of(attr[1])));
	if (o.is_ref) {
		o.value = as_xc_known(xc, o.id);
		xc->n_ref += o.value.kind == XC_OTHER && o.kind != XC_NUMBER;
		o.has_id = false;
	}
	return as_err_memory(xc->rd->err, as_vec_push(xc->al, &xc->open, o));
}

bool as_xc_begin(void *xc, const char *name, const char *const *attr)
{
	return element_go_on(xc, element_begin(xc, name, attr));
}

/* Of elements in which others are, nobody asks for the text. */
bool as_xc_text(void *ctx, struct as_slice piece)
{
	struct as_xc *xc = ctx;

	return element_go_on(xc,
		as_err_memory(xc->rd->err, as_vec_append(xc->al, &xc->text, piece.p, piece.len)));
}

static enum as_code element_value(struct as_xc *xc, struct xc_open *o, struct xc_open *parent)
{
	struct xc_value value = o->value;

	if (!o->is_ref)
		AS_TRY(as_xc_value_make(xc, o, &value));
	if (o->has_id && value.kind != XC_OTHER)
		AS_TRY(as_xc_keep(xc, o->id, value));
	if (parent && parent->kind == XC_ROW)
		as_xc_row_cell(xc, value);
	else if (parent && value.kind != XC_OTHER)
		return as_xc_value_in(xc, parent, value);
	return AS_OK;
}

static enum as_code element_end(struct as_xc *xc)
{
	struct xc_open o = xc->open.p[--xc->open.n];
	struct xc_open *parent = xc->open.n ? &xc->open.p[xc->open.n - 1] : NULL;
	struct as_slice text = as_slice_trim((struct as_slice){xc->text.p, xc->text.n});

	switch (o.kind) {
	case XC_NODE:
		return as_xc_node_end(xc);
	case XC_ROW:
		return as_xc_row_end(xc);
	case XC_COL:
		return as_xc_col_end(xc);
	case XC_MNEMONIC:
	case XC_TYPE:
		return as_xc_col_fact(xc, o.kind, text);
	case XC_SCHEMA:
	case XC_OTHER:
		return AS_OK;
	default:
		return element_value(xc, &o, parent);
	}
}

bool as_xc_end(void *ctx)
{
	struct as_xc *xc = ctx;
	bool ok = element_go_on(xc, element_end(xc));

	xc->text.n = 0;
	return ok;
}
