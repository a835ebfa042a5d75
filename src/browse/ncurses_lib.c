/* SPDX-License-Identifier: Apache-2.0 */
#define _XOPEN_SOURCE_EXTENDED 1
#define _GNU_SOURCE
#include <stdlib.h>
#undef alloca /* a macro under _GNU_SOURCE, where base/banned.h wants to poison the name */

#include "browse/browse.h"
#include "browse/ncurses_lib.h"
#include "io/shared_library.h"

bool as_ncurses_load(struct as_ncurses *lib)
{
	void *at = dlopen("libncursesw.so.6", RTLD_NOW | RTLD_LOCAL);
	bool ok = as_library_find(at, "stdscr", &lib->screen) &&
		  as_library_find(at, "curscr", &lib->shown) &&
		  as_library_find(at, "COLORS", &lib->colours) &&
		  as_library_find(at, "LINES", &lib->lines);

#define X(name) ok = ok && as_library_find(at, #name, &lib->name);
	AS_NCURSES_FUNCTIONS(X)
#undef X
	return ok;
}

const char *as_browse_version(void)
{
	struct as_ncurses lib;
	const char *text;

	if (!as_ncurses_load(&lib))
		return "";
	text = lib.curses_version(); /* "ncurses 6.4.20221231" */
	return strchr(text, ' ') ? strchr(text, ' ') + 1 : text;
}
