/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names for a profile of addresses. Each object's addresses are asked for once, sorted; where
 * code was inlined, a path gets a frame for each function, and a row of self cost goes to the
 * innermost. Costs never change, only where they are said to belong.
 */
#ifndef AS_SYMBOLS_SYMBOLIZE_H
#define AS_SYMBOLS_SYMBOLIZE_H

#include "model/profile.h"
#include "symbols/demangle.h"
#include "symbols/elf_file.h"
#include "symbols/symbol_cache.h"

struct as_symbol_opts {
	struct as_elf_opts elf;
	const char *const *path_map; /* "OLD=NEW", for objects and source files */
	size_t n_path_map;
	const char *symfs;         /* objects are below this directory; NULL = / */
	const char *const *object; /* binaries that moved: taken for the object of the same build
				      * id, else of the same base name */
	size_t n_object;
	const char *kallsyms;     /* NULL = /proc/kallsyms */
	const char *perf_map_dir; /* where perf-PID.map stand; NULL = /tmp */
	bool force;               /* use files whose build id differs */
	bool no_inlines;
	enum as_name_level names;
	struct as_symcache cache;
};

/* What became of an object of the profile. */
enum as_object_state {
	AS_OBJECT_NAMED,   /* asked for, answers taken */
	AS_OBJECT_MISSING, /* no such file */
	AS_OBJECT_CHANGED, /* another build id */
	AS_OBJECT_DAMAGED,
	AS_OBJECT_NO_NAMES,   /* neither symbols nor debug information */
	AS_OBJECT_NOT_A_FILE, /* [anon], [heap] ... */
};

struct as_object_report {
	as_object object; /* of the new profile */
	enum as_object_state state;
	struct as_slice file;      /* that was opened */
	struct as_slice note;      /* one sentence for people; empty: nothing to say */
	uint64_t n_addrs, n_named; /* distinct addresses; with a function */
};

struct as_symbol_report {
	struct as_arena arena;
	AS_VEC(struct as_object_report) object;
};

/* Whether PROF has code without a name whose address is known. */
bool as_wants_symbols(const struct as_profile *prof);

/* OUT is a new profile, the caller's; NULL where there was nothing to do. REPORT always ends in
 * as_symbol_report_release(). Errors: AS_E_NOMEM, AS_E_LIMIT; objects that cannot be read are no
 * error, REPORT has them. */
enum as_code as_symbolize(const struct as_profile *prof, const struct as_symbol_opts *opts,
	struct as_profile **out, struct as_symbol_report *report, struct as_err *err) AS_NODISCARD;
void as_symbol_report_release(struct as_symbol_report *report);

/* The file of object O, opened and its build id compared, for those who want code or symbols.
 * AS_E_IO, AS_E_FORMAT, AS_E_ARG (build id differs): the message says what to do. */
enum as_code as_symbol_object(const struct as_profile *prof, as_object o,
	const struct as_symbol_opts *opts, struct as_elf **out, struct as_err *err) AS_NODISCARD;

#endif
