/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "symbols/names/symbol_text.h"

#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/date.h"
#include "formats/format.h"
#include "io/file.h"
#include "symbols/names/symbol_kernel.h"
#include "symbols/symbol_kept.h"

enum { TEXT_MAX = 1 << 30, BLOCK = 1 << 16, VDSO_MAX = 1 << 20 };
enum { MAP_LATE = 5 }; /* seconds after a run in which its process may end */

/* The upper half of 64-bit addresses is the kernel's on every machine that Linux knows. */
#define KERNEL_HALF (UINT64_C(1) << 63)

void as_symtexts_init(struct as_symtexts *t, const struct as_profile *prof,
	const struct as_symbol_opts *opts, struct as_arena *arena)
{
	*t = (struct as_symtexts){.prof = prof, .opts = opts, .arena = arena};
}

void as_symtexts_release(struct as_symtexts *t)
{
	for (size_t i = 0; i < AS_ARRAY_LEN(t->list); i++)
		if (t->list[i] == &t->own[i])
			as_name_list_release(&t->own[i]);
}

bool as_symtexts_absolute(
	const struct as_profile *prof, as_object o, uint64_t addr, uint64_t *absolute)
{
	const struct as_map *found = NULL;

	*absolute = addr;
	if (prof->object.p[o.i].addr_kind != AS_ADDR_FILE_OFFSET)
		return true;
	for (uint32_t i = prof->object.p[o.i].map; i; i = prof->map.p[i - 1].next) {
		const struct as_map *m = &prof->map.p[i - 1];

		if (addr < m->offset || addr - m->offset >= m->limit - m->start)
			continue;
		if (found && found->start - found->offset != m->start - m->offset)
			return false; /* several: which one is not known */
		found = m;
	}
	if (found)
		*absolute = addr - found->offset + found->start;
	return found != NULL;
}

/* ---- text files ---- */

struct text {
	const struct as_alloc *al;
	AS_VEC(char) byte;
};

/* PATH's content; AS_E_IO if it cannot be read. */
static enum as_code read_text(struct text *text, const char *path)
{
	struct as_src *src;
	struct as_err err;
	ptrdiff_t n = 1;

	as_err_clear(&err);
	AS_TRY(as_file_open(text->al, path, NULL, &src, &err));
	while (n > 0 && text->byte.n < TEXT_MAX) {
		if (!as_vec_reserve(text->al, &text->byte, text->byte.n + BLOCK)) {
			as_file_close(src);
			return AS_E_NOMEM;
		}
		n = src->read(src, text->byte.p + text->byte.n, BLOCK);
		text->byte.n += n > 0 ? (size_t)n : 0;
	}
	as_file_close(src);
	return n < 0 ? AS_E_IO : AS_OK;
}

/* The process that all parts belong to; its code is known by its number alone. */
static bool one_process(const struct as_profile *prof, uint64_t *pid)
{
	bool found = false;

	for (size_t i = 0; i < prof->part.n; i++) {
		const struct as_part *p = &prof->part.p[i];

		if (!p->has_pid || (found && p->pid != *pid))
			return false;
		*pid = p->pid;
		found = true;
	}
	return found;
}

static bool is_perf_map(struct as_slice path)
{
	struct as_slice base = as_base_name(path);

	return as_slice_starts(base, "perf-") && as_slice_ends(base, ".map");
}

/* Anybody may put a file where maps are looked for. One of the user's own, or root's, cannot be
 * exchanged there by others. */
static bool is_trusted(const char *path)
{
	struct stat st;

	return lstat(path, &st) == 0 && S_ISREG(st.st_mode) &&
	       (st.st_uid == geteuid() || st.st_uid == 0);
}

/* The process wrote it, and not another one that had its number before or after: it was written
 * while the recording ran, as far as the profile says when that was. */
