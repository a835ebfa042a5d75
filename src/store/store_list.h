/* SPDX-License-Identifier: Apache-2.0 */
/* What stands in a database. */
#ifndef AS_STORE_STORE_LIST_H
#define AS_STORE_STORE_LIST_H

#include "base/arena.h"
#include "base/err.h"
#include "store/store_name.h"

/* Folders by name, a NUL behind each. */
struct as_store_names {
	struct as_arena arena;
	AS_VEC(struct as_slice) row;
};
void as_store_names_release(struct as_store_names *ns);
/* All entries of folder DIR but "." and "..", in the order of their bytes. */
enum as_code as_store_names_read(struct as_store_names *ns, const struct as_alloc *al,
	const char *dir, struct as_err *err) AS_NODISCARD;

struct as_store_epochs {
	const struct as_alloc *al;
	AS_VEC(struct as_store_epoch_id) row; /* the earliest first */
};
void as_store_epochs_release(struct as_store_epochs *es);
/* The epochs in HOST, a folder: none is no failure. */
enum as_code as_store_epochs_read(struct as_store_epochs *es, const struct as_alloc *al,
	const char *host, struct as_err *err) AS_NODISCARD;

struct as_store_spans {
	const struct as_alloc *al;
	AS_VEC(struct as_store_span) row; /* by begin; what another one covers is left out, and */
	AS_VEC(struct as_store_span) covered; /* stands here */
};
void as_store_spans_release(struct as_store_spans *ss);
/* The segments in EPOCH, a folder, as they stand at one moment though they become one meanwhile. */
enum as_code as_store_spans_read(struct as_store_spans *ss, const struct as_alloc *al,
	const char *epoch, struct as_err *err) AS_NODISCARD;

/* A profile of a flat segment. */
struct as_store_image {
	struct as_slice file; /* its name, a NUL behind it */
	struct as_slice path; /* of the image; p == NULL: not known without reading the file */
};

struct as_store_images {
	struct as_arena arena;
	AS_VEC(struct as_store_image) row;
};
void as_store_images_release(struct as_store_images *im);
enum as_code as_store_images_read(struct as_store_images *im, const struct as_alloc *al,
	const char *folder, struct as_err *err) AS_NODISCARD;

/* Join A and B with a slash; false if it has no room. */
bool as_store_path(char *buf, size_t size, const char *a, const char *b);

#endif
