/* SPDX-License-Identifier: Apache-2.0 */
#include "formats/off_tell.h"

enum as_code as_off_tell(struct as_rd *rd, const struct as_off *off, bool sampled)
{
	uint64_t away = as_off_away(off);

	if (sampled)
		AS_TRY(as_rd_find(rd, AS_F_OFF_SAMPLED, AS_OFF_NONE, 0,
			"sched:sched_switch has a sample of some switches only (perf record -c 1 "
			"has all): when threads did not run is not known"));
	if (off->unknown)
		AS_TRY(as_rd_find(rd, AS_F_OFF_LOST, AS_OFF_NONE, 0,
			"%" PRIu64 " stretch%s in which threads did not run %s left out: records "
			"of when they ran again are missing",
			off->unknown, off->unknown == 1 ? "" : "es",
			off->unknown == 1 ? "is" : "are"));
	if (away)
		AS_TRY(as_rd_find(rd, AS_F_OFF_OPEN, AS_OFF_NONE, 0,
			"%" PRIu64 " thread%s not run at the end: how long %s not known, and left "
			"out",
			away, away == 1 ? " did" : "s did", away == 1 ? "is" : "they did not is"));
	if (off->no_stack)
		AS_TRY(as_rd_find(rd, AS_F_OFF_STACK, AS_OFF_NONE, 0,
			"of %" PRIu64 " stretch%s in which threads did not run the stack is not "
			"known (perf record -e context-switches -c 1 -g has it)",
			off->no_stack, off->no_stack == 1 ? "" : "es"));
	return AS_OK;
}
