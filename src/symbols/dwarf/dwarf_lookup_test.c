/* SPDX-License-Identifier: Apache-2.0 */
/* Which unit, function and line an address is in, by sections that are written out here. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include "symbols/dwarf/dwarf_info.h"

#include <cmocka.h>

/* What gcc -gdwarf-2 -gstrict-dwarf says of a unit in two sections: its bounds are those of the
 * first, and only .debug_aranges knows of the second. */
static const uint8_t abbrev[] = {
	1, 0x11, 1,             /* compilation unit, has children */
	0x11, 1, 0x12, 1,       /* low_pc, high_pc: addr */
	0x13, 0x0b, 0x10, 6,    /* language: data1; stmt_list: data4 */
	0, 0,                   /* end of attributes */
	2, 0x2e, 0,             /* subprogram */
	3, 8, 0x11, 1, 0x12, 1, /* name: string; low_pc, high_pc: addr */
	0, 0, 0,                /* end */
};
static const uint8_t info[] = {
	0x31, 0, 0, 0, 2, 0, 0, 0, 0, 0, 4,                        /* version 2 */
	1, 0, 0x10, 0, 0, 0x40, 0x10, 0, 0, 1, 0, 0, 0, 0,         /* 0x1000 to 0x1040, C */
	2, 'n', 'e', 'a', 'r', 0, 0, 0x10, 0, 0, 0x40, 0x10, 0, 0, /* 0x1000 to 0x1040 */
	2, 'f', 'a', 'r', 0, 0, 0x20, 0, 0, 0x10, 0x20, 0, 0,      /* 0x2000 to 0x2010 */
	0,                                                         /* end of children */
};
static const uint8_t aranges[] = {
	0x24, 0, 0, 0, 2, 0, 0, 0, 0, 0, 4, 0, 0, 0, 0, 0, /* of the unit at 0 */
	0, 0x10, 0, 0, 0x40, 0, 0, 0,                      /* 0x1000, 0x40 bytes */
	0, 0x20, 0, 0, 0x10, 0, 0, 0,                      /* 0x2000, 0x10 bytes */
	0, 0, 0, 0, 0, 0, 0, 0,                            /* end */
};
static const uint8_t line[] = {
	0x3b, 0, 0, 0, 2, 0, 0x17, 0, 0, 0, /* version 2 */
	1, 1, 0xfd, 12, 10,                 /* instructions of 1; opcodes begin at 10 */
	0, 1, 1, 1, 1, 0, 0, 0, 1,          /* their arguments */
	0, 'a', '.', 'c', 0, 0, 0, 0, 0,    /* no directories; file 1 */
	0, 5, 2, 0, 0x10, 0, 0, 3, 4, 1,    /* 0x1000: line 5 */
	2, 0x40, 0, 1, 1,                   /* 0x1040: end */
	0, 5, 2, 0, 0x20, 0, 0, 3, 19, 1,   /* 0x2000: line 20 */
	2, 0x10, 0, 1, 1,                   /* 0x2010: end */
};

static const struct as_dw_range code[] = {{0x1000, 0x3000}};
static const uint64_t addr[] = {0x1004, 0x1100, 0x2004, 0x2010};

static void is(const struct as_dw_answer *answer, size_t i, const char *name, uint32_t at)
{
	const struct as_dw_found *found = &answer->found[i];
	const struct as_dw_frame *frame;

	assert_int_equal(found->n, name ? 1 : 0);
	if (!name)
		return;
	frame = as_dw_frames(answer, found);
	assert_true(as_slice_is(frame->func.name, name));
	assert_true(as_slice_is(frame->file, "a.c"));
	assert_int_equal(frame->line, at);
}

