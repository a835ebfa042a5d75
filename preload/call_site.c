/* SPDX-License-Identifier: Apache-2.0 */
#include "preload/call_site.h"

#include <string.h>

enum { CALL_MAX = 7, LOOK = 8, BEFORE = 4 };

/* N bytes of code at ADDR; false: they are not there, or can't be read safely. */
static bool call_site_read_code(
	struct as_objects *os, const struct as_memory *mem, uint64_t addr, uint8_t *code, size_t n)
{
	struct as_object o;

	if (as_objects_find(os, addr, &o) && o.stays && o.end - addr >= n)
		return as_memory_fetch_direct(NULL, addr, code, n);
	return mem->syscalls && as_memory_copy(addr, code, n);
}

/* Length of "call r/m64" (FF /2) without prefixes, by the byte behind FF; 0: it is none. */
static size_t indirect_length(uint8_t modrm)
{
	unsigned mod = modrm >> 6, rm = modrm & 7;
	size_t n = 2;

	if ((modrm >> 3 & 7) != 2)
		return 0;
	if (mod == 3)
		return n;
	n += rm == 4; /* SIB */
	if (mod == 1)
		n += 1;
	else if (mod == 2 || rm == 5)
		n += 4;
	return n;
}

bool as_call_before(struct as_objects *os, const struct as_memory *mem, uint64_t ra)
{
	uint8_t code[LOOK];

	if (ra < 4096 || !call_site_read_code(os, mem, ra - LOOK, code, LOOK))
		return false;
	if (code[LOOK - 5] == 0xe8)
		return true;
	for (size_t n = 2; n <= CALL_MAX; n++)
		if (code[LOOK - n] == 0xff && indirect_length(code[LOOK - n + 1]) == n)
			return true;
	return false;
}

bool as_frame_not_made(
	struct as_objects *os, const struct as_memory *mem, uint64_t pc, unsigned *pushed)
{
	static const uint8_t move[] = {0x48, 0x89, 0xe5}; /* mov rbp, rsp */
	static const uint8_t move_too[] = {0x48, 0x8b, 0xec};
	uint8_t code[BEFORE];

	*pushed = 0;
	if (!call_site_read_code(os, mem, pc, code, BEFORE))
		return false;
	if (code[0] == 0x55 || code[0] == 0xc3 || memcmp(code, "\xf3\x0f\x1e\xfa", BEFORE) == 0)
		return true;
	*pushed = 1;
	return memcmp(code, move, sizeof(move)) == 0 ||
	       memcmp(code, move_too, sizeof(move_too)) == 0;
}
