/* SPDX-License-Identifier: Apache-2.0 */
#include <sys/stat.h>

#include "io/host_alloc.h"
#include "io/threads.h"
#include "session/load_impl.h"
#include "session/read.h"

/* Inputs that are read at once, as many as there are processors, while those read before are
 * merged in their order. */
struct batch {
	const struct as_session *ses;
	struct as_load_opts opts;
	struct as_progress *progress;
	struct as_inputs *in;
	struct as_merge *merge;
	struct as_err *err;  /* of merging */
	enum as_code merged; /* how merging went */
	size_t merge_first;  /* read before: from this one on, */
	unsigned n_merge;    /* so many */
	unsigned merges;     /* tasks that merge: 1 or 0 */
	bool one_by_one;     /* there are more processors than inputs: each may use them all */
	bool again;          /* they may have to be read once more: nothing is told before that */
	bool sums, facts;    /* some input has sums; has what cannot be added to them */
};

static void batch_merge(struct batch *b)
{
	as_assert(b->merge_first + b->n_merge <= b->in->loaded.n);
	for (size_t i = b->merge_first; i < b->merge_first + b->n_merge; i++) {
		struct as_loaded *ld = &b->in->loaded.p[i];

		if (b->merged == AS_OK && ld->prof)
			b->merged = as_merge_add(b->merge, ld->prof, &b->in->losses);
		as_profile_free(ld->prof);
		ld->prof = NULL;
	}
	b->n_merge = 0;
}

static void batch_read(struct batch *b, size_t at)
{
	as_assert(at < b->in->file.n);
	as_load_quiet(b->ses, b->in->file.p[at], &b->opts, b->progress, &b->in->loaded.p[at]);
}

/* The first task merges, if there is something to merge; the others read an input each. */
static void batch_task(void *arg, unsigned i)
{
	struct batch *b = arg;

	if (i < b->merges)
		batch_merge(b);
	else
		batch_read(b, b->in->loaded.n + i - b->merges);
}

/* Inputs that do not go together are no mistake of the command line. */
static enum as_exit batch_failed(const struct as_session *ses, const struct as_err *err)
{
	if (err->code != AS_E_ARG)
		return as_say_failed(ses, err, NULL);
	as_say_failed(ses, err, "look at them one by one: assay info FILE");
	return AS_EXIT_UNSUPPORTED;
}

/* One segment of a database is not all of it. */
static enum as_exit batch_report_one(
	const struct as_session *ses, const struct as_inputs *in, const struct as_loaded *ld)
{
	char text[sizeof(ld->err.name) + sizeof(ld->err.msg)];

	if (!in->database || (ld->rc == AS_OK && ld->is_read) || ld->rc == AS_E_NOMEM)
		return as_loaded_report(ses, ld);
	as_err_text(&ld->err, text, sizeof(text));
	as_say_warning(ses, "%s; it is left out", text);
	return AS_EXIT_OK;
}

/* Say what went wrong with N inputs. */
static enum as_exit batch_report(const struct batch *b, size_t first, size_t n)
{
	enum as_exit rc = AS_EXIT_OK, one;

	for (size_t i = first; i < first + n; i++) {
		one = batch_report_one(b->ses, b->in, &b->in->loaded.p[i]);
		rc = one > rc ? one : rc;
	}
	return rc;
}

/* Sums are added to sums, and paths to paths: what is read from now on is as what was before. */
static void batch_look(struct batch *b, size_t first, size_t n)
{
	for (size_t i = first; i < first + n; i++) {
		const struct as_profile *prof = b->in->loaded.p[i].prof;

		b->sums |= prof && (prof->sums.func.n || prof->stacks.n);
		b->facts |= prof && !as_is_void(prof);
	}
	b->opts.sums &= !b->facts;
}

/* Merge what was read before, and read N inputs; then say what went wrong. */
static enum as_exit batch_run(struct batch *b, unsigned n)
{
	struct as_inputs *in = b->in;
	size_t first = in->loaded.n;
	enum as_exit rc = AS_EXIT_OK;

