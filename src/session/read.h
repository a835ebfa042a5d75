/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reading: from a source of bytes to a profile. The program, the library and the page's engine
 * read by this.
 */
#ifndef AS_SESSION_READ_H
#define AS_SESSION_READ_H

#include "formats/format.h"

/* Inputs of fewer bytes are read by one thread: making threads would take longer. */
#define AS_READ_SMALL_BYTES (UINT64_C(4) << 20)

struct as_read_opts {
	const struct as_format *fmt; /* NULL: found by the content */
	enum as_detail detail;
	bool sums, stacks;                 /* as in struct as_rd */
	bool moments;                      /* as_build.keep_moments */
	bool markers;                      /* as_build.keep_markers; with MOMENTS */
	const struct as_rd_choice *choice; /* likewise */
	const size_t *sections;            /* likewise */
	size_t n_sections;
	/* Whether nothing can be made of PROF, and could not be if it had more samples: then of a
	 * format that is as_format.alike no more is read. NULL: something can be made of each. */
	bool (*refuse)(const struct as_profile *prof);
	bool calls;           /* what says where cost is, and not who called whom, is refused */
	bool strict;          /* likewise */
	bool check;           /* run the format's own checks, too */
	bool keep_order;      /* samples stay as the file has them: as_build.keep_order */
	struct as_exec *exec; /* for large inputs; NULL: one thread */
	struct as_opts opts;  /* the format's own options */
	struct as_out *raw;   /* print what `pprof -raw` prints there, and make no profile */
	const struct as_unpack *unpack;     /* as in struct as_rd */
	const struct as_xml *xml;           /* likewise */
	const struct as_unwinder *unwinder; /* likewise */
	const struct as_made_names *made;   /* likewise */
	struct as_src *const *more;         /* likewise */
	size_t n_more;
};

struct as_read_result {
	struct as_profile *prof;     /* the caller's to free; NULL on failure, and with opts->raw */
	const struct as_format *fmt; /* NULL: none that is known */
	const char *way;             /* how to get a file that is read, for what is none; or NULL */
	bool empty;                  /* there was not a byte */
	bool head;                   /* PROF, which was refused, is the first bytes' alone */
};

/* Of a profile without calls that was asked for them; and the way on. */
#define AS_READ_PLACES "the profile says where cost was, not who called whom"
#define AS_READ_PLACES_WAY "what is hot: assay top FILE"

/*
 * Read SRC, which may not be compressed any more. FINDINGS may be NULL. GOT is filled in whatever
 * happens. Errors: AS_E_NOTPROFILE, AS_E_TRUNC if it is empty, AS_E_UNSUPPORTED if there
 * never are calls in its format, and the readers'.
 */
enum as_code as_read(const struct as_alloc *al, struct as_src *src, const struct as_read_opts *opts,
	struct as_findings *findings, struct as_read_result *got, struct as_err *err) AS_NODISCARD;

#endif
