/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The engine of the page: questions about a profile, and their answers. A question is a command of
 * the program with its options as words, "top?by=file&sort=Ir"; viewer/src/protocol.ts lists them,
 * docs/json.md the answers. A command is a function and a line in the table of ask.c.
 */
#ifndef AS_WASM_ENGINE_H
#define AS_WASM_ENGINE_H

#include "lib/lib_impl.h"
#include "listing/listing.h"
#include "report/top.h"
#include "report/views.h"
#include "tree/path_source.h"

/* ---- questions ---- */

struct word {
	struct as_slice key, value;
};

struct question {
	struct as_arena arena; /* owns what is below */
	struct as_slice command;
	AS_VEC(struct word) word;
};

/* Why a question cannot be answered, and which word is wrong. */
struct failure {
	struct as_err err;
	const char *word; /* NULL: none */
};

/* Say it, and return CODE. */
enum as_code as_failure_set(struct failure *f, enum as_code code, const char *word, const char *fmt,
	...) AS_PRINTF(4, 5);
enum as_code as_failure_no_memory(struct failure *f);

/* "COMMAND?KEY=VALUE&..." with escapes as in a URL. Always ends in as_question_release(). */
enum as_code as_question_parse(struct question *q, const struct as_alloc *al, struct as_slice text,
	struct failure *f) AS_NODISCARD;
void as_question_release(struct question *q);

/* The value of a word; p == NULL: it is not there. The last one counts, as on a command line. */
struct as_slice as_question_word(const struct question *q, const char *key);
bool as_question_has(const struct question *q, const char *key);
/* Word KEY from the Ith word on, *I moves behind it; false: there is none left. */
bool as_question_next(const struct question *q, const char *key, size_t *i, struct as_slice *value);
/* "1" is yes. */
enum as_code as_question_flag(
	const struct question *q, const char *key, bool *value, struct failure *f) AS_NODISCARD;
/* *VALUE stays what it is where the word is not there. */
enum as_code as_question_number(
	const struct question *q, const char *key, uint64_t *value, struct failure *f) AS_NODISCARD;
/* The place of the word's value in NAMES, ended by NULL; *VALUE as above. */
enum as_code as_question_choice(const struct question *q, const char *key, const char *const *names,
	unsigned *value, struct failure *f) AS_NODISCARD;

/* Two times of one profile are compared. */
bool as_question_compares_times(const struct question *q);

/* ---- the engine ---- */

struct scene;

enum { DETAILS = AS_DETAIL_FULL + 1 };

/* What has been worked out of the profile as it is, one for each detail, and as the last filters
 * leave it. */
enum { SCENES = DETAILS + 3 };

/* One input. It is read when the first question needs it, and again when one needs more detail
 * than what has been read: that of functions takes a fraction of the time and memory. */
struct engine {
	const struct as_alloc *al;
	struct as_arena arena;
	const char *name; /* of the input; may be "" */
	char *data;       /* its N bytes, until nothing more can be read of them */
	size_t n;
	struct as_profile *prof[DETAILS]; /* NULL: not read */
	bool by_detail;                   /* there is more than one */
	bool failed;                      /* see ERR */
	struct assay_findings *findings;  /* of the last reading */
	struct assay_error err;
	struct engine *base; /* what it is compared with; borrowed; NULL: nothing */
	struct scene *scene[SCENES];
	struct as_engine_diff *diff; /* the last comparison, or NULL */
	uint64_t clock;              /* of what was asked for last */
	struct as_flames *flames;    /* questions: see pictures.c */
};
/* NULL: out of memory. DATA is copied. */
struct engine *as_engine_open(
	const struct as_alloc *al, struct as_slice data, struct as_slice name);
void as_engine_close(struct engine *e); /* NULL is fine */
/* The profile in that detail, or in more. */
enum as_code as_engine_read(struct engine *e, enum as_detail detail, const struct as_profile **prof,
	struct failure *f) AS_NODISCARD;

struct as_diff_sub;
/* Compares all call paths as Q asks. The caller owns the result; SUB is part of it. */
enum as_code as_engine_diff_paths(struct engine *e, const struct question *q,
	struct as_engine_diff **k, const struct as_diff_sub **sub, struct failure *f) AS_NODISCARD;
void as_engine_diff_free(struct as_engine_diff *k); /* NULL is fine */

/* ---- what a question is about ---- */

