/* SPDX-License-Identifier: Apache-2.0 */
#include "formats/off_tell.h"

enum as_code as_off_tell(struct as_rd *rd, const struct as_off *off, bool sampled)
{
	uint64_t away = as_off_away(off);

	AS_TRY(as_rd_find_if(rd, sampled, AS_F_OFF_SAMPLED,
		"sched:sched_switch has a sample of some switches only (perf record -c 1 has all): "
		"when threads did not run is not known"));
	AS_TRY(as_rd_tell(rd, AS_F_OFF_LOST, off->unknown,
		"stretch{|es} in which threads did not run {is|are} left out: records of when they "
		"ran again are missing"));
	AS_TRY(as_rd_tell(rd, AS_F_OFF_OPEN, away,
		"thread{ did|s did} not run at the end: how long {is|they did not is} not known, "
		"and left out"));
	if (off->no_stack)
		AS_TRY(as_rd_find(rd, AS_F_OFF_STACK, AS_OFF_NONE, 0,
			"of %" PRIu64 " stretch%s in which threads did not run the stack is not "
			"known (perf record -e context-switches -c 1 -g has it)",
			off->no_stack, off->no_stack == 1 ? "" : "es"));
	return AS_OK;
}
