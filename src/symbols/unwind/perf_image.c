/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "symbols/unwind/perf_image.h"

#include <elfutils/libdwelf.h>
#include <gelf.h>
#include <sys/auxv.h>
#include <unistd.h>

enum {
	BLOCK = 1 << 16,
	BLOCKS_MAX = 128, /* 8 MiB */
	IMAGES_MAX = 8192,
	ARENA_MAX = 8 << 20, /* bytes: of paths, ids, segments and entries in their order */
	LOAD_MAX = 64,
	DEBUG_MAX = 8 << 20, /* bytes of .debug_frame */
};

#define DEBUG_OFFSET (UINT64_C(1) << 45) /* where .debug_frame is, no file has bytes */

/* ---- build ids ---- */

static struct as_slice perf_image_id(Elf *elf, char text[AS_BUILD_ID_TEXT])
{
	static const char digit[] = "0123456789abcdef";
	struct as_slice id = {text, 0};
	const uint8_t *p = NULL;
	const void *bytes;
	ssize_t n = 0;

	if (elf && (n = dwelf_elf_gnu_build_id(elf, &bytes)) > 0)
		p = bytes;
	for (; p && id.len < 2 * (size_t)n && id.len + 2 < AS_BUILD_ID_TEXT; p++) {
		text[id.len++] = digit[*p >> 4];
		text[id.len++] = digit[*p & 15];
	}
	return id;
}

/* Of a file that may be cut at any time: so it is read, not mapped. */
static struct as_slice build_id_of(int fd, char text[AS_BUILD_ID_TEXT])
{
	struct as_slice id;
	Elf *elf;

	elf_version(EV_CURRENT);
	elf = elf_begin(fd, ELF_C_READ, NULL);
	id = perf_image_id(elf, text);
	elf_end(elf);
	return id;
}

struct as_slice as_object_build_id(
	uint32_t pid, const struct as_perf_range *range, char text[AS_BUILD_ID_TEXT])
{
	struct as_slice id = {text, 0};
	int fd = as_object_open(pid, range);

	if (fd < 0)
		return id;
	id = build_id_of(fd, text);
	close(fd);
	return id;
}

struct as_slice as_vdso_build_id(char text[AS_BUILD_ID_TEXT])
{
	char *base = (char *)getauxval(AT_SYSINFO_EHDR); /* it lies in whole pages */
	struct as_slice id;
	Elf *elf;

	elf_version(EV_CURRENT);
	elf = base ? elf_memory(base, (size_t)sysconf(_SC_PAGESIZE)) : NULL;
	id = perf_image_id(elf, text);
	elf_end(elf);
	return id;
}

/* ---- what is kept ---- */

void as_images_init(struct as_images *im, const struct as_alloc *al)
{
	memset(im, 0, sizeof(*im));
	im->al = al;
	as_arena_init(&im->arena, al);
	as_index_init(&im->index, al);
	as_index_init(&im->blocks, al);
	elf_version(EV_CURRENT);
}

static void perf_image_drop_blocks(struct as_images *im)
{
	for (size_t i = 0; i < im->block.n; i++)
		as_alloc_free(im->al, im->block.p[i].p, im->block.p[i].n);
	im->block.n = 0;
	im->last.p = NULL;
	as_index_release(&im->blocks);
	as_index_init(&im->blocks, im->al);
}

void as_images_release(struct as_images *im)
{
	perf_image_drop_blocks(im);
	as_vec_free(im->al, &im->block);
	as_vec_free(im->al, &im->image);
	as_index_release(&im->index);
	as_index_release(&im->blocks);
	as_arena_release(&im->arena);
}

static void perf_image_begin_anew(struct as_images *im)
{
	uint64_t generation = im->generation + 1;
	const struct as_alloc *al = im->al;

	as_images_release(im);
	as_images_init(im, al);
	im->generation = generation;
}

/* ---- an object ---- */

/* Two files, or the same one at two times. */
static bool is_same_file(const struct stat *a, const struct stat *b)
{
	return a->st_dev == b->st_dev && a->st_ino == b->st_ino && a->st_size == b->st_size &&
	       a->st_mtim.tv_sec == b->st_mtim.tv_sec && a->st_mtim.tv_nsec == b->st_mtim.tv_nsec;
}

static bool perf_image_is_debug(const char *name)
{
	return strcmp(name, ".debug_frame") == 0;
}

