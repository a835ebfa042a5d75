/* SPDX-License-Identifier: Apache-2.0 */
/* From bytes to profiles. */
#include "scene.h"

struct engine *as_engine_open(const struct as_alloc *al, struct as_slice data, struct as_slice name)
{
	struct engine *e = as_alloc_new(al, sizeof(*e));

	if (!e)
		return NULL;
	e->al = al;
	as_arena_init(&e->arena, al);
	e->name = as_arena_dup(&e->arena, name).p;
	e->n = data.len;
	e->data = as_alloc_new(al, data.len + 1);
	if (!e->name || !e->data || assay_findings_new(NULL, &e->findings) != ASSAY_OK) {
		as_engine_close(e);
		return NULL;
	}
	if (data.len)
		memcpy(e->data, data.p, data.len);
	return e;
}

static void drop_data(struct engine *e)
{
	as_alloc_free(e->al, e->data, e->n + 1);
	e->data = NULL;
}

void as_engine_close(struct engine *e)
{
	if (!e)
		return;
	as_engine_diff_free(e->diff);
	as_flames_free(e);
	for (size_t i = 0; i < SCENES; i++)
		as_scene_free(e->scene[i]);
	for (size_t i = 0; i < DETAILS; i++)
		as_profile_free(e->prof[i]);
	drop_data(e);
	assay_findings_free(e->findings);
	as_arena_release(&e->arena);
	as_alloc_free(e->al, e, sizeof(*e));
}

static bool depends_on_detail(const struct as_profile *prof)
{
	const struct as_format *fmt = as_format_by_name(as_str_get(prof, prof->format));

	return fmt && fmt->by_detail;
}

static enum as_code engine_read(struct engine *e, enum as_detail detail, struct failure *f)
{
	static const enum assay_detail how[] = {[AS_DETAIL_FUNC] = ASSAY_DETAIL_FUNCTION,
		[AS_DETAIL_LINE] = ASSAY_DETAIL_LINE,
		[AS_DETAIL_FULL] = ASSAY_DETAIL_FULL};
	struct assay_open_options opts = {.size = sizeof(opts),
		.detail = how[detail],
		.check = true,
		.moments = true,
		.name = e->name};
	struct assay_findings *findings;
	struct assay_profile *prof;

	as_assert((size_t)detail < DETAILS && e->data);
	if (assay_findings_new(NULL, &findings) != ASSAY_OK)
		return as_failure_no_memory(f);
	assay_findings_free(e->findings);
	opts.findings = e->findings = findings;
	e->failed = assay_open_memory(e->data, e->n, &opts, &prof, &e->err) != ASSAY_OK;
	if (!e->failed)
		e->prof[detail] = (struct as_profile *)(void *)prof;
	return AS_OK;
}

enum as_code as_engine_read(
	struct engine *e, enum as_detail detail, const struct as_profile **prof, struct failure *f)
{
	bool first = !e->failed;

	for (size_t i = 0; i < DETAILS; i++)
		first &= !e->prof[i];
	if (!first && !e->by_detail)
		detail = AS_DETAIL_FUNC;
	if (!e->prof[detail] && !e->failed)
		AS_TRY(engine_read(e, detail, f));
	if (e->failed)
		return as_failure_set(f, (enum as_code)e->err.code, NULL,
			"the input could not be read: %s", e->err.message);
	if (first)
		e->by_detail = depends_on_detail(e->prof[detail]);
	if (!e->by_detail && detail != AS_DETAIL_FUNC) {
		e->prof[AS_DETAIL_FUNC] = e->prof[detail];
		e->prof[detail] = NULL;
		detail = AS_DETAIL_FUNC;
	}
	if (!e->by_detail ||
		(e->prof[AS_DETAIL_FUNC] && e->prof[AS_DETAIL_LINE] && e->prof[AS_DETAIL_FULL]))
		drop_data(e);
	*prof = e->prof[detail];
	return AS_OK;
}
