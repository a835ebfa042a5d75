/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The debug sections of a file, decompressed where they are compressed. libelf would do that too,
 * but keep the compressed bytes in memory beside the others, and libdw would do it to all
 * sections, of which those about variables, that are not asked for, are among the largest.
 */
#define _GNU_SOURCE
#include "symbols/elf/elf_parts.h"

#include <sys/mman.h>
#include <unistd.h>
#include <zlib.h>
#if AS_HAVE_DEFLATE
#include <libdeflate.h>
#endif
#if AS_HAVE_ZSTD
#include <zstd.h>
#endif

#ifndef ELFCOMPRESS_ZSTD
#define ELFCOMPRESS_ZSTD 2 /* later than the header */
#endif

enum {
	WINDOW = 1 << 22,   /* compressed bytes between two looks at memory */
	RATIO_MAX = 1032,   /* deflate cannot do more, and zstd does not with DWARF */
	OLD_HEADER = 4 + 8, /* "ZLIB", size */
};

bool as_elf_walk_next(struct as_elf_walk *walk)
{
	const char *name = NULL;
	size_t names;

	do
		walk->scn = elf_nextscn(walk->elf, walk->scn);
	while (walk->scn && !gelf_getshdr(walk->scn, &walk->shdr));
	if (walk->scn && elf_getshdrstrndx(walk->elf, &names) == 0)
		name = elf_strptr(walk->elf, names, walk->shdr.sh_name);
	walk->name = name ? name : "";
	return walk->scn;
}

/* ".debug_info", ".zdebug_info", with ".dwo" behind it or not. */
static bool section_is(const char *name, const char *what, bool dwo)
{
	size_t n = strlen(what);

	if (strncmp(name, ".debug_", 7) == 0)
		name += 7;
	else if (strncmp(name, ".zdebug_", 8) == 0)
		name += 8;
	else
		return false;
	if (strncmp(name, what, n) != 0)
		return false;
	return strcmp(name + n, dwo ? ".dwo" : "") == 0;
}

/* The index of a .dwp is the one that has no ".dwo" in its name. */
static unsigned section_number(const char *name, bool dwo)
{
	unsigned s = 0;

	while (s < AS_DW_N_SECTIONS &&
		!section_is(name, as_dw_section_name[s], dwo && s != AS_DW_CU_INDEX))
		s++;
	return s;
}

/* The pages of [P, END), which is part of a mapped file, need not stay in memory. */
static void elf_section_forget(const uint8_t *p, const uint8_t *end)
{
	uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
	uintptr_t from = ((uintptr_t)p + page - 1) & ~(page - 1), to = (uintptr_t)end & ~(page - 1);

	if (to > from)
		(void)madvise((void *)from, to - from, MADV_DONTNEED);
}

/* Inflate IN to OUT at twice the speed of zlib. False, and OUT may hold anything, if it is damaged
 * or there is no such library. */
static bool inflate_fast(struct as_dw_bytes in, uint8_t *out, size_t size)
{
#if AS_HAVE_DEFLATE
	struct libdeflate_decompressor *d = libdeflate_alloc_decompressor();
	bool ok = d &&
		  libdeflate_zlib_decompress(d, in.p, in.n, out, size, NULL) == LIBDEFLATE_SUCCESS;

	libdeflate_free_decompressor(d);
	if (ok)
		elf_section_forget(in.p, in.p + in.n);
	return ok;
#else
	(void)in;
	(void)out;
	(void)size;
	return false;
#endif
}

/* The same by zlib, which gives what there is of a damaged section: how many bytes that is. The
 * checksum behind them is not looked at. */
static size_t inflate_all(struct as_dw_bytes in, uint8_t *out, size_t size)
{
	z_stream z = {.next_in = (Bytef *)(uintptr_t)in.p};
	const uint8_t *end = in.p + in.n, *done = in.p;
	size_t made = 0;
	int rc = Z_OK;

	/* A zlib header is two bytes; what follows is bare deflate. */
	if (in.n < 2 || (in.p[0] & 15) != Z_DEFLATED || inflateInit2(&z, -15) != Z_OK)
		return 0;
	z.next_in += 2;
	while (rc == Z_OK && made < size && z.next_in < end) {
		size_t n_in = (size_t)(end - z.next_in), n_out = size - made;

		z.avail_in = n_in < WINDOW ? (uInt)n_in : WINDOW;
		z.avail_out = n_out < (1u << 30) ? (uInt)n_out : 1u << 30;
		z.next_out = out + made;
		rc = inflate(&z, Z_NO_FLUSH);
		made = (size_t)(z.next_out - out);
		elf_section_forget(done, z.next_in);
		done = z.next_in;
	}
	inflateEnd(&z);
	return made;
}

