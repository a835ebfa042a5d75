/* SPDX-License-Identifier: Apache-2.0 */
/* A segment, from the recorder to the database. */
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

#include "change/transform.h"
#include "daemon/daemon_impl.h"
#include "session/naming.h"

enum { PENDING_MAX = 60 }; /* segments that wait for room on the disk */
enum { MOMENTS = 8 };      /* looks at two clocks */
enum { NS_PER_S = 1000000000, NS_PER_MS = 1000000, JUMP_NS = NS_PER_S / 2 };

/* ---- the machine's own time ---- */

/* "cpu  user nice system idle iowait irq softirq steal ...": what guests had is in user's. */
void as_daemon_machine_time(uint64_t *busy_ns, uint64_t *steal_ns)
{
	uint64_t tick = NS_PER_S / (uint64_t)sysconf(_SC_CLK_TCK);
	FILE *f = fopen("/proc/stat", "re");
	struct as_slice all, rest, word;
	char line[512] = "";
	uint64_t v[8] = {0};
	size_t n = 0;

	all = as_slice_of(f && fgets(line, sizeof(line), f) ? line : "");
	if (as_slice_cut(&all, '\n', &rest) && as_slice_word(&rest, &word) &&
		as_slice_is(word, "cpu"))
		while (n < AS_ARRAY_LEN(v) && as_slice_word(&rest, &word) &&
			as_slice_dec(word, &v[n]))
			n++;
	if (n < AS_ARRAY_LEN(v))
		memset(v, 0, sizeof(v));
	if (f)
		fclose(f);
	*busy_ns = (v[0] + v[1] + v[2] + v[5] + v[6]) * tick;
	*steal_ns = v[7] * tick;
}

static uint64_t daemon_since(uint64_t now, uint64_t *last)
{
	uint64_t passed = now > *last ? now - *last : 0;

	*last = now;
	return passed;
}

/* ---- names that are gone later ---- */

/* Of the kernel, which may be another one tomorrow, and of generated code. DCPI profiles have no
 * names. */
static void daemon_name(struct as_daemon *d, struct as_profile **prof, bool changed)
{
	struct as_symbol_opts opts = {.no_files = true};
	struct as_symbol_report report;
	struct as_profile *named = NULL;
	struct as_err err = AS_ERR_NONE;

	if (d->opts->flat)
		return;
	if (as_name_made_code(prof, d->made, d->n_made, &err) != AS_OK)
		as_say_warning(d->ses, "generated code has no names: %s", err.msg);
	d->n_made = 0;
	as_err_clear(&err);
	opts.kept = as_daemon_kernel(d, changed);
	if (!as_wants_symbols(*prof))
		return;
	if (as_name_code(*prof, &opts, &named, &report, &err) == AS_OK)
		as_profile_replace(prof, named);
	as_symbol_report_release(&report);
	if (err.code != AS_OK)
		as_say_warning(d->ses, "code of the kernel has no names: %s", err.msg);
}

/* ---- what could not be written ---- */

static void daemon_drop_pending(struct as_daemon *d)
{
	as_say_warning(d->ses,
		"%" PRIu64 " samples of the last %u segments could not be stored and are dropped",
		d->sums.pending, d->n_pending);
	as_profile_free(d->pending.prof);
	d->pending.prof = NULL;
	d->sums.dropped += d->sums.pending;
	d->sums.pending = 0;
	for (size_t i = 0; i < AS_ARRAY_LEN(d->sums.of); i++) {
		d->sums.of[i].dropped += d->sums.of[i].pending;
		d->sums.of[i].pending = 0;
	}
	d->n_pending = 0;
}

/* PIECE becomes what waits and it, as one that began when the first of them did. */
static bool daemon_join(struct as_daemon *d, struct as_daemon_piece *piece)
{
	struct as_merge_opts opts = {.label_parts = true};
	struct as_daemon_piece *waits = &d->pending;
	struct as_merge *m;

	if (!waits->prof)
		return true;
	if (as_merge_new(d->ses->al, &opts, &m, &d->err) != AS_OK)
		return false;
	if (as_merge_add(m, waits->prof, NULL) != AS_OK ||
		as_merge_add(m, piece->prof, NULL) != AS_OK) {
		as_merge_free(m);
		return false;
	}
	as_profile_free(waits->prof);
	as_profile_free(piece->prof);
	as_store_facts_add(&piece->facts, &waits->facts);
	piece->began = waits->began;
	piece->from = waits->from;
	waits->prof = piece->prof = NULL;
	return as_merge_finish(m, &piece->prof) == AS_OK;
}

