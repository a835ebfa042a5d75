/* SPDX-License-Identifier: Apache-2.0 */
/* Text of macOS's sample: what its files share. docs/formats/macsample.md. */
#ifndef AS_FORMATS_MACSAMPLE_H
#define AS_FORMATS_MACSAMPLE_H

#include "formats/format.h"
#include "formats/tally.h"

#define MS_HEAD "Analysis of sampling "
#define MS_GRAPH "Call graph:"
#define MS_IMAGES "Binary Images:"

/* ---- macsample_line.c: lines of the call graph (§2) ---- */

struct ms_line {
	size_t column;  /* where its number stands: callees stand further to the right */
	uint64_t count; /* samples in it and in what it called */
	struct as_slice text;
};

struct ms_frame {
	struct as_slice name, object, file; /* "" = unknown */
	uint64_t line, offset; /* OFFSET in the object, if that is all that is known of it */
};

bool as_ms_line(struct as_slice line, struct ms_line *out);
void as_ms_frame(struct as_slice text, struct ms_frame *f);
/* "Thread_15758523: name", "Thread_1   DispatchQueue_1: name". False: TEXT is no thread. */
bool as_ms_thread(struct as_slice text, struct as_tally_thread *thread);

/* ---- the reader ---- */

/* A line that others may be below. */
struct ms_level {
	size_t column;
	as_node node;
	uint64_t count;
	as_val below; /* samples of the lines below it */
};

/* A binary of the list behind the graph; of two with one NAME, the last component of its path, the
 * graph does not say which it means. */
struct ms_image {
	struct as_slice name, path, id;
	uint64_t start, last; /* its first and its last byte */
	bool twice;
};

struct as_ms {
	struct as_rd *rd;
	const struct as_alloc *al;
	struct as_arena arena;
	struct as_tally tally;
	uint32_t event, thread;
	bool in_graph, ended, in_images, has_pid;
	AS_VEC(struct ms_image) image;
	struct as_index images;
	uint32_t pid;
	struct as_slice process, path, system, interval;
	AS_VEC(struct ms_level) level; /* [0] is the thread's */
	uint64_t n_over;               /* lines that have less than those below them */
};

/* macsample_image.c: a line of that list; and objects of the profile become what it says. */
enum as_code as_ms_image(struct as_ms *ms, struct as_slice line) AS_NODISCARD;
enum as_code as_ms_put_images(struct as_ms *ms) AS_NODISCARD;

enum as_code as_ms_read(struct as_rd *rd) AS_NODISCARD;

#endif