static size_t elf_section_unpack(uint32_t how, struct as_dw_bytes in, uint8_t *out, size_t size)
{
#if AS_HAVE_ZSTD
	if (how == ELFCOMPRESS_ZSTD) {
		size_t made = ZSTD_decompress(out, size, in.p, in.n);

		elf_section_forget(in.p, in.p + in.n);
		return ZSTD_isError(made) ? 0 : made;
	}
#endif
	if (how != ELFCOMPRESS_ZLIB)
		return 0;
	return inflate_fast(in, out, size) ? size : inflate_all(in, out, size);
}

/* Section S out of IN, where it takes SIZE bytes and is compressed as HOW says. */
static bool unpack_section(
	uint32_t how, struct as_dw_bytes in, uint64_t size, struct as_dw_file *out, unsigned s)
{
	uint8_t *p;

	if (size == 0 || size / RATIO_MAX > in.n || size > SIZE_MAX / 2)
		return true; /* the section is empty, or its size is a lie */
	p = out->al->resize(out->al->ctx, NULL, 0, (size_t)size);
	if (!p)
		return false;
	out->owned[s] = (size_t)size;
	out->sec[s].p = p;
	out->sec[s].n = elf_section_unpack(how, in, p, (size_t)size);
	out->damaged |= out->sec[s].n != size;
	return true;
}

static bool elf_section_knows(uint32_t how)
{
	return how == ELFCOMPRESS_ZLIB || (AS_HAVE_ZSTD && how == ELFCOMPRESS_ZSTD);
}

/* Where IT is as section number S. False if out of memory. */
static bool section_load(const struct as_elf_walk *it, struct as_dw_file *out, unsigned s)
{
	Elf_Data *data = elf_rawdata(it->scn, NULL);
	struct as_dw_bytes in;
	GElf_Chdr chdr;

	if (!data || !data->d_buf || !data->d_size)
		return true;
	in = (struct as_dw_bytes){data->d_buf, data->d_size};
	if (it->shdr.sh_flags & SHF_COMPRESSED) {
		size_t header = gelf_getclass(it->elf) == ELFCLASS32 ? sizeof(Elf32_Chdr)
								     : sizeof(Elf64_Chdr);

		if (!gelf_getchdr(it->scn, &chdr) || !elf_section_knows(chdr.ch_type) ||
			in.n < header) {
			out->damaged = true; /* or compressed in a way of the future */
			return true;
		}
		in.p += header;
		in.n -= header;
		return unpack_section(chdr.ch_type, in, chdr.ch_size, out, s);
	}
	if (in.n > OLD_HEADER && memcmp(in.p, "ZLIB", 4) == 0) {
		struct as_dw_cur cur = {.p = in.p + 4, .end = in.p + OLD_HEADER, .big = true};
		uint64_t size = as_dw_uint(&cur, 8);

		in.p += OLD_HEADER;
		in.n -= OLD_HEADER;
		return unpack_section(ELFCOMPRESS_ZLIB, in, size, out, s);
	}
	out->sec[s] = in;
	return true;
}

enum as_code as_elf_sections(Elf *elf, bool dwo, struct as_dw_file *out)
{
	struct as_elf_walk it = {.elf = elf};
	GElf_Ehdr ehdr;

	for (unsigned s = 0; s < AS_DW_N_SECTIONS; s++)
		out->sec[s] = (struct as_dw_bytes){(const uint8_t *)"", 0};
	if (!gelf_getehdr(elf, &ehdr))
		return AS_OK;
	out->big = ehdr.e_ident[EI_DATA] == ELFDATA2MSB;
	while (as_elf_walk_next(&it)) {
		unsigned s = section_number(it.name, dwo);

		if (s == AS_DW_N_SECTIONS || it.shdr.sh_type == SHT_NOBITS || out->sec[s].n ||
			out->owned[s])
			continue;
		AS_TRY(as_memory(section_load(&it, out, s)));
	}
	return AS_OK;
}

bool as_elf_has_debug(Elf *elf)
{
	struct as_elf_walk it = {.elf = elf};

	while (as_elf_walk_next(&it))
		if (it.shdr.sh_type != SHT_NOBITS &&
			section_is(it.name, as_dw_section_name[AS_DW_INFO], false))
			return true;
	return false;
}
