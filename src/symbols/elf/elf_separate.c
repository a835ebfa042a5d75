/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The separate file of an object's debug information, in the places that gdb looks in: by build id
 * below .build-id/ of each directory, then under the name that .gnu_debuglink gives, beside the
 * object, in .debug/ there, and below each directory at the object's own path.
 *
 * libdwfl knows these places too, but goes on to the servers of debuginfod: it loads forty
 * libraries to learn that there are none, which takes longer than all the rest of a small answer.
 * So it is asked last, and only by who wants that.
 */
#define _GNU_SOURCE
#include "symbols/elf/elf_parts.h"

#include <elfutils/libdwelf.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "io/plain.h"

#define CRC_MAX ((uint64_t)8 << 30) /* bytes of a debug file that are read for its CRC */

struct wanted {
	struct as_elf *elf;
	const uint8_t *id; /* build id of the object; n_id == 0: none, then CRC decides */
	size_t n_id;
	const char *link; /* name of the file; NULL = not known */
	GElf_Word crc;
	char why[PATH_MAX + AS_ELF_WHY]; /* a file that is there is not used; "": there is none */
};

/* A file that should have been it. The first one is told if no other is better. */
static void cannot_use(struct wanted *w, struct as_slice path, const char *why)
{
	if (!w->why[0])
		snprintf(w->why, sizeof(w->why), "'%.*s' is not used as its debug file: %s",
			AS_SLICE_FMT(path), why);
}

/* The name of a debug file may be that of the object. */
static bool is_the_object(const struct wanted *w, int fd)
{
	struct stat it, object;

	return fstat(fd, &it) == 0 && stat(w->elf->path.p, &object) == 0 &&
	       it.st_dev == object.st_dev && it.st_ino == object.st_ino;
}

/* Look at its first bytes before all of it is read for its CRC. */
static bool may_be_elf(int fd, uint64_t size, char *why)
{
	char magic[SELFMAG];

	if (!as_plain_read(fd, magic, SELFMAG, 0) || memcmp(magic, ELFMAG, SELFMAG) != 0)
		snprintf(why, AS_ELF_WHY, "it is no ELF file");
	else if (size > CRC_MAX)
		snprintf(why, AS_ELF_WHY, "it has %" PRIu64 " GB", size >> 30);
	return !why[0];
}

static bool same_crc(int fd, uint64_t size, GElf_Word want, char *why)
{
	unsigned char buf[65536];
	uLong crc = crc32(0, NULL, 0);

	if (!may_be_elf(fd, size, why))
		return false;
	for (uint64_t at = 0; at < size;) {
		size_t n = size - at < sizeof(buf) ? (size_t)(size - at) : sizeof(buf);

		if (!as_plain_read(fd, buf, n, at)) {
			snprintf(why, AS_ELF_WHY, "it cannot be read: %s",
				errno ? strerror(errno) : "it became shorter");
			return false;
		}
		crc = crc32(crc, buf, (uInt)n);
		at += n;
	}
	snprintf(why, AS_ELF_WHY, "its CRC is %08lx, expected %08" PRIx32, crc, want);
	return crc == want;
}

static bool elf_separate_try_path(void *ctx, struct as_slice path)
{
	struct wanted *w = ctx;
	char why[AS_ELF_WHY] = "";
	struct stat st;
	int fd;

	if (!path.p)
		return false;
	fd = as_plain_open(path.p, &st);
	if (fd < 0 && errno == EINVAL) {
		cannot_use(w, path, "it is no regular file");
	} else if (fd < 0 && errno != ENOENT && errno != ENOTDIR) {
		snprintf(why, sizeof(why), "it cannot be opened: %s", strerror(errno));
		cannot_use(w, path, why);
	}
	if (fd < 0)
		return false;
	if (is_the_object(w, fd) ||
		(!w->n_id && !same_crc(fd, (uint64_t)st.st_size, w->crc, why))) {
		close(fd);
		if (why[0])
			cannot_use(w, path, why);
		return false;
	}
	if (!as_elf_other_take(&w->elf->debug, fd, w->id, w->n_id, why)) {
		cannot_use(w, path, why);
		return false;
	}
	w->elf->debug_path = path;
	return true;
}

/* The object is in HERE, which has no slash at its end. */
static bool by_link(struct wanted *w, struct as_slice here)
{
	struct as_slice dirs = as_slice_of(w->elf->debuginfo_path), dir;
	struct as_arena *arena = &w->elf->arena;

	while (as_slice_cut(&dirs, ':', &dir)) {
		struct as_slice first = dir, second = here;

		if (!dir.len || dir.p[0] != '/') {
			first = here;
			second = dir;
		}
		if (elf_separate_try_path(
			    w, as_arena_printf(arena, "%.*s%s%.*s/%s", AS_SLICE_FMT(first),
				       second.len && second.p[0] != '/' ? "/" : "",
				       AS_SLICE_FMT(second), w->link)))
			return true;
	}
	return false;
}

/* The directory of the object; it may be known under another name, too. */
static bool by_link_from(struct wanted *w, const char *path)
{
	struct as_slice here = as_elf_dir_of(as_slice_of(path));

	if (!here.len)
		return by_link(w, as_slice_of("."));
	here.len--;
	return by_link(w, here);
}

static bool by_debuginfod(struct wanted *w)
{
	struct as_elf *elf = w->elf;
	char *found = NULL;
	int fd = dwfl_standard_find_debuginfo(
		elf->mod, NULL, elf->path.p, 0, elf->path.p, w->link, w->crc, &found);
	bool ok = as_elf_other_take(&elf->debug, fd, w->id, w->n_id, NULL);

	if (ok)
		elf->debug_path =
			as_arena_dup(&elf->arena, as_slice_of(found ? found : elf->path.p));
	free(found);
	return ok;
}

bool as_elf_find_separate(struct as_elf *elf)
{
	struct wanted w = {.elf = elf};
	const void *id = NULL;
	ssize_t n = dwelf_elf_gnu_build_id(elf->main, &id);
	char real[PATH_MAX];
	bool found;

	w.id = id;
	w.n_id = n > 0 ? (size_t)n : 0;
	w.link = dwelf_elf_gnu_debuglink(elf->main, &w.crc);
	found = as_elf_by_id(elf, w.id, w.n_id, elf_separate_try_path, &w);
	if (!found && w.link && !strchr(w.link, '/'))
		found = by_link_from(&w, elf->path.p) ||
			(realpath(elf->path.p, real) && by_link_from(&w, real));
	if (!found && elf->opts.debuginfod)
		found = by_debuginfod(&w);
	if (!found && w.why[0])
		as_elf_warn(elf, "%s", w.why);
	return found;
}
