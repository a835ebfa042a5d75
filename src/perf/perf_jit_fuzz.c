/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as jit-PID.dump: what is found holds the address that was asked for. */
#include "base/alloc.h"
#include "lib/fuzz_must.h"
#include "perf/perf_jit.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void ask(const struct as_jit *jit, uint64_t time, uint64_t addr)
{
	const struct as_jit_code *code = as_jit_find(jit, time, addr);
	const struct as_jit_line *line;

	if (!code)
		return;
	must(code->start <= addr && addr < code->limit && code->name.p);
	line = as_jit_line(jit, code, addr);
	must(!line || line->file.p);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct as_jit jit;
	enum as_code rc =
		as_jit_read(&jit, &as_alloc_libc, (struct as_slice){(const char *)data, size});

	must(rc == AS_OK || rc == AS_E_FORMAT);
	for (size_t i = 0; rc == AS_OK && i < jit.code.n && i < 64; i++) {
		const struct as_jit_code *c = &jit.code.p[i];

		must(as_jit_find(&jit, c->time, c->start));
		must(as_jit_version(&jit, c->time) <= jit.change.n);
		ask(&jit, 0, c->limit);
		ask(&jit, UINT64_MAX, c->limit - 1);
		ask(&jit, c->time, UINT64_MAX);
	}
	as_jit_release(&jit);
	return 0;
}
