/* SPDX-License-Identifier: Apache-2.0 */
/* Functions line by line and instruction by instruction: what is asked, and the files that know. */
#ifndef AS_SESSION_LIST_H
#define AS_SESSION_LIST_H

#include "report/listing/list_print.h"
#include "report/top.h"
#include "session/choose.h"
#include "session/load.h"
#include "session/naming.h"
#include "symbols/source_file.h"
#include "symbols/symbolize.h"

/* What did not go into a page, though it is there. */
struct as_left_out {
	struct as_slice path;
	const char *why;
};
struct as_left_outs {
	struct as_arena arena;
	AS_VEC(struct as_left_out) file;
};

struct as_listing_args {
	const char *events;
	struct as_num functions, context;
	struct as_list source_path;
	unsigned syntax; /* AS_SYNTAX_* */
	bool asm_too;
	bool code;                 /* assay asm */
	struct as_left_outs *page; /* what is read is passed on: guards it, and gets what stays out;
				    * NULL: it is for the user's own eyes */
};

enum { AS_SYNTAX_ATT = 1, AS_SYNTAX_INTEL };

/* What is done with N functions; p->out and p->style are NULL. */
typedef enum as_exit as_listing_use(
	void *ctx, const struct as_list_print *p, const struct as_list_item *item, size_t n);
/* USE gets what FUNC is in FILES; says so if that is nothing. */
enum as_exit as_listing_ask(const struct as_session *ses, const struct as_listing_args *args,
	const char *func, struct as_files files, as_listing_use *use, void *ctx);
/* The same in two halves, for who asks again and again. IN has all of FILES, without the filters;
 * CHOSEN: what these leave out need not be there. Ends in as_inputs_release(). */
enum as_exit as_listing_load(
	const struct as_session *ses, struct as_files files, bool chosen, struct as_inputs *in);
enum as_exit as_listing_show(const struct as_session *ses, const struct as_listing_args *args,
	const char *func, struct as_inputs *in, as_listing_use *use, void *ctx);
/* USE gets lines and instructions of the args->functions hottest functions of IN, by own and by
 * inclusive cost in turn: rows with their self costs, no calls of paths. What cannot be had of them
 * is left out, and so are those without a name. No function at all is fine, too. */
enum as_exit as_listing_hot(const struct as_session *ses, const struct as_listing_args *args,
	struct as_inputs *in, as_listing_use *use, void *ctx);

/* ---- list_find.c ---- */
/* WHAT somebody typed for a function; says what is wrong with it. Always ends in as_typed_end(). */
enum as_exit as_session_typed(
	const struct as_session *ses, const char *what, struct as_typed *typed);
/* AS_EXIT_OK, unless code of PROF is known by nothing but addresses, and WHAT is none: that nothing
 * is found is said then, before there are listings. */
enum as_exit as_listing_may_find(
	const struct as_session *ses, const struct as_profile *prof, const char *what);
/* Find the functions that WHAT names; says so if there are none, or more than LIMIT (0 = all). */
enum as_exit as_listing_find(
	const struct as_session *ses, struct as_listings *ls, const char *what, uint64_t limit);

/* ---- list_source.c: source files, each opened once ---- */
struct as_sources {
	const struct as_session *ses;
	const struct as_profile *prof;
	struct as_source_opts opts;
	struct as_symbol_opts symbols;
	struct as_arena arena;
	uint64_t recorded; /* when the newest input was written: newer source was changed since */
	uint64_t *built; /* the same of each object's binary, if there is one; 0 = not known yet */
	struct as_source_state **file; /* of each file of the profile; NULL = not asked for yet */
	/* For a page: */
	struct as_left_outs *page;
	struct as_source_guard guard;
	struct as_elf_source *name; /* of each file: whether a binary names it */
	uint8_t *asked;             /* of each object: its line tables were looked at */
	as_file asking;             /* the file that is opened */
};
AS_NODISCARD bool as_sources_init(struct as_sources *s, const struct as_session *ses,
	const struct as_inputs *in, const struct as_listing_args *args);
void as_sources_release(struct as_sources *s);
/* S as the report wants it. */
struct as_list_source as_sources_for_report(struct as_sources *s);

/* ---- list_code.c: instructions, each object opened and its debug information asked once ---- */
struct as_object_code {
	struct as_symbol_binary file; /* file.elf == NULL: not asked for yet, or not to be had */
	bool file_offsets;            /* so the profile's addresses are */
	struct as_slice verdict;      /* why it is not what was recorded; empty: it may be */
};
struct as_objects {
	const struct as_session *ses;
	const struct as_profile *prof;
	const struct as_symbol_report *report; /* of naming */
	struct as_symbol_opts opts;
	bool intel;
	bool places; /* as in struct as_listing_opts */
	enum as_name_level names;
	struct as_left_outs *page;     /* as in struct as_listing_args */
	struct as_object_code *object; /* of each */
	struct as_arena arena;         /* notes, texts of OPTS */
};
/* The caller sets the other members of O. */
AS_NODISCARD bool as_objects_init(
	struct as_objects *o, const struct as_session *ses, const struct as_inputs *in);
void as_objects_release(struct as_objects *o);
/* OBJECT's file is open afterwards, and what is odd about it was said, once. Errors: as those of
 * as_symbol_object(). */
enum as_code as_objects_open(struct as_objects *o, as_object object, struct as_err *err)
	AS_NODISCARD;
/* The code of ITEM's function: ITEM->code, which LIST holds, or ITEM->code_note. */
enum as_code as_objects_code(
	struct as_objects *o, struct as_list_item *item, struct as_code_list *list) AS_NODISCARD;
/* Source lines for all that as_objects_code() has read: the code of N items, in LIST. Of functions
 * that the items' were inlined into nothing stays. */
enum as_code as_objects_lines(struct as_objects *o, const struct as_list_item *item, size_t n,
	struct as_code_list *list) AS_NODISCARD;

/* ---- list_guard.c: what is passed on ---- */
/* The places that the user names: of source below SOURCE_PATH, or, if that is NULL, of binaries.
 * False if out of memory. */
AS_NODISCARD bool as_guard_init(struct as_source_guard *guard, const struct as_session *ses,
	const struct as_list *source_path, struct as_arena *arena);
/* Keep PATH among those that stay out; without memory for that, nobody is told. */
void as_left_out(struct as_left_outs *page, struct as_slice path, const char *why);
void as_left_outs_release(struct as_left_outs *page);

/* ---- list_claims.c ---- */
/* The profile has the build id of OBJECT, which is open. */
bool as_object_is_proven(const struct as_objects *o, as_object object);
/* Compare OBJECT's file with what the whole profile says of it: FILE_OFFSETS and VERDICT. */
enum as_code as_objects_check(struct as_objects *o, as_object object, struct as_err *err)
	AS_NODISCARD;

/* ---- sites.c: what stands at rows of a table by address ---- */
/* TOP, by address and of IN's profile, gets what the binaries say of its rows, as far as the user
 * lets them be asked; texts are TOP's. What cannot be had is not known, and no error. */
enum as_exit as_sites_find(
	const struct as_session *ses, const struct as_inputs *in, struct as_top *top);

#endif