static bool is_of_run(const struct as_profile *prof, const char *path)
{
	int64_t started, last, second = 1000000000;
	struct stat st;

	if (!as_date_to_nanos(as_str_get(prof, prof->epoch), &started) || stat(path, &st) != 0)
		return true;
	last = (int64_t)st.st_mtim.tv_sec * second + st.st_mtim.tv_nsec;
	return last >= started - second &&
	       (!prof->duration || last <= started + prof->duration + MAP_LATE * second);
}

/* The user names the map himself. */
static bool is_given(const struct as_symtexts *t, struct as_slice path)
{
	if (t->opts->perf_map)
		return true;
	for (size_t i = 0; i < t->opts->n_object; i++)
		if (as_slice_is(path, t->opts->object[i]))
			return true;
	return false;
}

/* NULL: the user names none. */
static const char *given_kallsyms(const struct as_symtexts *t)
{
	for (size_t i = 0; i < t->opts->n_object; i++)
		if (as_slice_is(as_base_name(as_slice_of(t->opts->object[i])), "kallsyms"))
			return t->opts->object[i];
	return NULL;
}

static struct as_slice kallsyms_path(const struct as_symtexts *t)
{
	const char *given = given_kallsyms(t), *usual = t->opts->kallsyms;

	if (given)
		return as_slice_of(given);
	if (t->opts->passed_on)
		return as_slice_of("");
	return as_slice_of(usual ? usual : "/proc/kallsyms");
}

/* Where the list is to be found; an empty path: nobody can say. p == NULL: out of memory. */
static struct as_slice list_path(const struct as_symtexts *t, enum as_name_list_kind kind)
{
	const struct as_symbol_opts *opts = t->opts;
	const char *dir = opts->perf_map_dir ? opts->perf_map_dir : "/tmp";
	uint64_t pid;

	if (kind == AS_NAMES_KALLSYMS)
		return kallsyms_path(t);
	if (opts->perf_map)
		return as_slice_of(opts->perf_map);
	for (size_t i = 0; i < opts->n_object; i++)
		if (is_perf_map(as_slice_of(opts->object[i])))
			return as_slice_of(opts->object[i]);
	if (!one_process(t->prof, &pid))
		return as_slice_of("");
	return as_arena_printf(t->arena, "%s/perf-%" PRIu64 ".map", dir, pid);
}

static struct as_slice note_of(const struct as_symtexts *t, enum as_name_list_kind kind)
{
	if (kind == AS_NAMES_PERF_MAP)
		return as_slice_of("");
	if (t->list[kind]->hidden)
		return as_slice_of("the kernel's addresses are hidden: only root may see them");
	return as_slice_of(
		t->opts->kallsyms ? "" : "named as the kernel that runs on this machine now");
}

/* Why a map that nobody named is not used; "" where it is. */
static struct as_slice sym_text_why_not(const struct as_symtexts *t, const char *path)
{
	if (!is_trusted(path))
		return as_slice_of("not used: it is another user's; --binary says that it is "
				   "the right one");
	if (!is_of_run(t->prof, path))
		return as_slice_of("not used: it was not written while the recording ran; "
				   "--binary says that it is the right one");
	return as_slice_of("");
}

static enum as_code sym_text_read(struct as_symtexts *t, enum as_name_list_kind kind)
{
	struct as_kept_names *kept = kind == AS_NAMES_KALLSYMS ? t->opts->kept : NULL;
	struct text text = {.al = kept ? kept->al : t->prof->al};
	struct as_name_list *list = kept ? &kept->list : &t->own[kind];
	enum as_code rc = kept && kept->there ? AS_OK : read_text(&text, t->path[kind].p);
	size_t n_odd;

	if (rc == AS_OK && !(kept && kept->there)) {
		rc = as_name_list_read(
			list, text.al, kind, (struct as_slice){text.byte.p, text.byte.n}, &n_odd);
		if (kept)
			kept->there = true;
		else
			t->list[kind] = list; /* also on failure: it is released */
	}
	as_vec_free(text.al, &text.byte);
	if (rc == AS_OK) {
		t->list[kind] = list;
		t->there[kind] = true;
		t->note[kind] = note_of(t, kind);
	}
	return rc == AS_E_NOMEM ? rc : AS_OK;
}

