/* SPDX-License-Identifier: Apache-2.0 */
/* uftrace: the directory that `uftrace record` writes; docs/formats/uftrace.md. */
#include "formats/uftrace/uftrace.h"

#include "base/sort.h"

enum { TEXT_MAX = 256 << 20 };

static int uftrace_cmp_switch(const void *ctx, uint32_t a, uint32_t b)
{
	const struct uftrace_switch *sw = ctx;
	int c = as_cmp_u64(sw[a].tid, sw[b].tid);

	return c ? c : as_cmp_u64(sw[a].time, sw[b].time);
}

/* The number in "14503.dat". */
static bool uftrace_is_thread(struct as_slice name, uint64_t *tid)
{
	if (!as_slice_ends(name, ".dat"))
		return false;
	name.len -= strlen(".dat");
	return as_slice_dec(name, tid);
}

static enum as_code uftrace_file_of_thread(struct uftrace *u, uint64_t tid)
{
	if (!u->placed) {
		AS_TRY(as_uftrace_begin_places(u));
		/* By thread, then by time: the files have those of a processor. */
		AS_TRY(as_err_memory(u->rd->err,
			as_sort_array(u->al, u->sw.p, u->sw.n, uftrace_cmp_switch, u->sw.p)));
		u->placed = true;
	}
	return as_uftrace_thread(u, tid);
}

/* A file that is read as a whole, if KIND of NAME is one. */
static enum as_code uftrace_file_of_text(struct uftrace *u, struct as_slice name)
{
	struct as_slice text, word = name;

	AS_TRY(as_bundle_all(&u->b, u->rd, u->arena, TEXT_MAX, &text));
	if (as_slice_is(name, "task.txt"))
		return as_uftrace_tasks(u, text);
	if (as_slice_ends(name, ".dat"))
		return as_uftrace_perf(u, text);
	word.len -= strlen(".map");
	word = as_arena_dup(u->arena, word);
	AS_TRY(as_err_memory(u->rd->err, word.p));
	if (as_slice_ends(name, ".sym"))
		return as_uftrace_syms(u, word, text);
	return as_uftrace_maps(u, as_slice_skip(word, strlen("sid-")), text);
}

static enum as_code uftrace_file(struct uftrace *u)
{
	struct as_slice name = as_slice_of(u->b.name);
	uint64_t tid;

	if (uftrace_is_thread(name, &tid))
		return uftrace_file_of_thread(u, tid);
	if (as_slice_starts(name, "kernel-") && u->b.left)
		return as_rd_find(u->rd, AS_F_UF_KERNEL, u->b.off, 0, "%s: %" PRIu64 " bytes",
			u->b.name, u->b.left);
	if (!u->placed && (as_slice_is(name, "task.txt") || as_slice_ends(name, ".sym") ||
				  (as_slice_starts(name, "sid-") && as_slice_ends(name, ".map")) ||
				  (as_slice_starts(name, "perf-") && as_slice_ends(name, ".dat"))))
		return uftrace_file_of_text(u, name);
	return AS_OK; /* options, debug information, scripts */
}

static enum as_code uftrace_files(struct uftrace *u)
{
	struct as_slice text;
	enum as_code rc;

	rc = as_bundle_next(&u->b, u->rd);
	if (rc == AS_OK && strcmp(u->b.name, "info") != 0)
		rc = AS_END;
	if (rc == AS_END)
		return as_rd_fail(u->rd, AS_E_FORMAT, 0, 0, "there is no file 'info' in front");
	AS_TRY(rc);
	AS_TRY(as_bundle_all(&u->b, u->rd, u->arena, TEXT_MAX, &text));
	AS_TRY(as_uftrace_info(u, text));
	while ((rc = as_bundle_next(&u->b, u->rd)) == AS_OK)
		AS_TRY(uftrace_file(u));
	return rc == AS_END ? AS_OK : rc;
}

/* ---- what is said of it ---- */

static enum as_code uftrace_finish(struct uftrace *u)
{
	struct as_profile *prof = u->rd->out->prof;

	if (u->b.cut) {
		as_rd_partial(u->rd);
		AS_TRY(as_rd_find(u->rd, AS_F_TRUNCATED, u->b.in->off, 0,
			"the input ends in or behind '%s', %" PRIu64 " bytes of it are missing",
			u->b.name, u->b.left));
	}
	if (u->n_lost && u->n_threads) {
		struct as_slice text = as_arena_printf(u->arena, "%" PRIu64, u->n_lost);

		AS_TRY(as_err_memory(u->rd->err, text.p));
		AS_TRY(as_build_meta_of(
			u->rd->out, 0, as_slice_of("lost-records"), text, AS_META_OF_SUM));
	}
	if (u->n_open)
		AS_TRY(as_rd_find(u->rd, AS_F_UF_OPEN, AS_OFF_NONE, 0,
			"%" PRIu64 " calls had not returned", u->n_open));
	if (!u->n_threads) {
		uint32_t part;

		AS_TRY(as_rd_part(u->rd, "uftrace", &part));
	}
	if (!prof->sample.node.n)
		AS_TRY(as_rd_find(u->rd, AS_F_NO_SAMPLES, AS_OFF_NONE, 0, "%s",
			as_finding_text(AS_F_NO_SAMPLES)));
	return AS_OK;
}

static enum as_code uftrace_events(struct uftrace *u)
{
	struct as_slice ns = as_slice_of("nanoseconds"), count = as_slice_of("count");
	uint32_t event;

	AS_TRY(as_build_event(u->rd->out, as_slice_of("time"), ns, &event));
	as_assert(event == UFTRACE_TIME);
	return as_build_event(u->rd->out, as_slice_of("calls"), count, &event);
}

static enum as_code uftrace_read(struct as_rd *rd)
{
	struct as_arena arena;
	struct uftrace u = {.rd = rd, .al = rd->al, .arena = &arena, .b.in = rd->in};
	enum as_code rc;

	as_arena_init(&arena, rd->out->prof->al);
	as_index_init(&u.codes, rd->al);
	rc = uftrace_events(&u);
	AS_THEN(rc, uftrace_files(&u));
	AS_THEN(rc, uftrace_finish(&u));
	as_arena_release(&arena);
	return rc;
}

static enum as_probe uftrace_probe(const struct as_peek *pk)
{
	struct as_slice name, data;

	if (!as_bundle_first(pk->head, &name, &data) || !as_slice_is(name, "info"))
		return AS_PROBE_NO;
	return as_slice_starts(data, "Ftrace!") ? AS_PROBE_SURE : AS_PROBE_NO;
}

const struct as_format as_format_uftrace = {
	.name = "uftrace",
	.title = "the directory of a recording of uftrace: calls and times",
	.exts = "",
	.spec = "docs/formats/uftrace.md",
	.caps = AS_CAP(PATHS) | AS_CAP(FUNCS) | AS_CAP(ADDRS) | AS_CAP(OBJECTS) | AS_CAP(IDS) |
		AS_CAP(EVENTS) | AS_CAP(PARTS) | AS_CAP(PROCESS) | AS_CAP(DURATION) |
		AS_CAP(MOMENTS),
	.probe = uftrace_probe,
	.read = uftrace_read,
};
