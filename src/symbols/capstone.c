/* SPDX-License-Identifier: Apache-2.0 */
#include "symbols/capstone.h"

#include <dlfcn.h>

#define TEXT_OF(x) #x
#define TEXT(x) TEXT_OF(x)
#define LIBRARY "libcapstone.so." TEXT(CS_API_MAJOR) /* of the header that we are built with */

/* ISO C has no way from an object pointer to a function's: POSIX says that their bytes agree. */
static bool find(void *lib, const char *name, void *function)
{
	void *p = dlsym(lib, name);

	memcpy(function, &p, sizeof(p));
	return p != NULL;
}

enum as_code as_capstone_load(struct as_capstone *cs, struct as_err *err)
{
	*cs = (struct as_capstone){.lib = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL)};
	if (cs->lib && find(cs->lib, "cs_open", &cs->open) &&
		find(cs->lib, "cs_close", &cs->close) && find(cs->lib, "cs_option", &cs->option) &&
		find(cs->lib, "cs_malloc", &cs->malloc) && find(cs->lib, "cs_free", &cs->free) &&
		find(cs->lib, "cs_disasm_iter", &cs->disasm_iter) &&
		find(cs->lib, "cs_insn_group", &cs->insn_group))
		return AS_OK;
	return as_err_set(err, AS_E_UNSUPPORTED,
		"instructions cannot be shown: " LIBRARY " is not there; is capstone installed?");
}

void as_capstone_unload(struct as_capstone *cs)
{
	if (cs->lib)
		dlclose(cs->lib);
	cs->lib = NULL;
}
