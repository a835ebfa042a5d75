/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The engine of the page: questions about a profile, and their answers. A question is a command of
 * the program with its options as words, "top?by=file&sort=Ir"; viewer/src/protocol.ts lists them,
 * docs/json.md the answers. A command is a function and a line in the table of ask.c.
 */
#ifndef AS_WASM_ENGINE_H
#define AS_WASM_ENGINE_H

#include "lib/lib_impl.h"
#include "report/views.h"

/* ---- questions ---- */

struct word {
	struct as_slice key, value;
};

struct question {
	struct as_arena arena; /* owns what is below */
	struct as_slice command;
	AS_VEC(struct word) word;
};

/* What cannot be answered, and which word is to blame. */
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

/* ---- the engine ---- */

/* One input, read; or the reason why it could not be. */
struct engine {
	const struct as_alloc *al;
	struct as_arena arena;
	const char *name; /* of the input; may be "" */
	struct assay_findings *findings;
	struct as_profile *prof; /* NULL: see ERR */
	struct assay_error err;
	struct engine *base; /* what it is compared with; borrowed; NULL: nothing */
	struct as_engine_cache *cache;
};

/*
 * What a question is about: the profile that its filters leave, and its events. Ends in
 * as_subject_release(). The profile stays as it is until the engine is asked for another one.
 */
struct subject {
	const struct as_profile *prof; /* borrowed */
	struct as_view_opts opts;      /* all events; of "sort", else of the first */
	bool keep_contexts;
	uint32_t *event;
	size_t size;
	const struct as_alloc *al;
};
enum as_code as_subject_make(struct subject *s, struct engine *e, const struct question *q,
	struct failure *f) AS_NODISCARD;
void as_subject_release(struct subject *s);

/* ---- answers ---- */

/* Write the answer to OUT, JSON or boxes. If it fails, F is told and what was written is nothing. */
typedef enum as_code as_answer_fn(
	struct engine *e, const struct question *q, struct as_out *out, struct failure *f);

as_answer_fn as_engine_info, as_engine_check, as_engine_top;

/* What TEXT asks, written to OUT; a struct failure as JSON where that is not possible. AS_OK, or
 * AS_E_NOMEM. */
enum as_code as_engine_ask(struct engine *e, struct as_slice text, struct as_sink_mem *sm)
	AS_NODISCARD;

#endif
