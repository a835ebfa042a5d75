/* SPDX-License-Identifier: Apache-2.0 */
/* Functions by what they are, not by where the file has them. */
#ifndef AS_CHANGE_KIT_FUNC_ORDER_H
#define AS_CHANGE_KIT_FUNC_ORDER_H

#include "model/profile.h"

static inline int as_func_order(const struct as_profile *prof, as_func a, as_func b)
{
	as_object x = prof->func.object.p[a.i], y = prof->func.object.p[b.i];
	uint64_t at = prof->func.addr.p[a.i], bt = prof->func.addr.p[b.i];
	int cmp;

	if (a.i == b.i)
		return 0;
	cmp = as_slice_cmp(as_func_name(prof, a), as_func_name(prof, b));
	if (!cmp)
		cmp = as_slice_cmp(as_file_path(prof, prof->func.file.p[a.i]),
			as_file_path(prof, prof->func.file.p[b.i]));
	if (!cmp)
		cmp = as_slice_cmp(as_object_path(prof, x), as_object_path(prof, y));
	if (!cmp)
		cmp = as_slice_cmp(as_str_get(prof, prof->object.p[x.i].id),
			as_str_get(prof, prof->object.p[y.i].id));
	if (!cmp)
		cmp = as_slice_cmp(as_str_get(prof, as_func_system(prof, a)),
			as_str_get(prof, as_func_system(prof, b)));
	return cmp ? cmp : at < bt ? -1 : at > bt;
}

#endif
