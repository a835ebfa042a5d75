/* SPDX-License-Identifier: Apache-2.0 */
/* How JSON answers about a profile begin. */
#ifndef AS_REPORT_KIT_HEAD_JSON_H
#define AS_REPORT_KIT_HEAD_JSON_H

#include "model/profile.h"
#include "report/kit/json.h"

/* "profile": {...}; SHAPE ("places"): of what was read, NULL: the profile's. */
void as_json_profile(struct as_json *j, const struct as_profile *prof, const char *shape,
	const char *const *files, size_t n_files);
/* "events": [...], the N columns EVENT with their totals. */
void as_json_events(
	struct as_json *j, const struct as_profile *prof, const uint32_t *event, uint32_t n);

#endif
