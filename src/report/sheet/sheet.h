/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An answer as a sheet: it describes its columns once and fills rows once; what is printed is text,
 * JSON, CSV or Markdown. Rows go out as they are filled, so an answer may be larger than memory.
 *
 *	static const struct as_column columns[] = {
 *		{AS_COL_COSTS, AS_IN_ALL, SELF, "self"},
 *		{AS_COL_FUNC, AS_IN_ALL, FUNC, "function"},
 *		{0},
 *	};
 *	as_sheet_init(&s, to, prof, opts, columns);
 *	as_sheet_begin(&s, "assay.top/1", NULL);
 *	as_sheet_rows(&s, "rows");
 *	for each row:
 *		as_sheet_costs(&s, SELF, costs);
 *		as_sheet_func(&s, FUNC, f);
 *		as_sheet_row(&s, NULL);
 *	as_sheet_list_end(&s);
 *	return as_sheet_finish(&s);
 *
 * A column shows one slot of the row. A form with another order of columns, or another word for
 * one, has columns of its own for the same slots. A slot that is not filled is left out of a JSON
 * row and empty in CSV and text; one that is filled with what is not known is null, empty and "-".
 */
#ifndef AS_REPORT_SHEET_SHEET_H
#define AS_REPORT_SHEET_SHEET_H

#include "report/kit/figure.h"
#include "report/views.h"
#include "table/metric.h"

enum as_form { AS_FORM_TEXT, AS_FORM_JSON, AS_FORM_CSV, AS_FORM_MARKDOWN };

/* The engine of the page (wasm/) asks for nothing but JSON, and is built without the other
 * renderers. */
#ifndef AS_SHEET_JSON_ALONE
#define AS_SHEET_JSON_ALONE false
#endif

/* Which forms have a column. */
enum {
	AS_IN_TEXT = 1 << AS_FORM_TEXT,
	AS_IN_JSON = 1 << AS_FORM_JSON,
	AS_IN_CSV = 1 << AS_FORM_CSV,
	AS_IN_MARKDOWN = 1 << AS_FORM_MARKDOWN,
	AS_IN_DATA = AS_IN_JSON | AS_IN_CSV,
	AS_IN_PAGE = AS_IN_TEXT | AS_IN_MARKDOWN, /* what people read */
	AS_IN_ALL = AS_IN_PAGE | AS_IN_DATA,
};

enum as_column_kind {
	AS_COL_END,
	AS_COL_COUNT,
	AS_COL_ID,     /* a number that counts nothing */
	AS_COL_ADDR,   /* "0x1234" */
	AS_COL_NUMBER, /* text: whole, or with two digits behind the point */
	AS_COL_TEXT,
	AS_COL_WORD,    /* a text that is never shortened */
	AS_COL_NAME,    /* a text that is shortened as names are; Markdown's code */
	AS_COL_PLACE,   /* the same, as files and addresses are */
	AS_COL_BOOL,    /* of JSON, and of CSV, where it is yes or no */
	AS_COL_COSTS,   /* of the events shown; text has the first of them and its share */
	AS_COL_OTHERS,  /* text: of the other events */
	AS_COL_SHARE,   /* text: a number of the first event as its share */
	AS_COL_METRICS, /* a list, where there are any */
	AS_COL_FUNC,    /* a function and where it is: four members, four fields, two cells */
	AS_COL_LIST,    /* JSON's alone */
	/* Of a comparison, of each event: self and inclusive figures in two members and seven
	 * fields; in text those that AS_SHEET.incl says, with their change and its interval; in
	 * Markdown of the first event. */
	AS_COL_FIGURES,
	AS_COL_CHANGE, /* text: that of the others, of the first event */
};

enum { AS_SHEET_SLOTS = 32, AS_SHEET_COLUMNS = 32 };

struct as_column {
	enum as_column_kind kind;
	unsigned forms;
	unsigned slot;
	const char *key; /* JSON's member, CSV's and text's heading; of costs, its first word */
};

/* What text says of costs besides. */
enum as_cost_mark {
	AS_COST_PLAIN,
	AS_COST_ESTIMATED,
	AS_COST_AT_MOST,
	AS_COST_NO_SHARE,
	AS_COST_NO_NOISE, /* of figures: without an interval */
};

/* One of each event of the sheet; NULL: they are not known. */
struct as_sheet_figures {
	const struct as_diff_fig *self, *incl;
};