static void test_a_unit_of_version_2_may_have_more_code_than_its_bounds_say(void **state)
{
	struct as_dw_file file = {.al = &as_alloc_libc,
		.sec[AS_DW_ABBREV] = {abbrev, sizeof(abbrev)},
		.sec[AS_DW_INFO] = {info, sizeof(info)},
		.sec[AS_DW_ARANGES] = {aranges, sizeof(aranges)},
		.sec[AS_DW_LINE] = {line, sizeof(line)}};
	const struct as_dw_query query = {
		.addr = addr, .n = AS_ARRAY_LEN(addr), .inlines = true, .code = code, .n_code = 1};
	struct as_dw_answer answer;

	(void)state;
	assert_int_equal(as_dw_units(&file), AS_OK);
	assert_int_equal(file.unit.n, 1);
	assert_int_equal(as_dw_lookup(&file, &query, &answer), AS_OK);
	assert_false(file.damaged || answer.damaged);
	is(&answer, 0, "near", 5);
	is(&answer, 1, NULL, 0);
	is(&answer, 2, "far", 20);
	is(&answer, 3, NULL, 0);
	as_dw_answer_release(&answer);
	as_dw_file_release(&file);
}

/* An inlined call in several pieces, of which version 2 can say the first only; in another of
 * them is a call of its own. */
static const uint8_t pieces_abbrev[] = {
	1, 0x11, 1,             /* compilation unit, has children */
	0x11, 1, 0x12, 1,       /* low_pc, high_pc: addr */
	0, 0,                   /* end of attributes */
	2, 0x2e, 1,             /* subprogram, has children */
	3, 8, 0x11, 1, 0x12, 1, /* name: string; low_pc, high_pc: addr */
	0, 0,                   /* end of attributes */
	3, 0x1d, 1,             /* inlined call, the same */
	3, 8, 0x11, 1, 0x12, 1, /* */
	0, 0, 0,                /* end */
};
static const uint8_t pieces_info[] = {
	0x37, 0, 0, 0, 2, 0, 0, 0, 0, 0, 4,            /* version 2 */
	1, 0, 0x10, 0, 0, 0x40, 0x10, 0, 0,            /* 0x1000 to 0x1040 */
	2, 'f', 0, 0, 0x10, 0, 0, 0x40, 0x10, 0, 0,    /* 0x1000 to 0x1040 */
	3, 'g', 0, 0x10, 0x10, 0, 0, 0x18, 0x10, 0, 0, /* 0x1010 to 0x1018 */
	3, 'h', 0, 0x20, 0x10, 0, 0, 0x28, 0x10, 0, 0, /* 0x1020 to 0x1028 */
	0, 0, 0, 0, 0, 0,                              /* ends of children */
};

static void test_a_call_in_a_later_piece_of_a_call_of_version_2_has_its_whole_chain(void **state)
{
	static const uint64_t at[] = {0x1004, 0x1014, 0x1024};
	static const char *const names[] = {"f", "gf", "hgf"};
	struct as_dw_file file = {.al = &as_alloc_libc,
		.sec[AS_DW_ABBREV] = {pieces_abbrev, sizeof(pieces_abbrev)},
		.sec[AS_DW_INFO] = {pieces_info, sizeof(pieces_info)}};
	const struct as_dw_query query = {
		.addr = at, .n = AS_ARRAY_LEN(at), .inlines = true, .code = code, .n_code = 1};
	struct as_dw_answer answer;

	(void)state;
	assert_int_equal(as_dw_units(&file), AS_OK);
	assert_int_equal(as_dw_lookup(&file, &query, &answer), AS_OK);
	for (size_t i = 0; i < AS_ARRAY_LEN(at); i++) {
		const struct as_dw_found *found = &answer.found[i];

		assert_int_equal(found->n, strlen(names[i]));
		for (uint32_t f = 0; f < found->n; f++)
			assert_int_equal(
				as_dw_frames(&answer, found)[f].func.name.p[0], names[i][f]);
	}
	as_dw_answer_release(&answer);
	as_dw_file_release(&file);
}

int dwarf_lookup_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_a_unit_of_version_2_may_have_more_code_than_its_bounds_say),
		cmocka_unit_test(
			test_a_call_in_a_later_piece_of_a_call_of_version_2_has_its_whole_chain),
	};

	return cmocka_run_group_tests_name("dwarf_lookup", tests, NULL, NULL);
}