/* It is tried again with the next segment. */
static void daemon_keep(struct as_daemon *d, const struct as_daemon_piece *piece)
{
	char why[AS_DAEMON_WHY];

	as_say_warning(
		d->ses, "%s; it is tried again with the next segment", as_daemon_why(d, why));
	d->sums.failed++;
	d->pending = *piece;
	d->sums.pending = piece->facts.counted;
	for (uint32_t k = 0; k < piece->facts.n_of; k++)
		d->sums.of[k].pending = piece->facts.of[k].counted;
	if (++d->n_pending >= PENDING_MAX)
		daemon_drop_pending(d);
}

/* ---- a segment ---- */

static void daemon_count(struct as_daemon *d, const struct as_perf_interval *i)
{
	as_daemon_add(&d->sums.all, i);
	if (i->unseen_ns)
		as_say_warning(d->ses,
			"processors came, or came back, and may have run for %.2f s before they "
			"were watched",
			(double)i->unseen_ns * 1e-9);
}

static void daemon_facts_of(
	const struct as_daemon *d, const struct as_perf_interval *i, struct as_store_facts *facts)
{
	facts->n_of = i->n_of;
	for (uint32_t k = 0; k < i->n_of; k++) {
		struct as_store_facts_of *of = &facts->of[k];

		snprintf(of->event, sizeof(of->event), "%s",
			as_perf_machine_column(d->machine, k)->kind->name);
		of->counted = i->of[k].taken;
		of->lost = i->of[k].lost;
		of->unknown = i->of[k].unknown;
		of->stored = of->counted - of->lost;
	}
}

/* What waited is written, too. */
static void daemon_stored(struct as_daemon *d, const struct as_store_facts *facts)
{
	d->sums.stored += facts->counted;
	d->sums.pending = 0;
	for (uint32_t k = 0; k < facts->n_of; k++) {
		d->sums.of[k].stored += facts->of[k].counted;
		d->sums.of[k].pending = 0;
	}
	d->n_pending = 0;
	d->sums.segments++;
}

/* What was recorded up to UNTIL, by the clock that does not jump. */
static void daemon_store(struct as_daemon *d, struct as_daemon_piece *piece, uint64_t until)
{
	int64_t end = piece->began + (int64_t)(until - piece->from);

	if (as_store_segment(d->store, piece->prof, piece->began, end, d->opts->flat, &piece->facts,
		    &d->err) != AS_OK) {
		daemon_keep(d, piece);
		return;
	}
	daemon_stored(d, &piece->facts);
	as_profile_free(piece->prof);
}

/* The clock on the wall, and in MONO the other one of the same moment, as far as we are let run. */
static int64_t daemon_moment(int64_t *mono)
{
	int64_t wall = 0, least = INT64_MAX;

	*mono = 0;
	for (int i = 0; i < MOMENTS && least > NS_PER_MS; i++) {
		int64_t before = as_daemon_mono(), now = as_daemon_clock();
		int64_t took = as_daemon_mono() - before;

		if (took >= least)
			continue;
		least = took;
		*mono = before;
		wall = now;
	}
	return wall;
}

/* The next segment begins at END of the last one, or, if the clock on the wall has jumped, when
 * that says that it was UNTIL. */
static void daemon_follow(struct as_daemon *d, int64_t end, uint64_t until)
{
	int64_t mono, wall = daemon_moment(&mono);
	int64_t now = wall - (mono - (int64_t)until), jump = now - end;

	d->segment_began = end;
	if (jump > -JUMP_NS && jump < JUMP_NS)
		return;
	as_say_warning(d->ses, "the clock has jumped %s by %.1f s", jump < 0 ? "back" : "forward",
		(double)(jump < 0 ? -jump : jump) * 1e-9);
	d->segment_began = now;
	d->jumped_mono = mono;
}

bool as_daemon_segment(struct as_daemon *d)
{
	struct as_daemon_piece piece = {.began = d->segment_began};
	struct as_perf_interval i;
	uint64_t busy, steal;

	as_err_clear(&d->err);
	if (!as_daemon_whole(d, &piece.prof, &i))
		return false;
	as_daemon_machine_time(&busy, &steal);
	d->sums.busy_ns += daemon_since(busy, &d->busy_ns);
	steal = daemon_since(steal, &d->steal_ns);
	d->sums.steal_ns += steal;
	daemon_count(d, &i);
	piece.from = i.from;
	piece.facts = (struct as_store_facts){.counted = i.taken,
		.stored = i.taken - i.lost,
		.lost = i.lost,
		.unknown = i.unknown,
		.throttled = i.throttled,
		.stolen_ns = steal,
		.unwatched_ns = i.unseen_ns};
	daemon_facts_of(d, &i, &piece.facts);
	daemon_follow(d, piece.began + (int64_t)(i.until - i.from), i.until);
	daemon_name(d, &piece.prof, i.kernel_changed);
	if (!daemon_join(d, &piece)) {
		as_profile_free(piece.prof);
		return false;
	}
	daemon_store(d, &piece, i.until);
	return true;
}
