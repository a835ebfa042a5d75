/* SPDX-License-Identifier: Apache-2.0 */
/* Whose the samples of a part are. */
#ifndef AS_MODEL_WHOSE_H
#define AS_MODEL_WHOSE_H

#include "model/profile.h"

/* By what the part says, else by its labels "pid", "tid", "comm" (the thread's name), "process" and
 * "state", as recordings of machines have them. What is not known is an empty text. */
struct as_whose {
	bool has_pid, has_tid;
	uint64_t pid, tid;
	struct as_slice thread;
	struct as_slice process; /* without the label "process" it is called as its thread */
	struct as_slice state;   /* why it did not run: AS_STATE, of samples of AS_OFF_CPU */
};

struct as_whose as_part_whose(const struct as_profile *prof, size_t part);

#endif
