/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Output to files that appears whole or not at all: bytes go to a temporary beside the
 * target, which is synced and renamed by commit; where the file system can, it has no name
 * until then. What is no regular file (/dev/null, a FIFO) is written directly. Links that the
 * target's name ends in are followed, except those of others where everybody may put some.
 */
#ifndef AS_IO_OUT_FILE_H
#define AS_IO_OUT_FILE_H

#include "base/alloc.h"
#include "base/err.h"
#include "io/out.h"

struct as_out_file {
	struct as_sink sink; /* give this to as_out_open() */
	const struct as_alloc *al;
	int fd;
	bool force;
	char *target;   /* with symbolic links followed; malloc'ed by AL */
	char *tmp;      /* the temporary's path until commit or abort; "" as long as it has no
			 * name, NULL if there is none */
	size_t tmp_cap; /* of both */
};

/*
 * An existing regular file is refused unless FORCE: AS_E_IO with err->sys_errno EEXIST, here
 * and, if it appears in the meantime, at commit.
 */
enum as_code as_out_file_open(struct as_out_file *of, const struct as_alloc *al, const char *path,
	bool force, struct as_err *err) AS_NODISCARD;
/* Exactly one of them ends OF. A failed commit leaves the old file as it was. */
enum as_code as_out_file_commit(struct as_out_file *of, struct as_err *err) AS_NODISCARD;
void as_out_file_abort(struct as_out_file *of);

/* PATH is what is open already, as /dev/stdout or /dev/fd/3: there is nothing to replace. */
bool as_out_is_open_file(const char *path);

/* A sink to a file descriptor that somebody else owns. */
struct as_sink_fd {
	struct as_sink sink;
	int fd;
};
void as_sink_fd_init(struct as_sink_fd *sf, int fd);

#endif
