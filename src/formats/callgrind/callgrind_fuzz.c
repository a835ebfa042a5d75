/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Any bytes: reading them at each detail ends, leaks nothing and agrees on the
 * totals; what was read can be written, read again, and is then the same text.
 */
#include "lib/fuzz_format.h"

extern const struct as_format as_format_callgrind;

static struct as_profile *read_it(struct as_slice text, enum as_detail detail, bool strict)
{
	struct mem_how how = {
		.fmt = &as_format_callgrind, .detail = detail, .strict = strict, .check = true};
	struct mem_read r;

	mem_read(&r, &how, text);
	return mem_take(&r);
}

/* False if it cannot be written without loss: bytes in names that the format cannot hold. */
static bool write_it(const struct as_profile *prof, struct mem_written *w)
{
	mem_write(w, &as_format_callgrind, prof);
	return w->rc == AS_OK && w->losses.row.n == 0;
}

static void round_trip(const struct as_profile *prof)
{
	struct mem_written one, two;
	struct as_profile *again;

	if (write_it(prof, &one)) {
		again = read_it(mem_bytes(&one), AS_DETAIL_FULL, false);
		if (prof->event.n)
			must(again != NULL);
		if (again && prof->part.n) {
			must_agree(prof, again);
			must(write_it(again, &two));
			must(mem_same_bytes(&one, &two));
			mem_written_free(&two);
		}
		as_profile_free(again);
	}
	mem_written_free(&one);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct as_slice text = {(const char *)data, size};
	struct as_peek pk = {.head = text, .whole = true};
	struct as_profile *full = read_it(text, AS_DETAIL_FULL, false);
	struct as_profile *func = read_it(text, AS_DETAIL_FUNC, false);
	struct as_profile *line = read_it(text, AS_DETAIL_LINE, false);
	struct as_profile *file = read_it(text, AS_DETAIL_FILE, false);

	(void)as_format_callgrind.probe(&pk);
	as_profile_free(read_it(text, AS_DETAIL_FULL, true));
	must(!full == !func && !full == !line && !full == !file);
	if (full) {
		must_agree(full, line);
		must_agree(full, file);
		round_trip(full);
	}
	as_profile_free(full);
	as_profile_free(func);
	as_profile_free(line);
	as_profile_free(file);
	return 0;
}
