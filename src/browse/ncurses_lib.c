/* SPDX-License-Identifier: Apache-2.0 */
#define _XOPEN_SOURCE_EXTENDED 1
#define _GNU_SOURCE
#include <dlfcn.h>
#include <string.h>
#undef alloca /* a macro under _GNU_SOURCE, where base/banned.h wants to poison the name */

#include "browse/browse.h"
#include "browse/ncurses_lib.h"

/* ISO C has no way from a pointer to data to one to a function. */
static bool ncurses_lib_find(void *library, const char *name, void *at)
{
	void *symbol = library ? dlsym(library, name) : NULL;

	memcpy(at, &symbol, sizeof(symbol));
	return symbol != NULL;
}

bool as_ncurses_load(struct as_ncurses *lib)
{
	void *at = dlopen("libncursesw.so.6", RTLD_NOW | RTLD_LOCAL);
	bool ok = ncurses_lib_find(at, "stdscr", &lib->screen) &&
		  ncurses_lib_find(at, "curscr", &lib->shown) &&
		  ncurses_lib_find(at, "COLORS", &lib->colours) &&
		  ncurses_lib_find(at, "LINES", &lib->lines);

#define X(name) ok = ok && ncurses_lib_find(at, #name, &lib->name);
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
