/* SPDX-License-Identifier: Apache-2.0 */
/* Maps that bpftrace counted by stacks: the driver's table and probe. docs/formats/bpftrace.md. */
#include "formats/bpftrace/bpftrace.h"

/* Entries of maps with frames in their keys. */
static enum as_probe bpftrace_probe(const struct as_peek *pk)
{
	struct as_slice rest = pk->head, line, name, key;
	unsigned entries = 0, frames = 0;

	if (as_bpftrace_is_json(pk->head))
		return AS_PROBE_MAGIC;
	if (!as_slice_starts(rest, "@") && as_slice_find_text(rest, "\n@") == rest.len)
		return AS_PROBE_NO;
	if (!as_slice_is_text(rest))
		return AS_PROBE_NO;
	while (frames < 2 && as_slice_line(&rest, pk->whole, &line)) {
		line = as_slice_chop(line);
		entries += as_bpftrace_begins(line, &name, &key);
		frames += entries && as_bpftrace_is_frame(line);
	}
	return frames ? AS_PROBE_MAGIC : AS_PROBE_NO;
}

static enum as_code bpftrace_tell(struct bpftrace *bt)
{
	AS_TRY(as_rd_tell(bt->rd, AS_F_BT_LOST, bt->n_lost,
		"event{ is|s are} lost, for which there was no room"));
	AS_TRY(as_rd_tell(bt->rd, AS_F_BT_OTHER, bt->n_other,
		"entr{y|ies} of maps {has|have} no keys, or no number; left out"));
	if (bt->n_guessed)
		AS_TRY(as_rd_find(bt->rd, AS_F_BT_ORDER, AS_OFF_NONE, 0,
			"%" PRIu64 " entr%s two stacks of which it does not show which is the "
			"kernel's: the %s is taken for it; -I stacks=user,kernel|kernel,user says "
			"so",
			bt->n_guessed, bt->n_guessed == 1 ? "y has" : "ies have",
			bt->kernel_first ? "first" : "second"));
	return as_rd_find_if(bt->rd, !bt->n_entries, AS_F_NO_SAMPLES, "there are no stacks");
}

/* Which of two stacks is the kernel's, if somebody says so. */
static enum as_code bpftrace_stacks(struct bpftrace *bt)
{
	const char *order = as_opts_get(&bt->rd->opts, "stacks");

	bt->kernel_first = order && strcmp(order, "kernel,user") == 0;
	if (order && !bt->kernel_first && strcmp(order, "user,kernel") != 0)
		return as_err_set(bt->rd->err, AS_E_ARG,
			"stacks=%s: expected user,kernel or kernel,user", order);
	return AS_OK;
}

static enum as_code bpftrace_all(struct bpftrace *bt)
{
	struct as_slice head;

	as_arena_init(&bt->arena, bt->al);
	as_index_init(&bt->texts, bt->al);
	as_tally_init(&bt->tally, bt->rd, bt->al, "bpftrace");
	AS_TRY(bpftrace_stacks(bt));
	AS_TRY(as_in_peek(bt->rd->in, AS_PEEK_MAX, &head));
	if (as_bpftrace_is_json(head))
		AS_TRY(as_bpftrace_read_json(bt));
	else
		AS_TRY(as_bpftrace_read_text(bt));
	AS_TRY(as_tally_put(&bt->tally));
	return bpftrace_tell(bt);
}

static enum as_code bpftrace_read(struct as_rd *rd)
{
	struct bpftrace bt = {.rd = rd, .al = rd->al};

	return bpftrace_all(&bt);
}

static const struct as_opt bpftrace_read_opts[] = {
	{"stacks", "user,kernel|kernel,user",
		"the order of two stacks in a key, where names do not tell it (user,kernel)"},
	{NULL, NULL, NULL},
};

const struct as_format as_format_bpftrace = {
	.name = "bpftrace",
	.title = "maps that bpftrace counted by stacks, text or JSON",
	.exts = "bpftrace,stacks",
	.spec = "docs/formats/bpftrace.md",
	.caps = AS_CAP(PATHS) | AS_CAP(FUNCS) | AS_CAP(ADDRS) | AS_CAP(EVENTS) | AS_CAP(PARTS) |
		AS_CAP(PROCESS) | AS_CAP(NOSTACK) | AS_CAP(LABELS) | AS_CAP(NEGATIVE),
	.probe = bpftrace_probe,
	.read = bpftrace_read,
	.read_opts = bpftrace_read_opts,
};
