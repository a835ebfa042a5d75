/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names for a profile of addresses. Each object's addresses are asked for once, sorted. The answer
 * is a table of chains, which as_expand() puts into the profile.
 */
#ifndef AS_SYMBOLS_SYMBOLIZE_H
#define AS_SYMBOLS_SYMBOLIZE_H

#include "model/chains.h"
#include "model/profile.h"
#include "symbols/cache/symbol_cache.h"
#include "symbols/elf/elf_file.h"
#include "symbols/names/demangle.h"

/* What a caller who asks again and again keeps: the kernel's names, which are a long list, open
 * files, and what these have answered, which goes to the cache on disk in the end. */
struct as_kept_names;
struct as_kept_names *as_kept_names_new(const struct as_alloc *al); /* NULL: out of memory */
void as_kept_names_free(struct as_kept_names *kept);                /* NULL is fine */

struct as_symbol_opts {
	struct as_elf_opts elf;
	const char *const *path_map; /* "OLD=NEW", for objects and source files */
	size_t n_path_map;
	const char *symfs; /* objects are below this directory, or stand in it; NULL = / */
	/* Binaries that moved: taken for the object of the same build id, else of the same base
	 * name. A file perf-PID.map is one for the code that no object explains. */
	const char *const *object;
	size_t n_object;
	/* Copies of binaries by build id, as `perf record` keeps them in ~/.debug; NULL: none */
	const char *perf_copies;
	const char *kallsyms; /* NULL = /proc/kallsyms */
	/* Of calls with the same options, one after the other, without ELF.RUN, for profiles of one
	 * allocator; NULL: nothing. What it has is not looked for again, so it is to be a new one
	 * from time to time. */
	struct as_kept_names *kept;
	const char *perf_map_dir; /* where perf-PID.map stand; NULL = /tmp */
	const char *perf_map;     /* the one to use, however it is called; NULL: the process's */
	uint64_t recorded;        /* seconds since 1970: what is newer was changed; 0 = unknown */
	bool force;               /* use files that are known to be others */
	bool no_files; /* names of the kernel and of generated code only, which are gone later */
	bool no_inlines;
	/* The names are passed on: those of the kernel that runs here would tell where it is loaded
	 * to who wrote the addresses, so OBJECT must have the list, as "/proc/kallsyms". */
	bool passed_on;
	struct as_symcache cache;
};

/* What became of an object of the profile. */
enum as_object_state {
	AS_OBJECT_NAMED,      /* asked for, answers taken */
	AS_OBJECT_MISSING,    /* no such file */
	AS_OBJECT_CHANGED,    /* another build id, or not what was mapped: not used */
	AS_OBJECT_DAMAGED,    /* cannot be read */
	AS_OBJECT_NO_NAMES,   /* neither symbols nor debug information for these addresses */
	AS_OBJECT_NOT_A_FILE, /* [heap], //anon, or no object at all */
};

struct as_object_report {
	as_object object; /* 0: code that no object explains */
	enum as_object_state state;
	struct as_slice file; /* that was opened; empty: none */
	struct as_slice note; /* what people should know, without the path; empty: nothing */
	bool unproven; /* nothing in the profile tells whether it is the file that was recorded */
	struct as_slice lacks; /* what the file has not, "no debug information"; empty: nothing */
	struct as_slice debug; /* where the debug information is; empty: nowhere */
	uint64_t n_addrs, n_named; /* distinct addresses; with a function */
	uint64_t n_begun; /* in a function of which no more is known than where it begins */
};

struct as_symbol_report {
	struct as_arena arena;
	AS_VEC(struct as_object_report) object; /* those with nameless code, by handle */
	bool told;                              /* people have been told what is in it */
};

/* Whether PROF has code without a name whose address is known. */
bool as_wants_symbols(const struct as_profile *prof);

/* Whether as_symbolize() would ask anything for names of PROF's code: a file that is there, or a
 * list of names. True as well if out of memory. */
bool as_may_symbolize(const struct as_profile *prof, const struct as_symbol_opts *opts);

/* CHAINS gets the functions of PROF's nameless code; none where there was nothing to do. CHAINS
 * and REPORT always end in as_chains_release() and as_symbol_report_release(). Errors:
 * AS_E_NOMEM; AS_E_UNSUPPORTED where elfutils was not built in. Objects that cannot be read are
 * no error: REPORT has them. */
enum as_code as_symbolize(const struct as_profile *prof, const struct as_symbol_opts *opts,
	struct as_chains *chains, struct as_symbol_report *report, struct as_err *err) AS_NODISCARD;
void as_symbol_report_release(struct as_symbol_report *report);

/* An object's file, opened. */
struct as_symbol_binary {
	struct as_arena *arena; /* borrowed: for the texts */
	struct as_elf *elf;
	struct as_slice path, note; /* as file and note of as_object_report */
	bool unproven;              /* likewise */
};
/* The file of object O, opened and compared with what the profile says of it, for those who want
 * code or symbols: OUT, whose ARENA is set. AS_E_IO, AS_E_FORMAT, AS_E_ARG (it is another file, or
 * none): the message says what to do. */
enum as_code as_symbol_object(const struct as_profile *prof, as_object o,
	const struct as_symbol_opts *opts, struct as_symbol_binary *out, struct as_err *err)
	AS_NODISCARD;
/* When that file was changed last, in seconds since 1970; 0: there is none that may be used. */
uint64_t as_symbol_object_time(
	const struct as_profile *prof, as_object o, const struct as_symbol_opts *opts);

#endif
