/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Filters: from words to the part of a profile that they choose. A word is an option of the program
 * or a word of the page's questions; docs/filters.md defines them. Words become filters once, and
 * filters may choose of many profiles. What is wrong or matches nothing is told as a value: the
 * caller says it in words of its own.
 */
#ifndef AS_SESSION_FILTERS_H
#define AS_SESSION_FILTERS_H

#include "change/filter/filter.h"
#include "change/filter/pattern.h"

/* In the order in which they work. */
enum as_word {
	AS_WORD_TAGROOT,   /* "KEY,KEY": labels become frames above each stack */
	AS_WORD_TAGLEAF,   /* likewise, below */
	AS_WORD_TAGFOCUS,  /* samples with a label that matches */
	AS_WORD_TAGIGNORE, /* samples without one */
	AS_WORD_TAGSHOW,   /* labels whose keys do not match go */
	AS_WORD_TAGHIDE,   /* labels whose keys match go */
	AS_WORD_THREAD,    /* the five of struct as_part_choice */
	AS_WORD_PART,
	AS_WORD_PROCESS,
	AS_WORD_UNIT,
	AS_WORD_LABEL,
	AS_WORD_FOCUS, /* from here on as enum as_filter_kind */
	AS_WORD_IGNORE,
	AS_WORD_HIDE,
	AS_WORD_SHOW,
	AS_WORD_SHOW_FROM,
	AS_WORD_PRUNE_FROM,
	AS_WORD_OBJECT,
	AS_WORDS, /* how many there are */
};

const char *as_word_text(enum as_word kind); /* "show-from" */
/* Which word TEXT is; false: it is none. "unit" is what costs are shown in. */
bool as_word_find(struct as_slice text, enum as_word *kind);

struct as_filter_word {
	enum as_word kind;
	struct as_slice text;
};

/* Regular expressions are the caller's: the floors below have none. */
struct as_regexes {
	void *ctx;
	/* AS_E_ARG: TEXT is wrong at byte *PLACE. */
	enum as_code (*make)(void *ctx, struct as_slice text, bool ignore_case, void **re,
		size_t *place, struct as_err *err);
	bool (*match)(const void *re, struct as_slice text);
	void (*release)(void *re); /* NULL: they need none */
};

struct as_filters_ask {
	const struct as_filter_word *word;
	size_t n;
	bool keep_contexts, relative; /* as in struct as_filter */
	bool compat;                  /* all is as in pprof: capital letters count, too */
	bool by_time;                 /* what was counted in TIME, see as_filter_time() */
	struct as_time_range time;
	struct as_regexes regex;
};

/* Of a tagfocus or tagignore that is a range, "1mb:2gb". */
struct as_label_range {
	bool has_low, has_high; /* a bound that is not there is not looked at */
	double low, high;
	struct as_slice unit;
};

/* What a word asks for; each key of a tagroot or tagleaf is an item of its own. Threads, parts and
 * labels are none. */
struct as_filter_item {
	size_t word; /* its number among those that were given */
	enum as_word kind;
	struct as_slice text; /* of the whole word */
	struct as_slice key;  /* of labels; p == NULL: any */
	unsigned fields;      /* of a pattern: AS_MATCH_*, */
	bool inside;          /* and as_pattern_is_inside() */
	bool matched;         /* something in the last profile matched it */
	bool is_range;
	struct as_label_range range;
	void **re; /* N regular expressions */
	size_t n;
};

struct as_filters {
	struct as_arena arena;
	struct as_filters_ask ask;          /* without its words */
	AS_VEC(struct as_filter_item) item; /* in the order of the words */
	struct as_part_choice choice;
	struct as_matcher *matcher; /* of each pattern, in their order */
	bool *matched;              /* likewise */
	size_t n_matchers;
	unsigned fields;        /* of all patterns */
	bool by_part, by_label; /* threads, parts and labels are chosen by; and tags are */
	/* With ask.compat: of each event what all samples of the first profile cost, those below 0
	 * as if they were above. NULL: nothing was chosen, or ask.relative. */
	as_val *whole;
	uint32_t n_whole;
};

/* The word that is wrong, and the byte in it; SIZE_MAX: it is wrong altogether, an object that is
 * chosen by something else than a name, or a list without a key. */
struct as_filters_wrong {
	struct as_filter_word word;
	size_t place;
};

