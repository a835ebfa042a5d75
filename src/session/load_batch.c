/* SPDX-License-Identifier: Apache-2.0 */
#include <stdatomic.h>
#include <sys/stat.h>

#include "io/host_alloc.h"
#include "io/threads.h"
#include "session/load_impl.h"
#include "session/read.h"

/* Inputs that are read at once. Whoever has read one merges those that are read by then, in their
 * order, unless another does. */
struct batch {
	const struct as_session *ses;
	struct as_load_opts opts;
	struct as_progress *progress;
	struct as_inputs *in;
	struct as_merge *merge;
	struct as_err *err;   /* of merging */
	enum as_code merged;  /* how merging went */
	atomic_bool *is_read; /* of each input: it is there to be merged */
	atomic_size_t next;   /* the one that is merged next */
	atomic_flag is_merging;
	bool one_by_one;      /* there are more processors than inputs: each may use them all */
	bool again;           /* they may have to be read once more: nothing is told before that */
	bool sums, facts;     /* some input has sums; has what cannot be added to them */
	atomic_bool is_mixed; /* both */
};

static bool batch_is_ready(const struct batch *b)
{
	size_t at = atomic_load(&b->next);

	return at < b->in->file.n && atomic_load(&b->is_read[at]);
}

/* Sums are added to sums, and paths to paths. */
static void batch_merge_one(struct batch *b, struct as_loaded *ld)
{
	const struct as_profile *prof = ld->prof;

	b->sums |= prof && (prof->sums.func.n || prof->stacks.n);
	b->facts |= prof && !as_is_void(prof);
	if (b->sums && b->facts)
		atomic_store(&b->is_mixed, true);
	else if (b->merged == AS_OK && prof)
		b->merged = as_merge_add(b->merge, prof, &b->in->losses);
	as_profile_free(ld->prof);
	ld->prof = NULL;
}

static void batch_merge_ready(struct batch *b)
{
	while (batch_is_ready(b) && !atomic_flag_test_and_set(&b->is_merging)) {
		for (; batch_is_ready(b); atomic_fetch_add(&b->next, 1))
			batch_merge_one(b, &b->in->loaded.p[atomic_load(&b->next)]);
		atomic_flag_clear(&b->is_merging);
	}
}

static void batch_task(void *arg, unsigned i)
{
	struct batch *b = arg;
	size_t at = b->in->loaded.n + i;

	as_assert(at < b->in->file.n);
	if (!atomic_load(&b->is_mixed))
		as_load_quiet(
			b->ses, b->in->file.p[at], &b->opts, b->progress, &b->in->loaded.p[at]);
	atomic_store(&b->is_read[at], true);
	batch_merge_ready(b);
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

/* Read and merge N inputs; then say what went wrong. What is read from now on is as what was
 * before. */
static enum as_exit batch_run(struct batch *b, unsigned n)
{
	struct as_inputs *in = b->in;
	size_t first = in->loaded.n;
	enum as_exit rc = AS_EXIT_OK;

	as_assert(n <= in->file.n - first);
	for (unsigned i = 0; i < n; i++)
		in->loaded.p[first + i] = (struct as_loaded){0};
	if (b->one_by_one) {
		as_load(b->ses, in->file.p[first], &b->opts, &in->loaded.p[first]);
		atomic_store(&b->is_read[first], true);
		batch_merge_ready(b);
	} else {
		as_threads_run(as_session_jobs(b->ses), batch_task, b, n);
	}
	in->loaded.n += n;
	b->opts.sums &= !b->facts;
	if (!b->again)
		rc = batch_report(b, first, n);
	return rc == AS_EXIT_OK && b->merged != AS_OK ? batch_failed(b->ses, b->err) : rc;
}

/* How many inputs to read at once: each thread gets two at least, so that none waits long, more
 * where they are small, and most where little of each is asked for. */
static unsigned batch_size(const struct batch *b, unsigned jobs)
{
	const struct as_inputs *in = b->in;
	size_t first = in->loaded.n, left = in->file.n - first;
	bool some = b->opts.choice && b->opts.choice->object;
	size_t n = (some ? 32 : 8) * (size_t)jobs;
	uint64_t bytes = 0;

	n = n < left ? n : left;
	for (size_t i = 0; i < n && !some; i++) {
		struct stat st;

		if (i >= 2 * (size_t)jobs && bytes > AS_READ_SMALL_BYTES)
			return (unsigned)i;
		if (stat(in->file.p[first + i], &st) == 0 && st.st_size > 0)
			bytes += (uint64_t)st.st_size;
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
	while (in->loaded.n < in->file.n && rc == AS_EXIT_OK && !atomic_load(&b->is_mixed))
		rc = batch_run(b, b->one_by_one || jobs == 1 ? 1 : batch_size(b, jobs));
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
		.is_merging = ATOMIC_FLAG_INIT,
		.again = opts->sums || opts->choice};
	enum as_exit rc;

	AS_DO(as_say_code(ses, as_merge_new(ses->al, &mo, &b.merge, &err), &err));
	rc = as_say_memory(ses, as_alloc_array(ses->al, &b.is_read, in->file.n));
	AS_THEN(rc, batch_run_all(&b));
	*again = rc == AS_EXIT_OK && atomic_load(&b.is_mixed);
	if (rc == AS_EXIT_OK && !*again)
		rc = batch_finish(&b, again);
	as_alloc_free(ses->al, b.is_read, in->file.n * sizeof(*b.is_read) + 1);
	as_merge_free(b.merge);
	return rc;
}
