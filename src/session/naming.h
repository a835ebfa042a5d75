/* SPDX-License-Identifier: Apache-2.0 */
/* Names for profiles of addresses, without being asked; what could not be named is told. */
#ifndef AS_SESSION_NAMING_H
#define AS_SESSION_NAMING_H

#include "session/session.h"
#include "symbols/symbolize.h"

struct as_inputs;
struct as_renamer;

/* *NAMED is PROF with names for its nameless code; NULL: none were found. REPORT as that of
 * as_symbolize(). */
enum as_code as_name_code(const struct as_profile *prof, const struct as_symbol_opts *opts,
	struct as_profile **named, struct as_symbol_report *report, struct as_err *err)
	AS_NODISCARD;

/* *PROF, of one process, with names for the code that its map MAP, a descriptor, tells of. */
enum as_code as_name_by_map(struct as_profile **prof, int map, struct as_err *err) AS_NODISCARD;

/*
 * Where the user wants names and *PROF has nameless code, it becomes a profile with names; each
 * object that cannot be had is told once. FILES are the inputs that it was read from. REPORT
 * always ends in as_symbol_report_release(). Not OK is an error of ours only: what is missing is
 * none.
 */
enum as_exit as_session_name(const struct as_session *ses, const char *const *files, size_t n_files,
	struct as_profile **prof, struct as_symbol_report *report);
/* The same for the profile of IN. */
enum as_exit as_inputs_name(const struct as_session *ses, struct as_inputs *in);

/* --names. Functions keep whole names, which filters and look-ups go by: of the profile of IN this
 * says how views show them ... */
enum as_exit as_inputs_show_names(const struct as_session *ses, struct as_inputs *in);
/* ... and what is written has them shortened, once all else is done. */
enum as_exit as_session_rename(const struct as_session *ses, struct as_profile **prof);
/* How --names makes names, FOR_PEOPLE by default shorter ones; false: they stay as they are. */
bool as_session_names_how(const struct as_session *ses, bool for_people, struct as_renamer *how);

/* --symbols, or ASSAY_SYMBOLS: whether binaries may be looked at to know more of a profile. */
bool as_session_wants_names(const struct as_session *ses);

/* The options as src/symbols takes them, for those who want code or source, too; texts are
 * ARENA's. Other members, as elf.run, are the caller's to set. */
void as_session_symbol_opts(
	const struct as_session *ses, struct as_arena *arena, struct as_symbol_opts *opts);

#endif