struct as_sheet_cell {
	bool known;
	enum as_cost_mark mark;
	union {
		as_val n;
		const as_val *costs; /* all of the profile's events */
		const struct as_number *metrics;
		struct as_number number;
		struct as_view_func func;
		struct as_sheet_figures figures;
	};
	struct as_slice text; /* or what stands instead of a function or number */
	void (*list)(const void *ctx, struct as_json *j, as_val n);
	const void *ctx;
};

/* Where an answer goes to. */
struct as_sheet_to {
	enum as_form form;
	struct as_out *out;
	const struct as_style *style;
};

struct as_sheet {
	struct as_sheet_to to;
	const struct as_profile *prof;   /* NULL: the sheet is not of one */
	const struct as_view_opts *opts; /* NULL: neither that, nor a comparison */
	const struct as_diff *diff;      /* of this comparison, whose events OPTS has */
	bool incl;                       /* what AS_COL_FIGURES are in text and Markdown */
	const struct as_column *column;
	const struct as_column *shown[AS_SHEET_COLUMNS]; /* those of the form */
	size_t n_shown;
	const struct as_unit *unit; /* of each event shown; NULL: of the first that of OPTS */
	const struct as_metric *metric;
	uint32_t n_metrics;
	bool metric_incl;
	uint32_t event;      /* of the profile: the first one of text */
	uint32_t first;      /* where that stands among those shown */
	uint32_t n_others;   /* text has room for so many others */
	const char *no_room; /* the column for which there is none, or NULL */
	/* Bit per slot: hidden; filled; filled for a group. */
	uint32_t hidden, set, kept;
	bool is_open;   /* text: the table has its heads */
	bool has_field; /* CSV: the line has one */
	struct as_sheet_cell cell[AS_SHEET_SLOTS];
	struct as_grid_cell name; /* of the row: indent, lead and trail of its name in text */
	struct as_json json;
	struct as_grid grid; /* its arena is for texts of all forms */
};

static inline bool as_sheet_is(const struct as_sheet *s, enum as_form form)
{
	return AS_SHEET_JSON_ALONE ? form == AS_FORM_JSON : s->to.form == form;
}

/* For people. */
static inline bool as_sheet_is_page(const struct as_sheet *s)
{
	return as_sheet_is(s, AS_FORM_TEXT) || as_sheet_is(s, AS_FORM_MARKDOWN);
}

/* What ends a table before a line of text: in Markdown it would be a row. */
static inline const char *as_sheet_gap(const struct as_sheet_to *to)
{
	return to->style->markdown ? "\n" : "";
}

/* All is borrowed. Ends in as_sheet_finish(). */
void as_sheet_init_plain(struct as_sheet *s, const struct as_sheet_to *to,
	const struct as_alloc *al, const struct as_column *column);
/* The same of a profile. */
void as_sheet_init(struct as_sheet *s, const struct as_sheet_to *to, const struct as_profile *prof,
	const struct as_view_opts *opts, const struct as_column *column);
/* JSON: what it is, and of which profile. SHAPE: of what was read; NULL: the profile's. */
void as_sheet_begin(struct as_sheet *s, const char *schema, const char *shape);
/* A sheet of no profile is of the comparison D, sorted, and of the EVENTS of OPTS that can be
 * compared. INCL: text and Markdown show inclusive figures. */
void as_sheet_compare(
	struct as_sheet *s, const struct as_diff *d, const struct as_view_opts *opts, bool incl);
/* FORMS do without the columns of SLOT. */
static inline void as_sheet_hide(struct as_sheet *s, unsigned forms, unsigned slot, bool hide)
{
	s->hidden |= (uint32_t)(hide && (forms >> s->to.form & 1)) << slot;
}

/* Text: of the other events only those for which a line has room. */
void as_sheet_fit_events(struct as_sheet *s);
/* Text does without the column of SLOT, WORD, below WIDTH columns. What has no room is named below
 * the table. */
void as_sheet_fit_column(struct as_sheet *s, unsigned slot, const char *word, unsigned width);
/* Text has costs of every event in the unit WORD, a known one; NULL: counts. */
void as_sheet_units(struct as_sheet *s, const char *word);
/* What AS_COL_METRICS are; one without a formula is a column of costs of the first event, by its
 * name alone. INCL: of inclusive costs. Room for the values of a row; NULL: out of
 * memory. */
struct as_number *as_sheet_with_metrics(
	struct as_sheet *s, const struct as_metric *metric, uint32_t n, bool incl);
