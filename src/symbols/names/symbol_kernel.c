/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include "symbols/names/symbol_kernel.h"

#include <fcntl.h>
#include <unistd.h>

#include "perf/perf_parse.h"

#define KERNEL "[kernel.kallsyms]"
#define KERNEL_HALF (UINT64_C(1) << 63)

enum { NOTES_MAX = 4096, NOTE_HEAD = 12, NOTE_BUILD_ID = 3 };

/* The build id in N bytes of ELF notes, in hex; empty: there is none. */
static struct as_slice symbol_kernel_note(
	const char *p, size_t n, char text[2 * AS_PERF_BUILD_ID_MAX + 1])
{
	uint32_t head[3];

	for (size_t at = 0; at + NOTE_HEAD <= n;) {
		size_t name, size;

		memcpy(head, p + at, sizeof(head));
		if (head[0] > NOTES_MAX || head[1] > NOTES_MAX)
			break;
		name = ((size_t)head[0] + 3) / 4 * 4;
		size = ((size_t)head[1] + 3) / 4 * 4;
		at += NOTE_HEAD;
		if (name + size > n - at)
			break;
		if (head[2] == NOTE_BUILD_ID && head[0] == 4 && memcmp(p + at, "GNU", 4) == 0 &&
			head[1] <= AS_PERF_BUILD_ID_MAX)
			return as_perf_hex_id((const uint8_t *)p + at + name, head[1], text);
		at += name + size;
	}
	return as_slice_of("");
}

static struct as_slice symbol_kernel_id(char text[2 * AS_PERF_BUILD_ID_MAX + 1])
{
	int fd = open("/sys/kernel/notes", O_RDONLY | O_CLOEXEC);
	char notes[NOTES_MAX];
	ssize_t n;

	if (fd < 0)
		return as_slice_of("");
	n = read(fd, notes, sizeof(notes));
	close(fd);
	return symbol_kernel_note(notes, n > 0 ? (size_t)n : 0, text);
}

/* The kernel that PROF names, by its build id and where it began; 0: it names none. */
static as_object symbol_kernel_recorded(const struct as_profile *prof, uint64_t *start)
{
	*start = 0;
	for (uint32_t i = 1; i < prof->object.n; i++) {
		const struct as_object_row *o = &prof->object.p[i];

		if (!as_slice_is(as_str_get(prof, o->path), KERNEL))
			continue;
		if (o->map)
			*start = prof->map.p[o->map - 1].start;
		return (as_object){i};
	}
	return (as_object){0};
}

struct as_slice as_kernel_why_not(
	const struct as_symtexts *t, as_object o, const struct as_name_list *list, uint64_t *shift)
{
	char text[2 * AS_PERF_BUILD_ID_MAX + 1];
	uint64_t recorded, here = list->kernel_start;
	as_object kernel = symbol_kernel_recorded(t->prof, &recorded);
	struct as_slice id = as_str_get(t->prof, t->prof->object.p[kernel.i].id);
	bool itself = o.i == kernel.i;

	*shift = 0;
	if (!o.i || (!id.len && itself && (!recorded || recorded == KERNEL_HALF)))
		return as_slice_of("");
	if (!id.len || !as_slice_eq(id, symbol_kernel_id(text)))
		return as_slice_of("not named: this machine runs another kernel than the one that "
				   "was recorded, or the profile does not tell; --binary KALLSYMS "
				   "names a list of the right one");
	if (!here || !recorded || recorded == KERNEL_HALF)
		return as_slice_of("not named: where the kernel was loaded then is not known");
	*shift = here - recorded;
	if (*shift && !itself)
		return as_slice_of("not named: the kernel was loaded elsewhere then, and modules "
				   "stood at other addresses");
	return as_slice_of("");
}
