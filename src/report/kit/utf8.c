/* SPDX-License-Identifier: Apache-2.0 */
#include "report/kit/utf8.h"

size_t as_utf8_columns(struct as_slice s)
{
	size_t columns = 0;

	for (size_t i = 0; i < s.len; columns++) {
		size_t len = as_utf8_len(s.p + i, s.len - i);

		i += len ? len : 1;
	}
	return columns;
}
