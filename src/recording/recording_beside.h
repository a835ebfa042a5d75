/* SPDX-License-Identifier: Apache-2.0 */
/* Recording from outside what the sampler in the programs does not see, at the same time. */
#ifndef AS_RECORDING_RECORDING_BESIDE_H
#define AS_RECORDING_RECORDING_BESIDE_H

#include "recording/recording.h"

struct as_beside;

/* What this process starts from now on, the first of it by ARGV; NULL: that is not allowed here. */
struct as_beside *as_beside_start(const struct as_recording *r, char *const *argv);

/* What of it ran without the sampler, or NULL if nothing did: a new profile, of so many PROCESSES.
 * Says what went wrong. B, which may be NULL, is gone. */
struct as_profile *as_beside_finish(struct as_beside *b, size_t *processes);

#endif