/* How large .debug_frame is, which may be compressed. False: it can't be had. */
static bool perf_image_debug(Elf_Scn *scn, const GElf_Shdr *sh, size_t *size)
{
	GElf_Chdr ch;

	*size = (size_t)sh->sh_size;
	if (sh->sh_type == SHT_NOBITS || sh->sh_size > DEBUG_MAX)
		return false;
	if (sh->sh_flags & SHF_COMPRESSED) {
		if (!gelf_getchdr(scn, &ch))
			return false;
		*size = (size_t)ch.ch_size;
	}
	return *size && *size <= DEBUG_MAX;
}

static bool perf_image_loads(struct as_images *im, Elf *elf, struct as_image *image)
{
	struct as_image_load *load;
	size_t n = 0;
	GElf_Phdr ph;

	if (elf_getphdrnum(elf, &n) || n > LOAD_MAX)
		n = 0;
	if (!as_arena_array(&im->arena, &load, n))
		return false;
	for (size_t i = 0; i < n; i++) {
		if (!gelf_getphdr(elf, (int)i, &ph))
			continue;
		if (ph.p_type == PT_GNU_EH_FRAME)
			image->hdr = ph.p_vaddr;
		else if (ph.p_type == PT_LOAD)
			load[image->n_load++] = (struct as_image_load){
				ph.p_vaddr, ph.p_offset, ph.p_filesz, ph.p_flags & PF_X};
	}
	image->load = load;
	return true;
}

/* The tables, if .eh_frame_hdr does not tell of them. */
static void perf_image_sections(Elf *elf, struct as_image *image)
{
	Elf_Scn *scn = NULL;
	size_t names, size;
	const char *name;
	GElf_Shdr sh;

	if (elf_getshdrstrndx(elf, &names))
		return;
	while ((scn = elf_nextscn(elf, scn)))
		if (gelf_getshdr(scn, &sh) && (name = elf_strptr(elf, names, sh.sh_name))) {
			if (strcmp(name, ".eh_frame") == 0 && sh.sh_type != SHT_NOBITS)
				image->eh = (struct as_image_part){sh.sh_addr, sh.sh_size};
			else if (perf_image_is_debug(name) && perf_image_debug(scn, &sh, &size))
				image->debug.size = size;
		}
}

/* Nothing but x86-64's is known here. False: it is no such object, or there is no memory. */
static bool perf_image_read(struct as_images *im, Elf *elf, struct as_image *image)
{
	GElf_Ehdr eh;

	if (!elf || !gelf_getehdr(elf, &eh) || eh.e_machine != EM_X86_64 ||
		gelf_getclass(elf) != ELFCLASS64)
		return false;
	image->entry = eh.e_entry;
	if (!image->vdso)
		perf_image_sections(elf, image);
	return perf_image_loads(im, elf, image);
}

static uint32_t perf_image_add(struct as_images *im, struct as_image *image,
	const struct as_perf_range *range, uint64_t hash)
{
	uint32_t row = (uint32_t)im->image.n;

	image->path = as_arena_dup(&im->arena, range->path);
	image->id = as_arena_dup(&im->arena, image->id);
	if (!image->path.p || !image->id.p || !as_vec_push(im->al, &im->image, *image) ||
		!as_index_add(&im->index, hash, row))
		return AS_NO_OBJECT;
	return row;
}

static bool perf_image_known(const struct as_images *im, struct as_slice id,
	const struct stat *file, uint64_t hash, uint32_t *row)
{
	uint64_t at = AS_INDEX_START;

	while (as_index_find(&im->index, hash, &at, row)) {
		const struct as_image *image = &im->image.p[*row];

		if (as_slice_eq(image->id, id) && (id.len || is_same_file(&image->file, file)))
			return true;
	}
	return false;
}

static uint32_t perf_image_of_file(struct as_images *im, int fd, const struct as_perf_range *range,
	struct as_slice id, uint64_t hash)
{
	struct as_image image = {.id = id};
	uint32_t row = AS_NO_OBJECT;
	char text[AS_BUILD_ID_TEXT];
	struct as_slice its;
	Elf *elf;