	as_assert(n <= in->file.n - first);
	for (unsigned i = 0; i < n; i++)
		in->loaded.p[first + i] = (struct as_loaded){0};
	b->merges = b->n_merge != 0;
	if (b->one_by_one) {
		batch_merge(b);
		if (n)
			as_load(b->ses, in->file.p[first], &b->opts, &in->loaded.p[first]);
	} else {
		as_threads_run(as_session_jobs(b->ses), batch_task, b, n + b->merges);
	}
	in->loaded.n += n;
	if (b->merged != AS_OK)
		return batch_failed(b->ses, b->err);
	batch_look(b, first, n);
	if (!b->again)
		rc = batch_report(b, first, n);
	b->merge_first = first;
	b->n_merge = n;
	return rc;
}

/* Of a file of which little is asked for, the part that is read is one in so many, about. */
enum { BATCH_CHOSEN = 4 };

/* How many inputs to read at once. At least two for each thread, so that none waits long for the
 * one that merges; more where they are small, but fewer towards the end, as one thread alone
 * merges the last. */
static unsigned batch_size(const struct batch *b, unsigned jobs)
{
	const struct as_inputs *in = b->in;
	size_t first = in->loaded.n, left = in->file.n - first, n = left / 2;
	bool some = b->opts.choice && b->opts.choice->object;
	uint64_t bytes = 0;

	n = n < 8 * (size_t)jobs ? n : 8 * (size_t)jobs;
	n = n > 2 * (size_t)jobs ? n : 2 * (size_t)jobs;
	n = n < left ? n : left;
	for (size_t i = 0; i < n; i++) {
		struct stat st;

		if (i >= 2 * (size_t)jobs && bytes > AS_READ_SMALL_BYTES)
			return (unsigned)i;
		if (stat(in->file.p[first + i], &st) == 0 && st.st_size > 0)
			bytes += (uint64_t)st.st_size / (some ? BATCH_CHOSEN : 1);
	}
	return (unsigned)n;
}

/* Read and merge all. */
static enum as_exit batch_run_all(struct batch *b)
{
	const struct as_inputs *in = b->in;
	unsigned jobs = as_session_jobs(b->ses);
	enum as_exit rc = AS_EXIT_OK;

	if (!b->one_by_one)
		as_host_keep();
	b->progress = b->one_by_one ? NULL : as_load_progress(b->ses);
	while ((in->loaded.n < in->file.n || b->n_merge) && rc == AS_EXIT_OK &&
		!(b->sums && b->facts))
		rc = batch_run(b, b->one_by_one || jobs == 1 ? in->loaded.n < in->file.n
							     : batch_size(b, jobs));
	if (!b->one_by_one)
		as_load_progress_end(b->ses);
	return rc;
}

/* The merge becomes the inputs' profile; *AGAIN: they do not go together as they were read. */
static enum as_exit batch_finish(struct batch *b, bool *again)
{
	enum as_code rc = as_merge_finish(b->merge, &b->in->prof);
	enum as_exit told = AS_EXIT_OK;

	b->merge = NULL;
	*again = (b->sums && rc == AS_E_UNSUPPORTED) ||
		 (rc == AS_OK && as_load_chose_nothing(&b->opts, b->in->prof));
	if (*again)
		return AS_EXIT_OK;
	if (b->again)
		told = batch_report(b, 0, b->in->loaded.n);
	return rc == AS_OK ? told : as_say_failed(b->ses, b->err, NULL);
}

enum as_exit as_load_merged(const struct as_session *ses, const struct as_load_opts *opts,
	bool keep_parts, struct as_inputs *in, bool *again)
{
	struct as_merge_opts mo = {
		.keep_parts = keep_parts, .pieces = in->database || opts->pieces};
	struct as_err err = AS_ERR_NONE;
	struct batch b = {.ses = ses,
		.opts = *opts,
		.in = in,
		.err = &err,
		.one_by_one = in->file.n < as_session_jobs(ses),
		.again = opts->sums || opts->choice};
	enum as_exit rc;

	AS_DO(as_say_code(ses, as_merge_new(ses->al, &mo, &b.merge, &err), &err));
	rc = batch_run_all(&b);
	*again = rc == AS_EXIT_OK && b.sums && b.facts;
	if (rc == AS_EXIT_OK && !*again)
		rc = batch_finish(&b, again);
	as_merge_free(b.merge);
	return rc;
}
