/* SPDX-License-Identifier: Apache-2.0 */
/* Machine code to text. What capstone does not know, or where it is missing, is shown as words. */
#include "symbols/disasm.h"

#if AS_HAVE_CAPSTONE
#include <capstone/capstone.h>

#include "io/shared_library.h"

/*
 * Capstone's functions, found when they are first needed. Its tables of all machines take three
 * megabytes and two milliseconds to be relocated, at every start of a program that is linked with
 * it; instructions are shown by few.
 */
struct capstone {
	void *lib;
	__typeof__(&cs_open) open;
	__typeof__(&cs_close) close;
	__typeof__(&cs_option) option;
	__typeof__(&cs_malloc) malloc;
	__typeof__(&cs_free) free;
	__typeof__(&cs_disasm_iter) disasm_iter;
	__typeof__(&cs_insn_group) insn_group;
};
#endif

enum { TEXT_MAX = 256, WORD = 4 };

struct as_disasm {
	const struct as_alloc *al;
	bool big_endian;
	bool decodes; /* CS is open */
#if AS_HAVE_CAPSTONE
	struct capstone lib;
	csh cs;
	cs_insn *insn;
	cs_arch arch;
#endif
	uint32_t step; /* bytes of an instruction at least: what is none is skipped by so many */
	char text[TEXT_MAX];
};

#if AS_HAVE_CAPSTONE

#define TEXT_OF(x) #x
#define TEXT(x) TEXT_OF(x)
#define LIBRARY "libcapstone.so." TEXT(CS_API_MAJOR) /* of the header that we are built with */

static enum as_code capstone_load(struct capstone *cs, struct as_err *err)
{
	*cs = (struct capstone){.lib = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL)};
	if (cs->lib && as_library_find(cs->lib, "cs_open", &cs->open) &&
		as_library_find(cs->lib, "cs_close", &cs->close) &&
		as_library_find(cs->lib, "cs_option", &cs->option) &&
		as_library_find(cs->lib, "cs_malloc", &cs->malloc) &&
		as_library_find(cs->lib, "cs_free", &cs->free) &&
		as_library_find(cs->lib, "cs_disasm_iter", &cs->disasm_iter) &&
		as_library_find(cs->lib, "cs_insn_group", &cs->insn_group))
		return AS_OK;
	return as_err_set(err, AS_E_UNSUPPORTED,
		"instructions cannot be shown: " LIBRARY " is not there; is capstone installed?");
}

static void capstone_unload(struct capstone *cs)
{
	if (cs->lib)
		dlclose(cs->lib);
	cs->lib = NULL;
}

struct machine {
	enum as_elf_machine machine;
	cs_arch arch;
	unsigned mode;
	uint32_t step;
};

static const struct machine machines[] = {
	{AS_ELF_X86_64, CS_ARCH_X86, CS_MODE_64, 1},
	{AS_ELF_X86, CS_ARCH_X86, CS_MODE_32, 1},
	{AS_ELF_AARCH64, CS_ARCH_ARM64, CS_MODE_ARM, 4},
	{AS_ELF_ARM, CS_ARCH_ARM, CS_MODE_ARM, 4},
	{AS_ELF_PPC64, CS_ARCH_PPC, CS_MODE_64, 4},
	{AS_ELF_MIPS, CS_ARCH_MIPS, CS_MODE_MIPS64, 4},
	{AS_ELF_S390, CS_ARCH_SYSZ, 0, 2},
};

static enum as_code open_capstone(
	struct as_disasm *d, const struct machine *m, bool intel, struct as_err *err)
{
	unsigned mode = m->mode;

	/* Code of AArch64 is little-endian whatever its data are. */
	if (d->big_endian && m->arch != CS_ARCH_ARM64)
		mode |= (unsigned)CS_MODE_BIG_ENDIAN;
	AS_TRY(capstone_load(&d->lib, err));
	if (d->lib.open(m->arch, (cs_mode)mode, &d->cs) != CS_ERR_OK)
		return as_err_set(err, AS_E_UNSUPPORTED,
			"capstone was built without this machine's instructions");
	d->decodes = true;
	d->arch = m->arch;
	d->step = m->step;
	if (m->arch == CS_ARCH_X86)
		d->lib.option(
			d->cs, CS_OPT_SYNTAX, intel ? CS_OPT_SYNTAX_INTEL : CS_OPT_SYNTAX_ATT);
	d->lib.option(d->cs, CS_OPT_DETAIL, CS_OPT_ON);
	d->insn = d->lib.malloc(d->cs);
	return d->insn ? AS_OK : as_err_no_memory(err);
}

static enum as_code open_decoder(
	struct as_disasm *d, enum as_elf_machine machine, bool intel, struct as_err *err)
{
	for (size_t i = 0; i < AS_ARRAY_LEN(machines); i++)
		if (machines[i].machine == machine)
			return open_capstone(d, &machines[i], intel, err);
	return AS_OK; /* words */
}

static void close_decoder(struct as_disasm *d)
{
	if (d->insn) /* NOLINTNEXTLINE(clang-analyzer-core.CallAndMessage): by what is loaded */
		d->lib.free(d->insn, 1);
	if (d->decodes) /* NOLINTNEXTLINE(clang-analyzer-core.CallAndMessage): by what is loaded */
		d->lib.close(&d->cs);
	capstone_unload(&d->lib);
}

