/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the files of the store share.
 *
 *	store.c		opening, epochs, segments
 *	store_facts.c	what a segment says of itself
 *	store_flat.c	costs by image and address
 *	store_images.c	which images a flat segment has
 *	store_write.c	segments to files
 *	store_read.c	and back
 *	store_roll.c	many segments to one
 *	store_gc.c	removing
 *	store_mark.c	what went elsewhere
 */
#ifndef AS_STORE_STORE_IMPL_H
#define AS_STORE_STORE_IMPL_H

#include <limits.h>

#include "change/transform.h"
#include "store/store.h"
#include "store/store_list.h"

/* Files of a flat segment, beside its profiles. */
#define AS_STORE_FACTS "facts"
#define AS_STORE_IMAGES "images"
#define AS_STORE_IMAGE ".dcpi" /* how the name of a profile ends, */
#define AS_STORE_PACKED ".gz"  /* and that behind it */

struct as_store {
	const struct as_alloc *al;
	char host[256];            /* its name */
	char dir[PATH_MAX];        /* its folder */
	char epoch[AS_STORE_NAME]; /* the open one; its folder is there if */
	bool made;
	int64_t last_end; /* of the last segment in it; INT64_MIN: there is none */
	int64_t keep_hours_ns;
	uint64_t roll_bytes;
	bool remove_at_once;
	int lock;
	bool holds;
	struct as_store_mark hold; /* if so, what is behind it stays as it is */
	void (*say)(void *ctx, const char *text);
	void *say_ctx;
};

/* ---- store.c ---- */
void as_store_say(const struct as_store *st, const char *fmt, ...) AS_PRINTF(2, 3);
/* "WHAT: ..." of PATH. */
enum as_code as_store_sys(struct as_err *err, int number, const char *path, const char *what);
/* The path of NAME in DIR; AS_E_IO if it is too long. */
enum as_code as_store_join(
	char path[PATH_MAX], const char *dir, const char *name, struct as_err *err) AS_NODISCARD;

/* ---- store_facts.c ---- */
/* PROF with what FACTS say as lines of metadata, when it was, if it does not say that, and whose
 * the samples are as labels. */
enum as_code as_store_facts_into(const struct as_profile *prof, const struct as_store_span *span,
	const struct as_store_facts *facts, struct as_profile **out, struct as_err *err)
	AS_NODISCARD;
/* As lines of text, and back; what is not understood is passed over. */
void as_store_facts_print(struct as_out *out, const struct as_store_facts *facts);
void as_store_facts_parse(struct as_slice text, struct as_store_facts *facts);

/* ---- store_flat.c ---- */
/* PROF as costs by image and address, as DCPI profiles hold them. */
enum as_code as_store_flatten(const struct as_profile *prof, const char *host, int64_t begin_ns,
	struct as_profile **out, struct as_err *err) AS_NODISCARD;

/* ---- store_write.c ---- */
/* PROF as segment SPAN in folder DIR, which is there. FACTS are a flat one's. SMALL: it stays, and
 * may take longer. */
enum as_code as_store_write(const char *dir, const struct as_store_span *span,
	const struct as_profile *prof, const struct as_store_facts *facts, bool small,
	struct as_err *err) AS_NODISCARD;
/* Remove PATH with all that is in it; does nothing if it is not there. */
enum as_code as_store_remove(const char *path, struct as_err *err);
/* The same of a folder that others read: they see it whole until it is called HIDDEN, beside it. */
enum as_code as_store_retire(const char *path, const char *hidden, struct as_err *err) AS_NODISCARD;
/* What stands in DIR now does so after the power fails, too. */
enum as_code as_store_sync_dir(const char *dir, struct as_err *err);

/* ---- store_images.c ---- */
/* Whether NAME is that of a profile in a flat segment. */
bool as_store_is_image(struct as_slice name);

/* ---- store_read.c ---- */
/* Damaged ones are refused with AS_E_FORMAT. FACTS are added to. */
enum as_code as_store_read(const struct as_alloc *al, const char *path, bool flat,
	struct as_profile **out, struct as_store_facts *facts, struct as_err *err) AS_NODISCARD;

#endif
