/* SPDX-License-Identifier: Apache-2.0 */
/* Functions by what they are, not by where the file has them. */
#ifndef AS_CHANGE_KIT_FUNC_ORDER_H
#define AS_CHANGE_KIT_FUNC_ORDER_H

#include "base/sort.h"
#include "model/labels.h"

static inline int as_func_order(const struct as_profile *prof, as_func a, as_func b)
{
	int cmp;

	if (a.i == b.i)
		return 0;
	cmp = as_str_cmp(prof, prof->func.name.p[a.i], prof->func.name.p[b.i]);
	cmp = cmp ? cmp : as_file_cmp(prof, prof->func.file.p[a.i].i, prof->func.file.p[b.i].i);
	cmp = cmp ? cmp
		  : as_object_cmp(prof, prof->func.object.p[a.i].i, prof->func.object.p[b.i].i);
	cmp = cmp ? cmp : as_str_cmp(prof, as_func_system(prof, a), as_func_system(prof, b));
	return cmp ? cmp : as_cmp_u64(prof->func.addr.p[a.i], prof->func.addr.p[b.i]);
}

#endif
