/* SPDX-License-Identifier: Apache-2.0 */
/* A build without ncurses. */
#include "browse/browse.h"

enum as_exit as_browse_run(const struct as_browse_ask *ask)
{
	return as_say_end(ask->ses, AS_EXIT_UNSUPPORTED, "this build of assay has no browser",
		"it needs ncursesw; as text: assay top FILE; as a page: assay open FILE");
}

const char *as_browse_version(void)
{
	return "";
}
