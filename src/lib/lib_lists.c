/* SPDX-License-Identifier: Apache-2.0 */
/* The public API: lists of findings, losses and formats. */
#include "lib/lib_impl.h"

_Static_assert((int)ASSAY_INFO == (int)AS_INFO, "severities differ");
_Static_assert((int)ASSAY_WARNING == (int)AS_WARN, "severities differ");
_Static_assert((int)ASSAY_ERROR == (int)AS_ERROR, "severities differ");

enum assay_code assay_findings_new(
	const struct assay_allocator *allocator, struct assay_findings **out)
{
	const struct as_alloc *al = as_lib_alloc(allocator);

	if (!out)
		return ASSAY_E_ARG;
	*out = as_alloc_new(al, sizeof(**out));
	if (!*out)
		return ASSAY_E_NOMEM;
	(*out)->al = al;
	as_findings_init(&(*out)->f, al);
	return ASSAY_OK;
}

void assay_findings_free(struct assay_findings *f)
{
	if (!f)
		return;
	as_findings_release(&f->f);
	as_alloc_free(f->al, f, sizeof(*f));
}

uint64_t assay_findings_total(const struct assay_findings *f, enum assay_severity severity)
{
	return f && (size_t)severity < AS_ARRAY_LEN(f->f.n) ? f->f.n[severity] : 0;
}

size_t assay_findings_count(const struct assay_findings *f)
{
	return f ? f->f.row.n : 0;
}

enum assay_code assay_findings_get(
	const struct assay_findings *f, size_t i, struct assay_finding *out)
{
	struct assay_finding own = {0};
	const struct as_finding *row;

	if (!f || i >= f->f.row.n)
		return ASSAY_E_ARG;
	row = &f->f.row.p[i];
	own.severity = (enum assay_severity)row->severity;
	own.code = as_finding_name(row->id);
	own.file = as_lib_slice(row->file);
	own.line = row->line;
	own.offset = row->off;
	own.message = as_lib_slice(row->msg);
	return as_lib_give(out, &own, sizeof(own));
}

enum assay_code assay_losses_new(const struct assay_allocator *allocator, struct assay_losses **out)
{
	const struct as_alloc *al = as_lib_alloc(allocator);

	if (!out)
		return ASSAY_E_ARG;
	*out = as_alloc_new(al, sizeof(**out));
	if (!*out)
		return ASSAY_E_NOMEM;
	(*out)->al = al;
	as_losses_init(&(*out)->l, al);
	return ASSAY_OK;
}

void assay_losses_free(struct assay_losses *l)
{
	if (!l)
		return;
	as_losses_release(&l->l);
	as_alloc_free(l->al, l, sizeof(*l));
}

size_t assay_losses_count(const struct assay_losses *l)
{
	return l ? l->l.row.n : 0;
}

enum assay_code assay_losses_get(const struct assay_losses *l, size_t i, struct assay_loss *out)
{
	struct assay_loss own = {0};
	const struct as_loss *row;

	if (!l || i >= l->l.row.n)
		return ASSAY_E_ARG;
	row = &l->l.row.p[i];
	own.kind = row->kind;
	own.amount = row->amount;
	own.text = as_lib_slice(row->text);
	return as_lib_give(out, &own, sizeof(own));
}

size_t assay_format_count(void)
{
	size_t n = 0;

	while (as_formats[n])
		n++;
	return n;
}

enum assay_code assay_format_get(size_t i, struct assay_format *out)
{
	struct assay_format own = {0};
	const struct as_format *fmt;

	if (i >= assay_format_count())
		return ASSAY_E_ARG;
	fmt = as_formats[i];
	own.name = fmt->name;
	own.title = fmt->title;
	own.exts = fmt->exts ? fmt->exts : "";
	own.can_read = fmt->read != NULL;
	own.can_write = fmt->write != NULL;
	return as_lib_give(out, &own, sizeof(own));
}
