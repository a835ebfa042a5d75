/* SPDX-License-Identifier: Apache-2.0 */
#include "base/path.h"

size_t as_path_tidy(char *path, size_t len)
{
	bool absolute = len && path[0] == '/';
	size_t out = absolute, depth = 0;

	for (size_t i = absolute; i < len;) {
		size_t n = 0;

		while (i + n < len && path[i + n] != '/')
			n++;
		if (n == 2 && path[i] == '.' && path[i + 1] == '.' && (depth || absolute)) {
			if (depth) {
				depth--;
				out -= out > absolute;
				while (out > absolute && path[out - 1] != '/')
					out--;
			}
		} else if (n && !(n == 1 && path[i] == '.')) {
			depth += !(n == 2 && path[i] == '.' && path[i + 1] == '.');
			memmove(path + out, path + i, n);
			out += n;
			path[out] = '/'; /* at worst over the NUL */
			out++;
		}
		i += n + 1;
	}
	if (out > absolute && path[out - 1] == '/')
		out--;
	return out;
}
