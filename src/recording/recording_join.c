/* SPDX-License-Identifier: Apache-2.0 */
/* The processes and threads of a recording, for a format that does not keep them apart. */
#define _GNU_SOURCE
#include "change/transform.h"
#include "recording/recording.h"

/* Whose a sample is becomes its labels. */
static enum as_code rec_join_label(struct as_profile **prof, struct as_err *err)
{
	struct as_merge_opts opts = {.label_parts = true, .label_programs = true};
	struct as_profile *one;
	struct as_merge *m;
	enum as_code rc;

	AS_TRY(as_merge_new((*prof)->al, &opts, &m, err));
	rc = as_merge_add(m, *prof, NULL);
	if (rc != AS_OK) {
		as_merge_free(m);
		return rc;
	}
	AS_TRY(as_merge_finish(m, &one));
	as_profile_replace(prof, one);
	return AS_OK;
}

/* Of a tree, the command is what was typed: of its one part, or, where it has several, beside
 * theirs. */
static enum as_code name_tree(const struct as_recording *r, struct as_profile **prof,
	int64_t duration, struct as_err *err)
{
	struct as_profile *named;
	struct as_arena ar;
	enum as_code rc;

	as_arena_init(&ar, r->ses->al);
	rc = as_with_command(*prof, as_recording_command(r, &ar), duration,
		r->save.fmt->caps & AS_CAP(PARTS), &named, err);
	as_arena_release(&ar);
	AS_TRY(rc);
	as_profile_replace(prof, named);
	return AS_OK;
}

void as_recording_choose(struct as_recording *r, const struct as_profile *prof)
{
	if (!r->labelled[0] || prof->part.n < 2)
		return;
	r->save.fmt = as_format_by_name(as_slice_of("pprof"));
	r->save.path = r->labelled;
}

enum as_exit as_recording_join(struct as_recording *r, struct as_profile **prof, int64_t duration)
{
	struct as_err err = AS_ERR_NONE;
	enum as_code rc = AS_OK;
	bool apart = r->save.fmt->caps & AS_CAP(PARTS);

	if (apart && (*prof)->part.n < 2)
		return AS_EXIT_OK;
	if (!apart && r->save.fmt->caps & AS_CAP(LABELS) &&
		((*prof)->part.n > 1 || r->args->machine))
		rc = rec_join_label(prof, &err);
	if (rc == AS_OK && !r->args->pid.given && !r->args->machine)
		rc = name_tree(r, prof, duration, &err);
	if (rc == AS_OK)
		return AS_EXIT_OK;
	return as_say_end(r->ses, AS_EXIT_INPUT, err.msg, NULL);
}
