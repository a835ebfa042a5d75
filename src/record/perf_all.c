/* SPDX-License-Identifier: Apache-2.0 */
/* What there is on the machine when its recording begins: processes, threads, control groups. */
#define _GNU_SOURCE
#include <fts.h>
#include <mntent.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "record/perf_ids.h"
#include "record/perf_merge.h"
#include "record/perf_proc.h"
#include "record/perf_setup.h"

static enum as_code perf_all_list(uint32_t pid, struct as_proc_ids *all)
{
	(void)as_proc_list(pid, all);
	return all->full ? AS_E_NOMEM : AS_OK;
}

/* Those that run already; one that has ended by now needs no name. */
static enum as_code perf_all_track(
	struct as_perf_track *t, struct as_proc_ids *pids, struct as_proc_ids *tids)
{
	const struct as_slice none = {NULL, 0};

	AS_TRY(perf_all_list(0, pids));
	for (size_t i = 0; i < pids->id.n; i++) {
		uint32_t pid = pids->id.p[i];

		AS_TRY(as_perf_track_process(t, pid));
		AS_TRY(perf_all_list(pid, tids));
		for (size_t k = 0; k < tids->id.n; k++)
			AS_TRY(as_perf_track_thread(t, pid, tids->id.p[k], none));
	}
	return AS_OK;
}

enum as_code as_perf_track_all(struct as_perf_track *t)
{
	struct as_proc_ids pids = {.al = t->al}, tids = pids;
	struct as_known_ids known;
	enum as_code rc;

	as_known_ids_init(&known, t->al);
	t->ids = &known;
	rc = perf_all_track(t, &pids, &tids);
	t->ids = NULL;
	as_known_ids_release(&known);
	t->look_again = false;
	as_vec_free(pids.al, &pids.id);
	as_vec_free(tids.al, &tids.id);
	return rc == AS_E_NOMEM ? as_err_no_memory(t->err) : rc;
}

/* ---- control groups ---- */

/* Where the hierarchy that samples speak of is mounted: false if nowhere. */
static bool perf_all_cgroup_root(char *path, size_t size)
{
	FILE *f = setmntent("/proc/self/mounts", "re");
	struct mntent *m;
	bool found = false;

	while (f && !found && (m = getmntent(f)))
		if (!strcmp(m->mnt_type, "cgroup2"))
			found = (size_t)snprintf(path, size, "%s", m->mnt_dir) < size;
	if (f)
		endmntent(f);
	return found;
}

/* A group's number is that of its folder. */
static enum as_code perf_all_cgroups_below(struct as_perf_track *t, char *path, size_t root)
{
	struct as_slice name;
	enum as_code rc = AS_OK;
	char *const paths[] = {path, NULL};
	FTS *tree = fts_open(paths, FTS_PHYSICAL | FTS_NOCHDIR | FTS_XDEV, NULL);
	FTSENT *e;

	while (tree && rc == AS_OK && (e = fts_read(tree))) {
		if (e->fts_info != FTS_D)
			continue;
		name = as_slice_skip(as_slice_of(e->fts_path), root);
		if (!name.len)
			name = as_slice_of("/");
		rc = as_perf_track_cgroup(t, e->fts_statp->st_ino, name);
	}
	if (tree)
		fts_close(tree);
	return rc;
}

enum as_code as_perf_track_cgroups(struct as_perf_track *t)
{
	char path[4096];

	if (!perf_all_cgroup_root(path, sizeof(path)))
		return AS_OK;
	return perf_all_cgroups_below(t, path, strlen(path));
}

/* ---- the user's own ---- */

/*
 * Where events of processors are not allowed: events of all processes of one's own. Those that
 * they start inherit them; the others, as of a login, are found when they have run for a moment.
 */
struct own {
	struct as_perf_set *set;
	struct as_perf_track *track;
	uint32_t pid; /* whose threads are listed */
	size_t n;     /* threads that got events */
	enum as_code rc;
};

static bool perf_own_is_ours(uint32_t pid)
{
	char path[32];
	struct stat st;

	snprintf(path, sizeof(path), "/proc/%" PRIu32, pid);
	return stat(path, &st) == 0 && st.st_uid == geteuid();
}

/* Programs that got rights of their own can't be watched; that is no error. */
static bool perf_own_take_thread(void *ctx, uint32_t tid)
{
	const struct as_slice none = {NULL, 0};
	struct own *o = ctx;
	struct as_err why = AS_ERR_NONE, *err = o->set->err;
	enum as_code rc;

	if (as_perf_track_knows(o->track, tid) || as_perf_rings_tell(o->set, tid))
		return true;
	o->set->err = &why;
	rc = as_perf_set_open(o->set, (pid_t)o->pid, (pid_t)tid);
	o->set->err = err;
	if (rc == AS_E_NOMEM)
		o->rc = as_err_no_memory(err);
	if (rc != AS_OK)
		return o->rc == AS_OK;
	o->rc = as_perf_track_thread(o->track, o->pid, tid, none);
	o->n++;
	return o->rc == AS_OK;
}

static bool perf_own_take_process(void *ctx, uint32_t pid)
{
	struct own *o = ctx;
	size_t before = o->n;

	if (as_perf_track_knows(o->track, pid) || !perf_own_is_ours(pid))
		return true;
	o->pid = pid;
	(void)as_proc_threads(pid, perf_own_take_thread, o);
	if (o->rc == AS_OK && o->n > before)
		o->rc = as_perf_track_process(o->track, pid);
	return o->rc == AS_OK;
}

enum as_code as_perf_own_find(struct as_perf_set *set, struct as_perf_track *t, size_t *n)
{
	struct own o = {.set = set, .track = t, .rc = AS_OK};

	as_perf_set_fetch(set);
	(void)as_proc_threads(0, perf_own_take_process, &o);
	*n = o.n;
	return o.rc;
}
