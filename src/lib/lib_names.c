/* SPDX-License-Identifier: Apache-2.0 */
/* The public API: names for code that has only addresses. */
#include "lib/lib_impl.h"

#include "io/threads.h"
#include "session/naming.h"
#include "symbols/names/demangle.h"

#include <string.h>

_Static_assert((int)ASSAY_OBJECT_NAMED == (int)AS_OBJECT_NAMED, "states differ");
_Static_assert((int)ASSAY_OBJECT_MISSING == (int)AS_OBJECT_MISSING, "states differ");
_Static_assert((int)ASSAY_OBJECT_CHANGED == (int)AS_OBJECT_CHANGED, "states differ");
_Static_assert((int)ASSAY_OBJECT_DAMAGED == (int)AS_OBJECT_DAMAGED, "states differ");
_Static_assert((int)ASSAY_OBJECT_NO_NAMES == (int)AS_OBJECT_NO_NAMES, "states differ");
_Static_assert((int)ASSAY_OBJECT_NOT_A_FILE == (int)AS_OBJECT_NOT_A_FILE, "states differ");

_Static_assert((int)ASSAY_NAMES_FULL == (int)AS_NAMES_FULL, "levels differ");
_Static_assert((int)ASSAY_NAMES_NOARGS == (int)AS_NAMES_NOARGS, "levels differ");
_Static_assert((int)ASSAY_NAMES_NOTEMPLATES == (int)AS_NAMES_NOTEMPLATES, "levels differ");
_Static_assert((int)ASSAY_NAMES_SHORT == (int)AS_NAMES_SHORT, "levels differ");

struct assay_symbols {
	const struct as_alloc *al;
	struct as_symbol_report report;
};

static void names_run(void *ctx, void (*task)(void *arg, unsigned i), void *arg, unsigned n)
{
	const struct as_exec *ex = ctx;

	as_threads_run(ex->jobs, task, arg, n);
}

static enum as_code names_options(struct assay_symbolize_options *o,
	const struct assay_symbolize_options *given, struct as_symbol_opts *opts,
	struct as_err *err)
{
	if (!as_lib_take(o, sizeof(*o), given) || (o->n_binaries && !o->binaries) ||
		(o->n_path_map && !o->path_map) || (o->n_debug_dirs && !o->debug_dirs))
		return as_err_set(err, AS_E_ARG,
			"the options have no size, ask for what this version does not know, or "
			"count what is not there");
	*opts = (struct as_symbol_opts){
		.elf = {.debug_dir = o->debug_dirs, .n_debug_dir = o->n_debug_dirs},
		.path_map = o->path_map,
		.n_path_map = o->n_path_map,
		.symfs = o->symfs,
		.object = o->binaries,
		.n_object = o->n_binaries,
		.recorded = o->recorded,
		.force = o->force,
		.no_inlines = o->no_inlines,
		.passed_on = true,
	};
	return AS_OK;
}

static enum as_code names_find(const struct as_profile *prof,
	const struct assay_symbolize_options *given, struct as_profile **out,
	struct as_symbol_report *report, struct as_err *err)
{
	struct assay_symbolize_options o;
	struct as_symbol_opts opts;
	struct as_exec ex;

	AS_TRY(names_options(&o, given, &opts, err));
	opts.cache.al = prof->al;
	if (as_lib_host_exec(&ex, o.threads)) {
		opts.elf.run = names_run;
		opts.elf.run_ctx = &ex;
	}
	if (as_wants_symbols(prof))
		AS_TRY(as_name_code(prof, &opts, out, report, err));
	return *out ? AS_OK : as_lib_copy(prof, out, err);
}

enum assay_code assay_symbolize(const struct assay_profile *profile,
	const struct assay_symbolize_options *opts, struct assay_profile **out,
	struct assay_symbols **found, struct assay_error *err)
{
	const struct as_profile *prof = as_lib_profile(profile);
	struct as_profile *named = NULL;
	struct assay_symbols *syms;
	struct as_err e;
	enum as_code rc;

	if (out)
		*out = NULL;
	if (found)
		*found = NULL;
	if (!prof || !out)
		return as_lib_misuse(err, "no profile, or no place for the new one");
	as_err_clear(&e);
	syms = as_alloc_new(prof->al, sizeof(*syms));
	if (!syms)
		return as_lib_end(as_err_no_memory(&e), &e, err);
	syms->al = prof->al;
	as_arena_init(&syms->report.arena, prof->al);
	rc = names_find(prof, opts, &named, &syms->report, &e);
	*out = as_lib_give_profile(named);
	if (found && rc == AS_OK)
		*found = syms;
	else
		assay_symbols_free(syms);
	return as_lib_end(rc, &e, err);
}

void assay_symbols_free(struct assay_symbols *syms)
{
	if (!syms)
		return;
	as_symbol_report_release(&syms->report);
	as_alloc_free(syms->al, syms, sizeof(*syms));
}

size_t assay_symbols_count(const struct assay_symbols *syms)
{
	return syms ? syms->report.object.n : 0;
}

enum assay_code assay_symbols_get(
	const struct assay_symbols *syms, size_t i, struct assay_symbol_object *out)
{
	const struct as_object_report *r;
	struct assay_symbol_object own;

	if (i >= assay_symbols_count(syms))
		return ASSAY_E_ARG;
	r = &syms->report.object.p[i];
	own = (struct assay_symbol_object){.object = r->object.i,
		.state = (enum assay_object_state)r->state,
		.file = as_lib_slice(r->file),
		.note = as_lib_slice(r->note),
		.unproven = r->unproven,
		.n_addresses = r->n_addrs,
		.n_named = r->n_named};
	return as_lib_give(out, &own, sizeof(own));
}

enum assay_code assay_demangle(
	struct assay_slice name, enum assay_name_level level, char *buf, size_t size, size_t *len)
{
	struct as_arena arena;
	struct as_slice text;
	bool good;

	if ((unsigned)level > ASSAY_NAMES_SHORT || (size && !buf))
		return ASSAY_E_ARG;
	as_arena_init(&arena, as_lib_alloc(NULL));
	text = as_demangle(&arena, as_lib_text(name), (enum as_name_level)level);
	good = text.p || !name.len;
	if (good && len)
		*len = text.len;
	if (good && size) {
		size_t n = text.len < size ? text.len : size - 1;

		if (text.p)
			memcpy(buf, text.p, n);
		buf[n] = 0;
	}
	as_arena_release(&arena);
	return good ? ASSAY_OK : ASSAY_E_NOMEM;
}