/* Texts are copied. OUT, which may be NULL on failure, always ends in as_filters_free(). WRONG is
 * filled in with errors of AS_E_ARG, AS_E_LIMIT and AS_E_UNSUPPORTED. */
enum as_code as_filters_new(const struct as_alloc *al, const struct as_filters_ask *ask,
	struct as_filters **out, struct as_filters_wrong *wrong, struct as_err *err) AS_NODISCARD;
void as_filters_free(struct as_filters *f); /* NULL is fine */

/* Whether samples or labels are chosen; labels as frames choose none. */
bool as_filters_choose(const struct as_filters *f);
/* What the patterns among words are compared with, AS_MATCH_*. */
unsigned as_words_fields(const struct as_filter_word *word, size_t n);
/* Code that has only addresses should be named before. */
static inline bool as_fields_want_names(unsigned fields)
{
	return fields & ~(unsigned)AS_MATCH_OBJECT;
}
/* What reading must not leave out, if DETAIL is enough for all else: the files of inlined code.
 * Shares of calls are rounded row by row, so lines stay apart where tables by line have them so. */
static inline enum as_detail as_fields_detail(unsigned fields, enum as_detail detail)
{
	bool lines = (fields & AS_MATCH_FILE) || (fields && detail == AS_DETAIL_FILE);

	return lines && detail < AS_DETAIL_LINE ? AS_DETAIL_LINE : detail;
}

/* Whether F does no more than leave out samples, each for what it says itself: for the part that it
 * is of, or the object that its last frame is of. Then CHOICE, which is F's, has those that F may
 * keep of any profile, and of those that are merged. */
AS_NODISCARD bool as_filters_by_sample(const struct as_filters *f, struct as_rd_choice *choice);

enum as_left {
	AS_LEFT_SOME,
	AS_LEFT_NO_TIME,  /* nothing: none was counted in that time */
	AS_LEFT_NO_PART,  /* nothing: no part is of the thread, part and label */
	AS_LEFT_NO_LABEL, /* nothing: tagfocus and tagignore choose no part */
	AS_LEFT_NOTHING,  /* nothing, or there was nothing before */
};

struct as_filters_left {
	struct as_profile *prof; /* the caller's to free; NULL: nothing is chosen */
	bool estimated;          /* as in struct as_filtered */
	enum as_left left;
	const struct as_filter_item *blame; /* why nothing is; NULL: no one alone */
};

/* What F chooses of PROF. L may be NULL. AS_E_UNSUPPORTED: by time, and PROF does not say when. */
enum as_code as_filters_run(struct as_filters *f, const struct as_profile *prof,
	struct as_filters_left *left, struct as_losses *l, struct as_err *err) AS_NODISCARD;

/*
 * What precedes it: *PROF is replaced by one with the frames of tagroot and tagleaf, of which those
 * of numbers tell them in UNIT, NULL: the smallest; with ask.compat also without the frames that
 * *PROF calls uninteresting. REMARK has a code if *PROF's words for these make no sense.
 */
enum as_code as_filters_frames(struct as_filters *f, struct as_profile **prof, const char *unit,
	struct as_err *remark, struct as_err *err) AS_NODISCARD;

static inline bool as_is_void(const struct as_profile *prof)
{
	return !prof->self.n && !prof->call.n && !prof->sample.node.n;
}

/* Nor had what it was chosen from. */
static inline bool as_was_void(const struct as_profile *prof)
{
	for (uint32_t k = 0; k < as_n_events(prof); k++)
		if (as_whole(prof)[k])
			return false;
	return as_is_void(prof);
}

/* ---- private: filters_labels.c ---- */

/* The expression in WORD's text, a tag filter's; IT gets its key or range. */
struct as_slice as_filter_read_label(struct as_filter_item *it);
/* KEEP, of each part, becomes 0 where its samples go; LABEL, of each of prof->label, becomes 0
 * where it goes itself, else 1. *LEFT: some part stays. False if out of memory. */
AS_NODISCARD bool as_filter_labels(struct as_filters *f, const struct as_profile *prof,
	uint8_t *keep, uint8_t *label, bool *left);

/* RE2, as filters and functions that somebody types want it: regexes.c. Host only. */
extern const struct as_regexes as_regexes_re2;

#endif
