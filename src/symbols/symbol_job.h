/* SPDX-License-Identifier: Apache-2.0 */
/* The addresses of one object, from the question to the answer. Private to src/symbols. */
#ifndef AS_SYMBOLS_SYMBOL_JOB_H
#define AS_SYMBOLS_SYMBOL_JOB_H

#include "model/chains.h"
#include "symbols/symbol_file.h"
#include "symbols/symbol_kept.h"

/* An address without a name, of the profile and as the linker laid it out. */
struct as_symaddr {
	uint64_t addr, vaddr;
};

struct as_symjob {
	const struct as_profile *prof;
	const struct as_symbol_opts *opts;
	struct as_object_report report;
	struct as_symaddr *addr; /* borrowed; n of them, distinct */
	size_t n;

	bool found; /* FILE was looked for */
	struct as_symfile file;
	struct as_arena arena; /* owns the report's texts */
	uint64_t *vaddr;       /* n_vaddr distinct link-time addresses, ascending; room for n */
	size_t n_vaddr;
	struct as_kept_object *kept; /* has all answers; or NULL: */
	bool *known;                 /* those whose answer is of the cache */
	struct as_symset own[2];
	const struct as_symset *set[2]; /* answers: of the cache, or KEPT's; of the file */
	uint32_t *row;                  /* of KEPT, of each VADDR */
	enum as_code rc;
	/* Where the file's bytes are by its program headers, if the profile has offsets. */
	AS_VEC(struct as_segment) segment;
};

/* Find the file. RC is how it went: AS_E_NOMEM, AS_E_UNSUPPORTED; the rest is in REPORT. Always
 * ends in as_symjob_release(). */
void as_symjob_find(struct as_symjob *job);
/* Whether as_symjob_run() may need the addresses: not where the file was looked for in vain. */
bool as_symjob_asks(const struct as_symjob *job);
/* Find the file, if that is not done, and ask it: may run in a thread of its own. */
void as_symjob_run(struct as_symjob *job);
void as_symjob_release(struct as_symjob *job);

/* Add the answers to CHAINS. */
enum as_code as_symjob_emit(struct as_symjob *job, struct as_chains *chains) AS_NODISCARD;

#endif
