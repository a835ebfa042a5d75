/* SPDX-License-Identifier: Apache-2.0 */
/* top: the table of what is hot. */
#include "engine.h"
#include "report/top.h"

/* In the order of enum as_by. */
static const char *const by_names[] = {
	"function", "file", "object", "line", "address", "filefunction", NULL};

enum as_code as_engine_top(
	struct engine *e, const struct question *q, struct as_out *out, struct failure *f)
{
	struct as_top_opts opts = {0};
	struct subject s;
	struct as_top top;
	uint64_t limit = 0;
	unsigned by = AS_BY_FUNC;
	enum as_code rc = as_question_choice(q, "by", by_names, &by, f);

	if (rc != AS_OK || (rc = as_question_number(q, "limit", &limit, f)) != AS_OK)
		return rc;
	rc = as_subject_make(&s, e, q, f);
	if (rc == AS_OK) {
		opts = (struct as_top_opts){
			.project = {.by = (enum as_by)by, .keep_contexts = s.keep_contexts},
			.event = s.opts.event,
			.n_events = s.opts.n_events,
			.sort_event = s.opts.sort_event,
			.limit = (size_t)limit,
			.files = s.opts.files,
			.n_files = s.opts.n_files};
		rc = as_top_make(&top, s.prof, &opts, &f->err);
		if (rc == AS_OK)
			as_top_json(&top, out);
		as_top_release(&top);
	}
	as_subject_release(&s);
	return rc;
}