/*
 * The profile that the filters leave, and its events: "sort" and "event". It stays as it is until
 * the next question. Ends in as_subject_release().
 */
struct subject {
	struct engine *engine;
	struct scene *scene;
	const struct as_profile *prof; /* borrowed */
	struct as_view_opts opts;
	bool keep_contexts, no_cycles;
	struct as_listing_id *func; /* "func" and its like; NULL: none is named */
	uint32_t *event;
	size_t size;
};

/* "func" and its like, without an address. */
struct as_listing_id as_question_func(const struct question *q);
enum as_code as_subject_make(struct subject *s, struct engine *e, const struct question *q,
	struct failure *f) AS_NODISCARD;
/* The first reads functions only, which is enough for most; the second as much as DETAIL. */
enum as_code as_subject_make_detail(struct subject *s, struct engine *e, const struct question *q,
	enum as_detail detail, struct failure *f) AS_NODISCARD;
void as_subject_release(struct subject *s);

/* Fails unless the profile has calls or paths. */
enum as_code as_subject_wants_calls(const struct subject *s, struct failure *f) AS_NODISCARD;
/* It becomes one of the event that is sorted by alone: of calls estimates are much cheaper then. */
enum as_code as_subject_one_event(struct subject *s, struct failure *f) AS_NODISCARD;

/* "min" of TOTAL; half a percent where it is not there. */
enum as_code as_question_min(const struct question *q, as_val total, as_val *min, struct failure *f)
	AS_NODISCARD;

/* ---- kept from one question to the next, as long as the filters are the same ---- */

/* By function, with edges, for those who look for functions. Borrowed. */
enum as_code as_scene_listings(const struct subject *s, bool by_addr, struct as_listings **ls,
	struct failure *f) AS_NODISCARD;
/* Those of the paths that as_scene_paths() gave. */
enum as_code as_scene_listings_of_paths(
	const struct subject *s, struct as_listings **ls, struct failure *f) AS_NODISCARD;
/* Functions of that name are found in LS: as_listings_n() of them, not 0. */
enum as_code as_scene_find(const struct subject *s, struct as_listings *ls, struct failure *f)
	AS_NODISCARD;

/* Call paths, and a tree of them for views that go WAY from OF, NULL: all. Both borrowed. */
enum as_code as_scene_paths(const struct subject *s, const struct as_path_source **paths,
	struct failure *f) AS_NODISCARD;
enum as_code as_scene_tree(const struct subject *s, enum as_tree_way way,
	const struct as_calltree_root *of, struct as_calltree **ct, struct failure *f) AS_NODISCARD;

/* The table of as_top_make() with all of its rows, in order as far as OPTS says. Borrowed. */
enum as_code as_scene_top(const struct subject *s, const struct as_top_opts *opts,
	const struct as_top **top, struct failure *f) AS_NODISCARD;

/* Something of another file's: P is released with the scene, or when another one comes. */
struct as_keepsake {
	void *p;
	void (*release)(const struct as_alloc *al, void *p);
};
struct as_keepsake *as_scene_keepsake(const struct subject *s);
void as_scene_drop_keepsake(struct scene *scene);

/* The questions of the last flame graphs; facts may be asked about these. */
enum { AS_FLAMES_KEPT = 16 };
void as_flames_free(struct engine *e);

/* ---- patterns: the regular expressions of the host ---- */

struct matching {
	bool made;
	int32_t id;
};
/* The word "match"; M->made tells whether it is there. */
enum as_code as_question_match(const struct question *q, struct matching *m, struct failure *f)
	AS_NODISCARD;
bool as_matching(const struct matching *m, struct as_slice text);

/* ---- answers ---- */

/* Write the answer to OUT, JSON or boxes. If it fails, F is told, and what was written is nothing
 * worth. */
typedef enum as_code as_answer_fn(
	struct engine *e, const struct question *q, struct as_out *out, struct failure *f);

as_answer_fn as_engine_info, as_engine_check, as_engine_filters, as_engine_top, as_engine_tree,
	as_engine_peek, as_engine_graph, as_engine_list, as_engine_asm, as_engine_diff,
	as_engine_flame, as_engine_facts, as_engine_treemap, as_engine_moments;

/* What TEXT asks, written to OUT; a struct failure as JSON where that is not possible. AS_OK, or
 * AS_E_NOMEM. */
enum as_code as_engine_ask(struct engine *e, struct as_slice text, struct as_sink_mem *sm)
	AS_NODISCARD;

#endif
