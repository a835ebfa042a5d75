/* SPDX-License-Identifier: Apache-2.0 */
#include "model/findings.h"

#include <stdio.h>

/* A finding has its own message; what its kind is called at length the page's engine has no use
 * for, but that of an empty file is an error's message. */
#ifdef AS_FEWER_FORMATS
#define TEXT_OF(id, text) ((id) == AS_F_EMPTY_FILE ? (text) : "")
#else
#define TEXT_OF(id, text) text
#endif

static const struct {
	const char *name;
	enum as_severity severity;
	const char *text;
} table[AS_F_COUNT] = {
#define X(id, name, severity, text) [AS_F_##id] = {name, AS_##severity, TEXT_OF(AS_F_##id, text)},
#include "model/findings.def"
#undef X
};

void as_findings_init(struct as_findings *f, const struct as_alloc *al)
{
	*f = (struct as_findings){0};
	as_arena_init(&f->arena, al);
}

void as_findings_release(struct as_findings *f)
{
	as_vec_free(f->arena.al, &f->row);
	as_arena_release(&f->arena);
}

void as_findings_addv(struct as_findings *f, enum as_finding_id id, uint64_t off, uint64_t line,
	const char *fmt, va_list ap)
{
	struct as_finding row = {
		.id = id, .severity = table[id].severity, .off = off, .line = line};
	char raw[512], msg[512];
	int n;

	if (!f)
		return;
	f->n[row.severity]++;
	if (++f->count[id] > AS_FINDINGS_KEPT)
		return;
	n = vsnprintf(raw, sizeof(raw), fmt, ap);
	as_escape(msg, sizeof(msg), raw,
		n < 0                     ? 0
		: (size_t)n < sizeof(raw) ? (size_t)n
					  : sizeof(raw) - 1);
	row.msg = as_arena_dup(&f->arena, as_slice_of(msg));
	row.file = as_arena_dup(&f->arena, as_slice_of(f->file));
	if (row.msg.p && row.file.p)
		(void)as_vec_push(f->arena.al, &f->row, row);
}

void as_findings_add(struct as_findings *f, enum as_finding_id id, uint64_t off, uint64_t line,
	const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	as_findings_addv(f, id, off, line, fmt, ap);
	va_end(ap);
}

const char *as_finding_name(enum as_finding_id id)
{
	return table[id].name;
}

const char *as_finding_text(enum as_finding_id id)
{
	return table[id].text;
}

enum as_severity as_finding_severity(enum as_finding_id id)
{
	return table[id].severity;
}

const char *as_severity_text(enum as_severity s)
{
	return s == AS_ERROR ? "error" : s == AS_WARN ? "warning" : "info";
}
