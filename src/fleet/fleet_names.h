/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names for frames that were pushed without one: what is not named comes as a profile, so that
 * whatever names profiles can name it, and what got names goes back as rows of a later version.
 * Host only.
 */
#ifndef AS_FLEET_FLEET_NAMES_H
#define AS_FLEET_FLEET_NAMES_H

#include "fleet/fleet_client.h"
#include "model/profile.h"

/* The days that have frames, two bytes each, in order. */
enum as_code as_fleet_frame_days(
	struct as_fleet *f, struct as_fleet_answer *days, struct as_err *err) AS_NODISCARD;

/* A path of one place for each frame of DAY that has no name, its id the label "frame". *OUT is
 * NULL if all have. */
enum as_code as_fleet_nameless(
	struct as_fleet *f, uint32_t day, struct as_profile **out, struct as_err *err) AS_NODISCARD;

/* The names that frames of DAY have in PROF, made of such a profile, as of NOW, seconds since 1970,
 * or above those before. What is lost on the way is written again, until the time of F's requests
 * is over. *N_NAMED frames got one. */
enum as_code as_fleet_write_names(struct as_fleet *f, uint32_t day, uint32_t now,
	const struct as_profile *prof, uint64_t *n_named, struct as_err *err) AS_NODISCARD;

#endif