/* TEXT as the heading of a column. */
const char *as_sheet_heading(struct as_sheet *s, struct as_slice text);

/* A member of JSON's document: not in other forms. */
void as_sheet_word(struct as_sheet *s, const char *key, struct as_slice word);
/* JSON: the events and the list KEY of rows; other forms: the heads. */
void as_sheet_rows(struct as_sheet *s, const char *key);
/* Instead of that, of one row: in JSON its cells are members of the document. */
void as_sheet_only_row(struct as_sheet *s);
/* Says what has failed since the beginning, too. */
enum as_code as_sheet_finish(struct as_sheet *s) AS_NODISCARD;

/* Sums of costs, a value per event of the profile, for what is not shown. NULL: out of memory,
 * which as_sheet_finish() says. */
as_val *as_sheet_sum(struct as_sheet *s);
void as_sheet_add(const struct as_sheet *s, as_val *sum, const as_val *costs);
/* What filters left out, a value per event of the profile. NULL: nothing, or out of memory. */
as_val *as_sheet_filtered_out(struct as_sheet *s);
/* How many rows of N a LIMIT, 0 = none, leaves. */
static inline size_t as_sheet_limit(uint64_t limit, size_t n)
{
	return limit && limit < n ? (size_t)limit : n;
}

/* ---- rows ---- */
void as_sheet_count(struct as_sheet *s, unsigned slot, bool known, as_val n);
void as_sheet_number(struct as_sheet *s, unsigned slot, struct as_number n);
void as_sheet_text(struct as_sheet *s, unsigned slot, struct as_slice text);
/* "": not known */
void as_sheet_text_or_null(struct as_sheet *s, unsigned slot, struct as_slice text);
/* NULL: not known */
void as_sheet_costs(struct as_sheet *s, unsigned slot, const as_val *costs);
/* Of costs that are filled. */
void as_sheet_mark(struct as_sheet *s, unsigned slot, enum as_cost_mark mark);
void as_sheet_func(struct as_sheet *s, unsigned slot, struct as_view_func f);
void as_sheet_figures(struct as_sheet *s, unsigned slot, struct as_sheet_figures figures);
/* Text: the colour of the row. */
void as_sheet_paint(struct as_sheet *s, enum as_paint paint);
/* LIST writes the elements of an array. */
void as_sheet_list_of(struct as_sheet *s, unsigned slot,
	void (*list)(const void *ctx, struct as_json *j, as_val n), const void *ctx, as_val n);
/* A value for each; NULL: not known. */
void as_sheet_metrics(struct as_sheet *s, unsigned slot, const struct as_number *metrics);
/* What stands instead of a function or number, for which JSON has null. p == NULL: out of
 * memory. */
void as_sheet_title(struct as_sheet *s, unsigned slot, struct as_slice text);

/* The row is filled: print it. KEY: in JSON the row is this member. */
void as_sheet_row(struct as_sheet *s, const char *key);
/* The last row of an answer: the N rows that are not shown, which cost COSTS. SLOT has their
 * number, their costs and, for people, their name "[3 more paths]", of which WHAT is " path{|s}".
 * CSV has no such row, and people get none where N is 0. */
struct as_sheet_rest {
	unsigned n, costs, name;
};
void as_sheet_rest(struct as_sheet *s, struct as_sheet_rest slot, uint64_t n, const char *what,
	const as_val *costs);
/* As as_sheet_row(); in JSON more members follow, lists of rows among them, up to
 * as_sheet_row_end(). */
void as_sheet_row_begin(struct as_sheet *s, const char *key);
void as_sheet_row_end(struct as_sheet *s);
/* Rows up to as_sheet_group_end() belong together by what is filled: in JSON that is an object,
 * which has lists of them; in other forms each row has it. */
void as_sheet_group(struct as_sheet *s);
void as_sheet_group_end(struct as_sheet *s);
void as_sheet_list(struct as_sheet *s, const char *key);
void as_sheet_list_end(struct as_sheet *s);
/* Text and Markdown: a table begins here, instead of in as_sheet_rows(). */
void as_sheet_table(struct as_sheet *s);
/* Text: the rows so far are a table, which is printed. More rows are another one, after an empty
 * line. */
void as_sheet_table_end(struct as_sheet *s);
/* Text: a line below the sheet, dimmed. */
void as_sheet_note(const struct as_sheet_to *to, const char *text);

#endif