	if (fstat(fd, &image.file))
		return AS_NO_OBJECT;
	if (!id.len)
		hash = as_hash_mix(as_hash_mix(image.file.st_ino, image.file.st_dev),
			(uint64_t)image.file.st_mtim.tv_nsec);
	if (!id.len && perf_image_known(im, id, &image.file, hash, &row))
		return row;
	elf = elf_begin(fd, ELF_C_READ, NULL);
	its = id.len ? perf_image_id(elf, text) : id;
	if ((!its.len || as_slice_eq(its, id)) && perf_image_read(im, elf, &image))
		row = perf_image_add(im, &image, range, hash);
	elf_end(elf);
	return row;
}

/* The kernel's own, which is the same in all processes. */
static uint32_t perf_image_of_vdso(
	struct as_images *im, const struct as_perf_range *range, uint64_t hash)
{
	const uint8_t *base = (const uint8_t *)getauxval(AT_SYSINFO_EHDR);
	struct as_image image = {.id = range->path, .vdso = true};
	uint32_t row = AS_NO_OBJECT;
	uint64_t size = range->limit - range->start;
	Elf *elf;

	if (!base || size > BLOCK)
		return AS_NO_OBJECT;
	image.file.st_size = (off_t)size;
	elf = elf_memory((char *)(uintptr_t)base, (size_t)size);
	if (perf_image_read(im, elf, &image))
		row = perf_image_add(im, &image, range, hash);
	elf_end(elf);
	return row;
}

uint32_t as_images_find(
	struct as_images *im, uint32_t pid, const struct as_perf_range *range, struct as_slice id)
{
	bool vdso = as_slice_is(range->path, "[vdso]");
	uint64_t hash;
	uint32_t row;
	int fd;

	if (vdso)
		id = range->path;
	hash = as_hash_bytes(id.p, id.len);
	if (id.len && perf_image_known(im, id, NULL, hash, &row))
		return row;
	if (im->image.n >= IMAGES_MAX || im->arena.allocated > ARENA_MAX)
		perf_image_begin_anew(im);
	if (vdso)
		return perf_image_of_vdso(im, range, hash);
	fd = as_object_open(pid, range);
	if (fd < 0)
		return AS_NO_OBJECT;
	row = perf_image_of_file(im, fd, range, id, hash);
	close(fd);
	return row;
}

bool as_images_bias(const struct as_image *image, const struct as_perf_range *range, uint64_t *bias)
{
	uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);

	for (size_t i = 0; i < image->n_load; i++) {
		const struct as_image_load *l = &image->load[i];

		if (!l->exec || range->offset + (range->limit - range->start) <= l->offset ||
			range->offset >= l->offset + l->size + page)
			continue;
		*bias = range->start - range->offset - (l->addr - l->offset);
		return true;
	}
	return false;
}

/* ---- pieces of files ---- */

/* The file that the object was read from, or one of the same build. */
static int perf_image_open(const struct as_image *image, const struct as_unwind_asker *asker)
{
	struct as_perf_range range = {.start = asker->start,
		.limit = asker->limit,
		.path = image->path,
		.dev = image->file.st_dev,
		.ino = image->file.st_ino};
	char text[AS_BUILD_ID_TEXT];
	int fd = as_object_open(asker->pid, &range);
	struct stat st;

	if (fd >= 0 && !fstat(fd, &st) &&
		(is_same_file(&st, &image->file) ||
			(image->id.len && as_slice_eq(build_id_of(fd, text), image->id))))
		return fd;
	if (fd >= 0)
		close(fd);
	return -1;
}

/* The bytes of .debug_frame from OFFSET on. What is compressed is unpacked as a whole each time. */
static bool perf_image_read_debug(int fd, uint64_t offset, uint8_t *p, uint32_t n)
{
	Elf *elf = elf_begin(fd, ELF_C_READ, NULL);
	Elf_Data *data = NULL;
	Elf_Scn *scn = NULL;
	const char *name;
	GElf_Shdr sh;
	size_t names, size;
	bool ok;

	if (elf && !elf_getshdrstrndx(elf, &names))
		while (!data && (scn = elf_nextscn(elf, scn)))
			if (gelf_getshdr(scn, &sh) && (name = elf_strptr(elf, names, sh.sh_name)) &&
				perf_image_is_debug(name) && perf_image_debug(scn, &sh, &size) &&
				(!(sh.sh_flags & SHF_COMPRESSED) || elf_compress(scn, 0, 0) >= 0))
				data = elf_getdata(scn, NULL);
	ok = data && data->d_buf && offset <= data->d_size && n <= data->d_size - offset;
	if (ok)
		memcpy(p, (const uint8_t *)data->d_buf + offset, n);
	elf_end(elf);
	return ok;
}

