/* SPDX-License-Identifier: Apache-2.0 */
/* DHAT of valgrind and of dhat-rs: the driver's table and probe. docs/formats/dhat.md. */
#include "formats/dhat/dhat.h"

static enum as_probe dhat_probe(const struct as_peek *pk)
{
	struct as_slice head = as_json_head(pk->head, '{');

	return as_json_has_key(head, DH_VERSION_KEY) ? AS_PROBE_SURE : AS_PROBE_NO;
}

const struct as_format as_format_dhat = {
	.name = "dhat",
	.title = "heap profile of valgrind's DHAT and of dhat-rs",
	.exts = "dhat,json",
	.spec = "docs/formats/dhat.md",
	.caps = AS_CAP(PATHS) | AS_CAP(FUNCS) | AS_CAP(FILES) | AS_CAP(LINES) | AS_CAP(COLUMNS) |
		AS_CAP(ADDRS) | AS_CAP(OBJECTS) | AS_CAP(EVENTS) | AS_CAP(TITLES) |
		AS_CAP(PROCESS) | AS_CAP(META) | AS_CAP(NOSTACK),
	.probe = dhat_probe,
	.read = as_dh_read,
};
