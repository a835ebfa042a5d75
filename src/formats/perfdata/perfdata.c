/* SPDX-License-Identifier: Apache-2.0 */
/* Files of Linux perf: the driver's table and probe. docs/formats/perfdata.md. */
#include "formats/perfdata/perfdata.h"

static enum as_probe perfdata_probe(const struct as_peek *pk)
{
	if (as_slice_starts(pk->head, "PERFILE2") || as_slice_starts(pk->head, "2ELIFREP"))
		return pk->head.len >= PD_PIPE_HEAD ? AS_PROBE_SURE : AS_PROBE_MAGIC;
	return as_slice_starts(pk->head, "PERFFILE") ? AS_PROBE_MAGIC : AS_PROBE_NO;
}

static enum as_code perfdata_tables(struct as_pd *pd)
{
	as_arena_init(&pd->arena, pd->al);
	as_index_init(&pd->ids, pd->al);
	as_index_init(&pd->procs, pd->al);
	as_index_init(&pd->threads, pd->al);
	as_index_init(&pd->parts, pd->al);
	as_index_init(&pd->images, pd->al);
	as_index_init(&pd->windows, pd->al);
	as_index_init(&pd->sums, pd->al);
	as_index_init(&pd->paths, pd->al);
	as_off_init(&pd->off, pd->al);
	pd->last_id = pd->last_thread = pd->kernel_image = PD_NONE;
	pd->off_event = pd->off_unknown = PD_NONE;
	return as_pd_tasks_init(pd);
}

static enum as_code perfdata_run(struct as_pd *pd)
{
	AS_TRY(perfdata_tables(pd));
	AS_TRY(as_pd_read_head(pd));
	AS_TRY(as_pd_scan(pd));
	AS_TRY(as_pd_add_columns(pd));
	AS_TRY(as_pd_merge(pd));
	AS_TRY(as_pd_emit(pd));
	return as_pd_tell(pd);
}

enum as_code as_pd_read(struct as_rd *rd)
{
	struct as_pd pd = {.rd = rd, .al = rd->al, .steps_max = PD_STEPS_MAX};
	enum as_code rc = perfdata_run(&pd);

	as_pd_unwind_end(&pd);
	return rc;
}

const struct as_format as_format_perfdata = {
	.name = "perfdata",
	.title = "perf.data of Linux perf",
	.exts = "data",
	.spec = "docs/formats/perfdata.md",
	.caps = AS_CAP(PATHS) | AS_CAP(ADDRS) | AS_CAP(OBJECTS) | AS_CAP(IDS) | AS_CAP(MAPS) |
		AS_CAP(EVENTS) | AS_CAP(PERIOD) | AS_CAP(PARTS) | AS_CAP(PROCESS) | AS_CAP(META) |
		AS_CAP(EPOCH) | AS_CAP(LABELS) | AS_CAP(DURATION) | AS_CAP(MOMENTS),
	.probe = perfdata_probe,
	.read = as_pd_read,
};