static bool perf_image_read_block(const struct as_image *image, const struct as_unwind_asker *asker,
	uint64_t offset, uint8_t *p, uint32_t n)
{
	const uint8_t *base = (const uint8_t *)getauxval(AT_SYSINFO_EHDR);
	bool ok;
	int fd;

	if (image->vdso) {
		memcpy(p, base + offset, n);
		return true;
	}
	fd = perf_image_open(image, asker);
	if (fd < 0)
		return false;
	ok = offset >= DEBUG_OFFSET ? perf_image_read_debug(fd, offset - DEBUG_OFFSET, p, n)
				    : pread(fd, p, n, (off_t)offset) == (ssize_t)n;
	close(fd);
	return ok;
}

static bool perf_image_new_block(
	struct as_images *im, const struct as_unwind_asker *asker, uint32_t index, uint64_t hash)
{
	const struct as_image *image = &im->image.p[asker->object];
	uint64_t size = (uint64_t)image->file.st_size, offset = (uint64_t)index * BLOCK;
	struct as_image_block b = {.object = asker->object, .index = index};

	if (offset >= DEBUG_OFFSET)
		size = DEBUG_OFFSET + image->debug.size;
	if (offset >= size)
		return false;
	b.n = size - offset < BLOCK ? (uint32_t)(size - offset) : BLOCK;
	if (im->block.n >= BLOCKS_MAX)
		perf_image_drop_blocks(im);
	b.p = as_alloc_new(im->al, b.n);
	if (!b.p)
		im->failed = true;
	if (!b.p)
		return false;
	if (!perf_image_read_block(image, asker, offset, b.p, b.n) ||
		!as_vec_push(im->al, &im->block, b)) {
		im->failed = true;
		as_alloc_free(im->al, b.p, b.n);
		return false;
	}
	im->last = b;
	return as_index_add(&im->blocks, hash, (uint32_t)im->block.n - 1);
}

/* Makes it im->last. */
static bool perf_image_need_block(
	struct as_images *im, const struct as_unwind_asker *asker, uint32_t index)
{
	uint64_t hash, at = AS_INDEX_START;
	uint32_t i;

	if (im->last.p && im->last.object == asker->object && im->last.index == index)
		return true;
	hash = as_hash_mix(asker->object, index);
	while (as_index_find(&im->blocks, hash, &at, &i))
		if (im->block.p[i].object == asker->object && im->block.p[i].index == index) {
			im->last = im->block.p[i];
			return true;
		}
	return perf_image_new_block(im, asker, index, hash);
}

static bool perf_image_offset(
	const struct as_image *image, uint64_t addr, size_t n, uint64_t *offset)
{
	if (addr >= AS_IMAGE_DEBUG) {
		*offset = addr - AS_IMAGE_DEBUG + DEBUG_OFFSET;
		return addr - AS_IMAGE_DEBUG <= image->debug.size &&
		       n <= image->debug.size - (addr - AS_IMAGE_DEBUG);
	}
	for (size_t i = 0; i < image->n_load; i++) {
		const struct as_image_load *l = &image->load[i];

		if (addr < l->addr || addr - l->addr > l->size || n > l->size - (addr - l->addr))
			continue;
		*offset = l->offset + (addr - l->addr);
		return *offset >= l->offset && *offset < DEBUG_OFFSET - n;
	}
	return false;
}

bool as_images_fetch(
	struct as_images *im, const struct as_unwind_asker *asker, uint64_t addr, void *p, size_t n)
{
	uint64_t offset;
	uint8_t *to = p;

	as_assert(asker->object < im->image.n);
	if (!perf_image_offset(&im->image.p[asker->object], addr, n, &offset))
		return false;
	while (n) {
		uint64_t index = offset / BLOCK, from = offset % BLOCK;
		size_t part = n < BLOCK - from ? n : (size_t)(BLOCK - from);

		if (index >= UINT32_MAX || !perf_image_need_block(im, asker, (uint32_t)index) ||
			from + part > im->last.n)
			return false;
		memcpy(to, im->last.p + from, part);
		to += part;
		offset += part;
		n -= part;
	}
	return true;
}
