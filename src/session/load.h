/* SPDX-License-Identifier: Apache-2.0 */
/* From the names of files to profiles. Host only, as all that includes session.h. */
#ifndef AS_SESSION_LOAD_H
#define AS_SESSION_LOAD_H

#include "formats/format.h"
#include "session/choose.h"
#include "session/naming.h"
#include "session/session.h"

/* When an input's samples were counted: as they say themselves, if they do; when it began, or at
 * no known time. See begin.h. */
enum as_placed { AS_BY_ITSELF, AS_AT_BEGIN, AS_AT_NO_TIME };

/* What became of one input. */
struct as_loaded {
	const char *path;
	const struct as_format *fmt; /* NULL if it was not recognised */
	struct as_profile *prof;     /* NULL if it could not be read */
	struct as_findings findings;
	struct as_err err;
	const char *way;   /* what to type instead; NULL: nothing better than usual */
	char warning[400]; /* to be said of it; "": nothing */
	bool lacks;        /* a part of it, says that: of a store that was asked for "partial" */
	enum as_exit told; /* not AS_EXIT_OK: what is wrong was said */
	enum as_code rc;
	uint64_t given; /* bit i: the binary I that the user gave was used as it was read */
	enum as_placed placed;
	uint64_t length;       /* of one that is at its beginning, nanoseconds; 0 = unknown */
	bool lines;            /* were asked for */
	bool head;             /* PROF is the first bytes', and refused: as_load_opts.refuse */
	bool is_read, partial; /* kept for messages about PROF, which may be freed by then */
};

struct as_load_opts {
	enum as_detail detail;
	bool sums;    /* a table of functions is all that is made of it, see struct as_rd */
	bool table;   /* likewise, or of objects; with filters as well */
	bool stacks;  /* which as_inputs_name() makes sums of: likewise */
	bool moments; /* when samples were counted is asked for; a filter by time does so, too */
	bool markers; /* and markers, as an event */
	/* With MOMENTS: what does not say when it was counted is of when it began (begin.h). It is
	 * asked for by so many nanoseconds; 0 = it is not. */
	uint64_t begins;
	bool calls; /* nothing is made of one that has none: as_read_opts.calls */
	/* The same of one of which it is true, and that is alone and has all its samples. Whoever
	 * sets it asks it again, and says why. */
	bool (*refuse)(const struct as_profile *prof);
	bool database, alone; /* of all inputs: as_inputs_load() sets them */
	bool pieces;          /* of one recording: see struct as_merge_opts */
	/* What the filters leave out is not looked at: of a database it need not be read. */
	bool chosen;
	const struct as_rd_choice *choice; /* of these: as_inputs_load() makes it, */
	const struct as_known *known;      /* and what it was asked; NULL: nobody knows */
	bool check;                        /* run the driver's own checks as well */
	bool strict;
	struct as_out
		*raw; /* the input is printed there as `pprof -raw` does; no profile is made */
};

/* Read one input; prints nothing. Always ends in as_loaded_release(). */
void as_load(const struct as_session *ses, const char *path, const struct as_load_opts *opts,
	struct as_loaded *ld);
void as_loaded_release(struct as_loaded *ld);

/* Of an input in sections those that have what CHOICE asks for, as its format has it. */
struct as_load_some {
	const struct as_alloc *al;
	const struct as_format *fmt; /* NULL: it is not open */
	size_t *bytes;               /* as in struct as_rd */
	size_t n;
	char *text;
	size_t size; /* of TEXT and what is behind it */
	struct as_src_mem mem;
};
/* False if PATH is none such, or damaged: then there is nothing to close. */
bool as_load_some_open(struct as_load_some *s, const struct as_alloc *al, const char *path,
	const struct as_rd_choice *choice);
void as_load_some_close(struct as_load_some *s);

/* Say on stderr what went wrong or was odd with LD; the exit status for it. */
enum as_exit as_loaded_report(const struct as_session *ses, const struct as_loaded *ld);

/* All inputs of a command, as one profile. */
struct as_inputs {
	struct as_arena arena; /* names found by --all-parts */
	AS_VEC(const char *) file;
	AS_VEC(struct as_loaded) loaded; /* one per file; their profiles are gone if merged */
	struct as_profile *prof;
	struct as_losses losses;         /* of merging */
	struct as_findings findings;     /* about the set of files */
	struct as_symbol_report symbols; /* see as_inputs_name() */
	struct as_shown shown;           /* of the profile; see as_inputs_show_names() */
	AS_VEC(const char *)
	flat; /* folders of a database's flat segments, whose profiles FILE has */
	int64_t flat_begin, flat_ns; /* when the first begins; how long all are */
	bool database; /* what cannot be read of these files is told, and the rest is the answer */
	bool places;   /* the profile had nothing else: as_listing_load() made paths of them */
};

/* Names of inputs as the user gave them; "-" is standard input. Borrowed. */
struct as_files {
	const char *const *path;
	size_t n;
};
/* The files that FILES stand for: themselves, all parts of a run, or those of a database. */
enum as_exit as_inputs_find(
	const struct as_session *ses, struct as_files files, struct as_inputs *in);
/* as_inputs_find() and reading; several are merged. Prints what went wrong. Release IN also
 * on failure. */
enum as_exit as_inputs_load(const struct as_session *ses, struct as_files files,
	const struct as_load_opts *opts, bool keep_parts, struct as_inputs *in);
void as_inputs_release(struct as_inputs *in);

/* All that stands between reading and looking at a profile: names, how they are shown, call paths
 * out of contexts, and the filters of the command line (filtering.h). A command that prints
 * begins with this. */
enum as_exit as_inputs_view(const struct as_session *ses, struct as_inputs *in);

/* Of as_load_opts.refuse: PROF does not say when its samples were counted. */
bool as_lacks_moments(const struct as_profile *prof);
/* AS_EXIT_OK, unless the profile does not say when its samples were counted: then that is said. */
enum as_exit as_inputs_want_moments(const struct as_session *ses, const struct as_inputs *in);

/* IN's profile becomes one of the call paths that Callgrind's names state, if PATHS; says so. */
enum as_exit as_inputs_context_paths(
	const struct as_session *ses, struct as_inputs *in, bool paths);

/* Look an event up by name; prints the usage error. */
enum as_exit as_session_event(
	const struct as_session *ses, struct as_events of, const char *name, uint32_t *event);
/* Says that there is no such event, or that one is named twice: AS_EXIT_USAGE. */
enum as_exit as_session_no_event(
	const struct as_session *ses, struct as_events of, struct as_slice name);
enum as_exit as_session_event_twice(const struct as_session *ses);
/* The columns that "Ir,Dr" names, none for NULL; EVENT has room for all. */
enum as_exit as_session_events(const struct as_session *ses, struct as_events of, const char *list,
	uint32_t *event, uint32_t *n);
#endif
