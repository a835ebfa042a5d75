/* SPDX-License-Identifier: Apache-2.0 */
/* What a computed event comes to. */
#ifndef AS_TABLE_DERIVED_H
#define AS_TABLE_DERIVED_H

#include "model/profile.h"

/* The total of D over the profile. False if its formula names an event that is not there, is
 * not one, or is made of itself; OUT is then undefined. */
AS_NODISCARD bool as_derived_total(
	const struct as_profile *prof, const struct as_derived *d, as_val *out);

#endif