static enum as_code sym_text_load(struct as_symtexts *t, enum as_name_list_kind kind)
{
	struct as_file_facts facts;

	t->tried[kind] = true;
	t->path[kind] = list_path(t, kind);
	t->note[kind] = as_slice_of("");
	AS_TRY(as_memory(t->path[kind].p));
	if (kind == AS_NAMES_KALLSYMS && !t->path[kind].len)
		t->note[kind] =
			as_slice_of("names of the kernel that runs here stay out of what is "
				    "passed on; --binary /proc/kallsyms lets them in");
	if (!t->path[kind].len || !as_file_facts(t->path[kind].p, &facts))
		return AS_OK;
	if (kind == AS_NAMES_PERF_MAP && !is_given(t, t->path[kind])) {
		t->note[kind] = sym_text_why_not(t, t->path[kind].p);
		if (t->note[kind].len)
			return AS_OK;
	}
	return sym_text_read(t, kind);
}

/* A list that the user names is the right one. */
static bool sym_text_fits(struct as_symtexts *t, as_object o, uint64_t *shift)
{
	*shift = 0;
	if (given_kallsyms(t) || t->opts->kallsyms)
		return true;
	if (!t->kernel_asked || t->kernel_of.i != o.i) {
		t->kernel_asked = true;
		t->kernel_of = o;
		t->kernel_why =
			as_kernel_why_not(t, o, t->list[AS_NAMES_KALLSYMS], &t->kernel_shift);
	}
	*shift = t->kernel_shift;
	if (t->kernel_why.len)
		t->note[AS_NAMES_KALLSYMS] = t->kernel_why;
	return !t->kernel_why.len;
}

enum as_code as_symtexts_find(struct as_symtexts *t, as_object o, uint64_t absolute,
	enum as_name_list_kind *kind, const struct as_name_entry **entry)
{
	uint64_t shift = 0;

	*kind = absolute & KERNEL_HALF ? AS_NAMES_KALLSYMS : AS_NAMES_PERF_MAP;
	*entry = NULL;
	if (!t->tried[*kind])
		AS_TRY(sym_text_load(t, *kind));
	if (!t->there[*kind] || t->list[*kind]->hidden)
		return AS_OK;
	if (*kind == AS_NAMES_PERF_MAP || sym_text_fits(t, o, &shift))
		*entry = as_name_list_find(t->list[*kind], absolute + shift);
	return AS_OK;
}

/* ---- the vdso ---- */

/* The bytes of an ELF image in memory, by where its section headers end, which come last. */
static size_t image_size(const unsigned char *image)
{
	uint64_t at;
	uint16_t size, n;

	memcpy(&at, image + 40, sizeof(at));
	memcpy(&size, image + 58, sizeof(size));
	memcpy(&n, image + 60, sizeof(n));
	if (memcmp(image, "\177ELF\2", 5) != 0 || at > VDSO_MAX)
		return 0;
	return (size_t)at + (size_t)size * n;
}

enum as_code as_vdso_open(
	const struct as_alloc *al, const struct as_elf_opts *opts, struct as_elf **out, int *fd)
{
	uint64_t at = getauxval(AT_SYSINFO_EHDR);
	const unsigned char *image = (const unsigned char *)(uintptr_t)at;
	size_t size = at ? image_size(image) : 0;
	enum as_code rc = AS_OK;
	char path[64];

	*out = NULL;
	*fd = size && size <= VDSO_MAX ? memfd_create("vdso", MFD_CLOEXEC) : -1;
	if (*fd < 0)
		return AS_OK;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", *fd);
	if (write(*fd, image, size) == (ssize_t)size)
		rc = as_elf_open(out, al, path, opts, NULL);
	return rc == AS_E_NOMEM ? rc : AS_OK;
}
