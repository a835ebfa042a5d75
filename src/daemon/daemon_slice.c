/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The open segment in slices. Who asks what is hot now is given the samples since he asked before:
 * the recording is cut there, and when the segment ends it is what its slices add up to. So each
 * sample is in one slice and in one segment, however many ask, and a segment that ends between two
 * questions takes nothing away from the second.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

#include "change/transform.h"
#include "daemon/daemon_impl.h"
#include "io/out_file.h"

/* Slices are kept so long for who asks again, and while somebody has asked so lately. */
#define KEPT_NS UINT64_C(10000000000)
/* None is shorter for the sake of a question: those who ask at the same time share it. */
#define SHORTEST_NS UINT64_C(50000000)

/* So many slices of the open segment that are too old become one. */
enum { OLD_MAX = 16 };

/* ---- what they add up to ---- */

void as_daemon_add(struct as_perf_interval *sum, const struct as_perf_interval *more)
{
	sum->until = more->until;
	sum->taken += more->taken;
	sum->unknown += more->unknown;
	sum->lost += more->lost;
	sum->untold += more->untold;
	sum->throttled += more->throttled;
	sum->cut += more->cut;
	sum->broken += more->broken;
	sum->damaged += more->damaged;
	sum->unseen_ns += more->unseen_ns;
	sum->kernel_changed |= more->kernel_changed;
	sum->processes = more->processes;
	for (uint32_t i = 0; i < more->n_of; i++) {
		sum->of[i].taken += more->of[i].taken;
		sum->of[i].unknown += more->of[i].unknown;
		sum->of[i].lost += more->of[i].lost;
		sum->of[i].enabled_ns += more->of[i].enabled_ns;
		sum->of[i].running_ns += more->of[i].running_ns;
	}
}

static void slice_sum(
	const struct as_daemon *d, size_t first, size_t n, struct as_perf_interval *sum)
{
	as_assert(n && first + n <= d->slice.n);
	*sum = d->slice.p[first].at;
	for (size_t i = 1; i < n; i++)
		as_daemon_add(sum, &d->slice.p[first + i].at);
}

static enum as_code slice_merge(
	struct as_daemon *d, size_t first, size_t n, struct as_profile **out)
{
	struct as_merge_opts opts = {.label_parts = true};
	struct as_merge *m;
	enum as_code rc = AS_OK;

	*out = NULL;
	AS_TRY(as_merge_new(d->ses->al, &opts, &m, &d->err));
	for (size_t i = 0; i < n && rc == AS_OK; i++)
		rc = as_merge_add(m, d->slice.p[first + i].prof, NULL);
	if (rc == AS_OK)
		return as_merge_finish(m, out);
	as_merge_free(m);
	return rc;
}

void as_daemon_so_far(const struct as_daemon *d, struct as_perf_interval *at)
{
	struct as_perf_interval now;

	as_perf_machine_so_far(d->machine, &now);
	if (d->n_open) {
		slice_sum(d, d->slice.n - d->n_open, d->n_open, at);
		as_daemon_add(at, &now);
	} else {
		*at = now;
	}
}

/* ---- which are kept ---- */

static bool slice_is_old(const struct as_daemon *d, const struct as_daemon_slice *s, uint64_t now)
{
	return !d->asked || now - d->asked > KEPT_NS || now - s->at.until > KEPT_NS;
}

/* N of them, from FIRST on, give way to WITH, which may be none. */
static void slice_drop(
	struct as_daemon *d, size_t first, size_t n, const struct as_daemon_slice *with)
{
	size_t rest = first + n;

	if (!n)
		return;
	for (size_t i = first; i < rest; i++)
		as_profile_free(d->slice.p[i].prof);
	if (with)
		d->slice.p[first++] = *with;
	memmove(d->slice.p + first, d->slice.p + rest, (d->slice.n - rest) * sizeof(*d->slice.p));
	d->slice.n -= rest - first;
}

/* Of closed segments the old ones go; of the open one they become one. */
static bool slice_trim(struct as_daemon *d, uint64_t now)
{
	struct as_daemon_slice one;
	size_t closed = d->slice.n - d->n_open, n = 0;

	while (n < closed && slice_is_old(d, &d->slice.p[n], now))
		n++;
	slice_drop(d, 0, n, NULL);
	closed -= n;
	for (n = 0; n < d->n_open && slice_is_old(d, &d->slice.p[closed + n], now);)
		n++;
	if (n < OLD_MAX)
		return true;
	slice_sum(d, closed, n, &one.at);
	if (slice_merge(d, closed, n, &one.prof) != AS_OK)
		return false;
	slice_drop(d, closed, n, &one);
	d->n_open -= n - 1;
	return true;
}

