/* SPDX-License-Identifier: Apache-2.0 */
#include "base/path.h"

#include <stdio.h>

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

bool as_path_join(struct as_slice a, struct as_slice b, char *buf, size_t size)
{
	bool left = a.len && a.p[a.len - 1] == '/', right = b.len && b.p[0] == '/';
	const char *slash = a.len && b.len && !left && !right ? "/" : "";
	int n;

	if (left && right)
		b = as_slice_skip(b, 1);
	n = snprintf(buf, size, "%.*s%s%.*s", AS_SLICE_FMT(a), slash, AS_SLICE_FMT(b));
	return n > 0 && (size_t)n < size;
}

static bool cut_old(struct as_slice path, struct as_slice old, struct as_slice *rest)
{
	if (!old.len || path.len < old.len || memcmp(path.p, old.p, old.len) != 0)
		return false;
	*rest = as_slice_skip(path, old.len);
	return !rest->len || rest->p[0] == '/' || old.p[old.len - 1] == '/';
}

bool as_path_map(const char *map, struct as_slice path, char *buf, size_t size)
{
	struct as_slice new_start = as_slice_of(map), old, rest;

	return as_slice_cut(&new_start, '=', &old) && new_start.p && cut_old(path, old, &rest) &&
	       as_path_join(new_start, rest, buf, size);
}