/* The last operand, if it is a number: where a direct jump or call leads to. */
#define TARGET_OF(arch_detail, imm_kind, out)                                         \
	do {                                                                          \
		uint8_t n_ = (uint8_t)(arch_detail).op_count;                         \
		if (n_ && (arch_detail).operands[n_ - 1].type == (imm_kind)) {        \
			(out)->has_target = true;                                     \
			(out)->target = (uint64_t)(arch_detail).operands[n_ - 1].imm; \
		}                                                                     \
	} while (0)

static void find_target(const struct as_disasm *d, struct as_insn *out)
{
	const cs_detail *detail = d->insn->detail;

	switch (d->arch) {
	case CS_ARCH_X86:
		TARGET_OF(detail->x86, X86_OP_IMM, out);
		break;
	case CS_ARCH_ARM64:
		TARGET_OF(detail->arm64, ARM64_OP_IMM, out);
		break;
	case CS_ARCH_ARM:
		TARGET_OF(detail->arm, ARM_OP_IMM, out);
		break;
	case CS_ARCH_PPC:
		TARGET_OF(detail->ppc, PPC_OP_IMM, out);
		break;
	case CS_ARCH_MIPS:
		TARGET_OF(detail->mips, MIPS_OP_IMM, out);
		break;
	case CS_ARCH_SYSZ:
		TARGET_OF(detail->sysz, SYSZ_OP_IMM, out);
		break;
	default:
		break;
	}
}

/* Instructions that capstone puts into no group: its version 4 forgets some. */
static bool is_call_word(const char *mnemonic)
{
	static const char *const word[] = {
		"bl", "blr", "blx", "bal", "jal", "jalr", "brasl", "bras"};

	return as_slice_is_one_of(as_slice_of(mnemonic), word);
}

static bool disasm_decode(
	struct as_disasm *d, const uint8_t *code, size_t size, uint64_t addr, struct as_insn *out)
{
	const cs_insn *insn = d->insn;

	if (!d->decodes || !d->lib.disasm_iter(d->cs, &code, &size, &addr, d->insn))
		return false;
	snprintf(d->text, sizeof(d->text), "%s%s%s", insn->mnemonic, insn->op_str[0] ? " " : "",
		insn->op_str);
	out->size = insn->size;
	out->is_call = d->lib.insn_group(d->cs, insn, CS_GRP_CALL) || is_call_word(insn->mnemonic);
	out->is_jump = !out->is_call && d->lib.insn_group(d->cs, insn, CS_GRP_JUMP);
	if (out->is_call || out->is_jump)
		find_target(d, out);
	return true;
}

unsigned as_disasm_version(void)
{
	return CS_API_MAJOR << 8 | CS_API_MINOR;
}

#else

#pragma GCC diagnostic ignored "-Wunused-parameter"

static enum as_code open_decoder(
	struct as_disasm *d, enum as_elf_machine machine, bool intel, struct as_err *err)
{
	if (machine == AS_ELF_OTHER || machine == AS_ELF_ALPHA)
		return AS_OK;
	return as_err_set(err, AS_E_UNSUPPORTED,
		"instructions cannot be shown: assay was built without capstone");
}

static void close_decoder(struct as_disasm *d)
{
}

static bool disasm_decode(
	struct as_disasm *d, const uint8_t *code, size_t size, uint64_t addr, struct as_insn *out)
{
	return false;
}

unsigned as_disasm_version(void)
{
	return 0;
}

#endif

enum as_code as_disasm_open(struct as_disasm **out, const struct as_alloc *al,
	enum as_elf_machine machine, bool big_endian, bool intel, struct as_err *err)
{
	struct as_disasm *d = as_alloc_new(al, sizeof(*d));
	enum as_code rc;

	*out = NULL;
	AS_TRY(as_err_memory(err, d));
	d->al = al;
	d->big_endian = big_endian;
	d->step = WORD;
	rc = open_decoder(d, machine, intel, err);
	if (rc == AS_OK)
		*out = d;
	else
		as_disasm_close(d);
	return rc;
}

void as_disasm_close(struct as_disasm *d)
{
	if (!d)
		return;
	close_decoder(d);
	as_alloc_free(d->al, d, sizeof(*d));
}

/* What is no instruction: a word where they are words, else a byte, so that the next may be one. */
static void disasm_data(struct as_disasm *d, const uint8_t *code, size_t size, struct as_insn *out)
{
	uint32_t word = 0;

	if (d->step < WORD || size < WORD) {
		out->size = 1;
		out->is_data = true;
		snprintf(d->text, sizeof(d->text), ".byte 0x%02x", code[0]);
		return;
	}
	for (uint32_t i = 0; i < WORD; i++)
		word |= (uint32_t)code[i] << 8 * (d->big_endian ? WORD - 1 - i : i);
	out->size = WORD;
	snprintf(d->text, sizeof(d->text), ".word 0x%08" PRIx32, word);
}

bool as_disasm_next(
	struct as_disasm *d, const uint8_t *code, size_t size, uint64_t addr, struct as_insn *out)
{
	if (!size)
		return false;
	*out = (struct as_insn){.addr = addr, .text = d->text};
	if (!disasm_decode(d, code, size, addr, out))
		disasm_data(d, code, size, out);
	return true;
}
