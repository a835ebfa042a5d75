/* SPDX-License-Identifier: Apache-2.0 */
#include "session/input.h"

#include <errno.h>

#include "formats/bundle.h"
#include "io/dir.h"

/* Whether one of its files begins as that of a profile does. */
bool as_input_is_directory(const char *path)
{
	char begin[AS_BUNDLE_NAME];

	for (const struct as_bundle_mark *m = as_bundle_marks; m->file; m++)
		if (as_dir_begins(path, m->file, begin, strlen(m->mark)) &&
			memcmp(begin, m->mark, strlen(m->mark)) == 0)
			return true;
	return false;
}

enum as_code as_input_open(const struct as_alloc *al, const char *path, struct as_progress *pr,
	struct as_src **out, struct as_err *err)
{
	enum as_code rc = as_file_open(al, path, pr, out, err);

	if (rc != AS_E_IO || err->sys_errno != EISDIR || !as_input_is_directory(path))
		return rc;
	as_err_clear(err);
	as_escape(err->name, sizeof(err->name), path, strlen(path));
	return as_dir_open(al, path, out, err);
}
