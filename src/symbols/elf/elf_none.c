/* SPDX-License-Identifier: Apache-2.0 */
/* The program without elfutils: every object is one that cannot be read. */
#include "symbols/elf/elf_file.h"
#include "symbols/elf/elf_image.h"

#pragma GCC diagnostic ignored "-Wunused-parameter" /* nothing is looked at */

enum as_code as_elf_open(struct as_elf **out, const struct as_alloc *al, const char *path,
	const struct as_elf_opts *opts, struct as_err *err)
{
	*out = NULL;
	return as_err_set(err, AS_E_UNSUPPORTED,
		"this assay was built without elfutils and reads no ELF objects");
}
void as_elf_close(struct as_elf *elf)
{
}
const struct as_elf_facts *as_elf_facts(const struct as_elf *elf)
{
	return NULL;
}
struct as_slice as_elf_debug_path(struct as_elf *elf)
{
	return (struct as_slice){"", 0};
}
bool as_elf_vaddr(const struct as_elf *elf, uint64_t offset, uint64_t *vaddr)
{
	*vaddr = offset;
	return false;
}
bool as_elf_segment_nth(const struct as_elf *elf, size_t n, struct as_elf_segment *out)
{
	return false;
}
enum as_code as_elf_sources(struct as_elf *elf, struct as_elf_source *source, size_t n)
{
	return AS_OK;
}
enum as_code as_elf_lookup(struct as_elf *elf, const uint64_t *vaddr, size_t n, bool inlines,
	struct as_symset *set, struct as_err *err)
{
	return as_err_set(err, AS_E_UNSUPPORTED,
		"this assay was built without elfutils and reads no ELF objects");
}
bool as_elf_symbol_at(struct as_elf *elf, uint64_t vaddr, struct as_elf_symbol *out)
{
	return false;
}
bool as_elf_function_at(struct as_elf *elf, uint64_t vaddr, struct as_elf_symbol *out)
{
	return as_elf_symbol_at(elf, vaddr, out);
}
bool as_elf_symbol_nth(struct as_elf *elf, size_t n, struct as_elf_symbol *out)
{
	return false;
}
const uint8_t *as_elf_code(struct as_elf *elf, uint64_t vaddr, size_t size)
{
	return NULL;
}
const char *as_elf_version(void)
{
	return "";
}
enum as_elf_image as_elf_image_id(int fd, char *id)
{
	return AS_ELF_IMAGE_NO_ID;
}
