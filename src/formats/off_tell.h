/* SPDX-License-Identifier: Apache-2.0 */
/* What is missing of the stretches in which threads did not run, as findings. */
#ifndef AS_FORMATS_OFF_TELL_H
#define AS_FORMATS_OFF_TELL_H

#include "formats/format.h"
#include "perf/perf_off.h"

/* Whether values of EVENT are how long its moments lasted: formats without durations keep them. */
static inline bool as_off_is_event(const struct as_profile *prof, uint32_t event)
{
	return as_slice_is(as_str_get(prof, prof->event.p[event].name), AS_OFF_CPU);
}

/* SAMPLED: some switches only had samples, and there were no other records of them. */
enum as_code as_off_tell(struct as_rd *rd, const struct as_off *off, bool sampled) AS_NODISCARD;

#endif
