/* SPDX-License-Identifier: Apache-2.0 */
/*
 * `assay list` and `assay asm`: the lines or instructions of functions with their costs, as text,
 * JSON (assay.list/1, assay.asm/1, docs/json.md) and CSV. Where the source text and the
 * instructions come from is the caller's business.
 */
#ifndef AS_REPORT_LISTING_LIST_PRINT_H
#define AS_REPORT_LISTING_LIST_PRINT_H

#include "io/out.h"
#include "listing/listing.h"
#include "report/sheet/sheet.h"
#include "symbols/code.h"

/* Source text. All members may be asked for any file of the profile. */
struct as_list_source {
	void *ctx;
	/* The text of LINE; false: there is no such line, or no source. */
	bool (*line)(void *ctx, as_file file, uint64_t line, struct as_slice *text);
	/* Where the source was found (a path), or empty. NOTE, if it is not empty, is a sentence:
	 * why there is none, or what is wrong with it. */
	struct as_slice (*where)(void *ctx, as_file file, struct as_slice *note);
};

struct as_list_opts {
	struct as_view_opts view; /* events: not empty unless there are none */
	bool chosen;              /* the user has named them: text shows them all */
	uint64_t context;
	bool has_context; /* else the whole extent, gaps of a few lines closed */
	bool places;      /* what was read are places: see as_listing_opts */
};

/* One function. */
struct as_list_item {
	struct as_listing *lines; /* by line; `assay list` */
	struct as_listing *insns; /* by address; `assay asm`, `assay list --asm`; else NULL */
	const struct as_code_list *code; /* of its object; NULL: there is none */
	struct as_slice code_note;       /* why not, or what is wrong with it, or empty */
	struct as_slice binary;          /* the file that CODE is of */
	bool other_binary;               /* CODE is proven not to be that which was recorded */
};

/* What is printed, one function after the other. */
struct as_list_print {
	const struct as_profile *prof;
	const struct as_listings *listings;
	const struct as_list_opts *opts;
	const struct as_list_source *source; /* JSON can do without: NULL */
	struct as_out *out;
	const struct as_style *style;
	bool code; /* `assay asm` */
	/* The row of text that OUT is in is LINE of FILE; NULL: nobody wants to know. */
	void (*at_line)(void *ctx, as_file file, uint64_t line);
	void *at_ctx;
	uint64_t n_rest; /* more functions were found */
};

/* The function I, from 0. */
enum as_code as_list_text(const struct as_list_print *p, const struct as_list_item *item, size_t i)
	AS_NODISCARD;
enum as_code as_asm_text(const struct as_list_print *p, const struct as_list_item *item, size_t i)
	AS_NODISCARD;
/* After them: the events that a wider terminal would show, where there are some. */
enum as_code as_list_put_hidden(const struct as_list_print *p) AS_NODISCARD;

/* All N functions as JSON or CSV. AS_E_NOMEM, or AS_OK. */
enum as_code as_list_data(const struct as_list_print *p, enum as_form form,
	const struct as_list_item *item, size_t n) AS_NODISCARD;

#endif