void as_daemon_release_slices(struct as_daemon *d)
{
	slice_drop(d, 0, d->slice.n, NULL);
	as_vec_free(d->ses->al, &d->slice);
}

/* ---- cutting ---- */

static bool slice_cut(struct as_daemon *d)
{
	struct as_daemon_slice s;

	if (!as_vec_reserve(d->ses->al, &d->slice, d->slice.n + 1)) {
		as_err_no_memory(&d->err);
		return false;
	}
	if (as_perf_machine_cut(d->machine, &s.prof, &s.at) != AS_OK)
		return false;
	d->slice.p[d->slice.n++] = s;
	d->n_open++;
	return true;
}

bool as_daemon_whole(struct as_daemon *d, struct as_profile **prof, struct as_perf_interval *at)
{
	size_t first;

	if (!slice_cut(d))
		return false;
	first = d->slice.n - d->n_open;
	slice_sum(d, first, d->n_open, at);
	if (d->n_open == 1 && slice_is_old(d, &d->slice.p[first], at->until))
		*prof = d->slice.p[--d->slice.n].prof; /* nobody else wants it */
	else if (slice_merge(d, first, d->n_open, prof) != AS_OK)
		return false;
	d->n_open = 0;
	return slice_trim(d, at->until);
}

/* ---- for who asks ---- */

static enum as_code slice_write(struct as_daemon *d, const struct as_profile *prof, int fd)
{
	const struct as_format *fmt = as_format_by_name(as_slice_of("pprof"));
	struct as_adapt_opts how = {0};
	struct as_profile *adapted;
	struct as_sink_fd sink;
	struct as_out out;
	struct as_wr wr = {.out = &out, .err = &d->err};
	enum as_code rc, end;

	as_assert(fmt && fmt->write);
	AS_TRY(as_adapt(prof, fmt, &how, &adapted, NULL, &d->err));
	as_sink_fd_init(&sink, fd);
	rc = as_out_open(&out, d->ses->al, &sink.sink, &d->err);
	if (rc == AS_OK) {
		rc = as_format_write(fmt, &wr, adapted ? adapted : prof);
		end = as_out_finish(&out);
		rc = rc == AS_OK ? end : rc;
	}
	as_profile_free(adapted);
	return rc;
}

/* A file in memory: who reads it slowly keeps nobody waiting. */
static enum as_code slice_hand_out(struct as_daemon *d, size_t first, int *fd)
{
	struct as_profile *prof;
	enum as_code rc;

	AS_TRY(slice_merge(d, first, d->slice.n - first, &prof));
	*fd = memfd_create("assay", MFD_CLOEXEC);
	rc = *fd < 0 ? as_err_set(&d->err, AS_E_IO, "no file can be made in memory: %s",
			       strerror(errno))
		     : slice_write(d, prof, *fd);
	as_profile_free(prof);
	if (rc == AS_OK || *fd < 0)
		return rc;
	close(*fd);
	*fd = -1;
	return rc;
}

bool as_daemon_news(struct as_daemon *d, uint64_t since, struct as_perf_interval *at, int *fd)
{
	struct as_perf_interval now;
	size_t first = 0;

	*fd = -1;
	as_err_clear(&d->err);
	if (as_perf_machine_wait(d->machine, -1, 0) != AS_OK)
		return false;
	as_perf_machine_so_far(d->machine, &now);
	d->asked = now.until;
	if (now.until - now.from >= SHORTEST_NS && !slice_cut(d))
		return false;
	if (!slice_trim(d, now.until))
		return false;
	while (first < d->slice.n && d->slice.p[first].at.from < since)
		first++;
	if (first < d->slice.n) {
		slice_sum(d, first, d->slice.n - first, at);
		return slice_hand_out(d, first, fd) == AS_OK;
	}
	as_perf_machine_so_far(d->machine, at); /* that began where the last slice ended */
	*at = (struct as_perf_interval){
		.from = at->from, .until = at->from, .period_ns = at->period_ns};
	return true;
}
