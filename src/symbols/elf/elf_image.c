/* SPDX-License-Identifier: Apache-2.0 */
/* The build id of any file, without more of it than that takes. */
#include <gelf.h>

#include "symbols/elf/elf_image.h"

/* The id in the notes of DATA. */
static bool image_take_id(Elf_Data *data, char *id)
{
	static const char digit[] = "0123456789abcdef";
	size_t at = 0, name, desc;
	GElf_Nhdr note;

	while (data && (at = gelf_getnote(data, at, &note, &name, &desc)) > 0) {
		const unsigned char *bytes = (const unsigned char *)data->d_buf + desc;

		if (note.n_type != NT_GNU_BUILD_ID || note.n_namesz != 4 ||
			memcmp((const char *)data->d_buf + name, "GNU", 4) != 0 || !note.n_descsz ||
			note.n_descsz > AS_ELF_ID_MAX / 2)
			continue;
		for (size_t i = 0; i < note.n_descsz; i++) {
			id[2 * i] = digit[bytes[i] >> 4];
			id[2 * i + 1] = digit[bytes[i] & 15];
		}
		id[2 * note.n_descsz] = 0;
		return true;
	}
	return false;
}

/* Of whatever was linked; of kernel modules and objects by their sections. */
static bool image_find_id(Elf *elf, char *id)
{
	size_t n = 0;
	Elf_Scn *scn = NULL;
	GElf_Phdr ph;
	GElf_Shdr sh;

	if (elf_getphdrnum(elf, &n) != 0)
		n = 0;
	for (size_t i = 0; i < n; i++)
		if (gelf_getphdr(elf, (int)i, &ph) && ph.p_type == PT_NOTE &&
			image_take_id(
				elf_getdata_rawchunk(elf, (int64_t)ph.p_offset, (size_t)ph.p_filesz,
					ph.p_align == 8 ? ELF_T_NHDR8 : ELF_T_NHDR),
				id))
			return true;
	while ((scn = elf_nextscn(elf, scn)) != NULL)
		if (gelf_getshdr(scn, &sh) && sh.sh_type == SHT_NOTE &&
			image_take_id(elf_getdata(scn, NULL), id))
			return true;
	return false;
}

/* A file that holds another one's debug information has its sections of code, without the code. */
static bool image_has_code(Elf *elf)
{
	Elf_Scn *scn = NULL;
	GElf_Shdr sh;
	bool any = false;

	while ((scn = elf_nextscn(elf, scn)) != NULL) {
		if (!gelf_getshdr(scn, &sh) || !(sh.sh_flags & SHF_EXECINSTR))
			continue;
		if (sh.sh_type != SHT_NOBITS)
			return true;
		any = true;
	}
	return !any;
}

enum as_elf_image as_elf_image_id(int fd, char *id)
{
	enum as_elf_image kind = AS_ELF_IMAGE_NONE;
	GElf_Ehdr head;
	Elf *elf;

	(void)elf_version(EV_CURRENT);
	elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
	if (elf && elf_kind(elf) == ELF_K_ELF && gelf_getehdr(elf, &head) &&
		head.e_type != ET_CORE && image_has_code(elf))
		kind = image_find_id(elf, id) ? AS_ELF_IMAGE : AS_ELF_IMAGE_NO_ID;
	if (elf)
		elf_end(elf);
	return kind;
}
