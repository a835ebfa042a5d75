/* SPDX-License-Identifier: Apache-2.0 */
/* Writing. The numbers in brackets are those of the acceptance checks that the tests stand for,
 * docs/formats/dcpi.md. */
#include "formats/dcpi/dcpi_testing.h"
#include "lib/starve.h"

#define S(text) as_slice_of(text)

/* Reads F, writes it again and compares with WANT. */
static void expect_rewritten(const struct dcpi_bytes *f, const struct dcpi_bytes *want)
{
	struct mem_read r;
	struct mem_written w;

	as_dcpi_read_file(&r, f);
	assert_int_equal(r.rc, AS_OK);
	assert_int_equal(as_format_dcpi.pieces(r.prof), 1);
	as_dcpi_write_bytes(&w, r.prof, 0);
	assert_int_equal(w.rc, AS_OK);
	assert_int_equal(w.losses.row.n, 0);
	assert_int_equal(w.mem.data.n, want->data.n);
	assert_memory_equal(w.mem.data.p, want->data.p, want->data.n);
	mem_written_free(&w);
	mem_read_free(&r);
}

/* [16] */
static void test_the_golden_file_is_rewritten_byte_for_byte(void **state)
{
	struct dcpi_bytes f = {0};

	(void)state;
	as_dcpi_add_bytes(&f, as_dcpi_golden, DCPI_GOLDEN);
	expect_rewritten(&f, &f);
	as_dcpi_bytes_free(&f);
}

static void test_all_lines_survive_in_their_order_and_with_their_blanks(void **state)
{
	static const char lines[] = "image\t1\n"
				    "note                 one\n"
				    "note                 one\n"
				    "version  pdb-0.06\n"
				    "platform             ends in blanks \t \n"
				    "event                caf\xe9 \xff\n"
				    "period 00063488\n"
				    "period 00063488\n"
				    "epoch                199612042334\n"
				    "tstart               00120000000\n"
				    "path                 /a\n"
				    "path                 /a\n"
				    "path                 /b\n"
				    "tsize                8388608\n"
				    "cpuspeed             333\n"
				    "a-key-that-is-longer-than-a-column x\n"
				    "samples-of-what      x\n"
				    "stride               4\n";
	struct dcpi_bytes f = {0}, want = {0};

	(void)state;
	as_dcpi_add(&f, lines);
	as_dcpi_add(&f, "samples\n");
	WORDS(&f, 4, 1, 9, 1, 9);
	/* of a key that stands once only the first stays */
	as_dcpi_add(&want, lines);
	memmove(strstr(want.data.p, "period"), strstr(want.data.p, "period") + 16,
		strlen(strstr(want.data.p, "period")) - 16);
	want.data.n -= 16;
	as_dcpi_add_end(&want);
	WORDS(&want, 4, 1, 9, 1, 9);
	expect_rewritten(&f, &want);
	expect_rewritten(&want, &want);
	as_dcpi_bytes_free(&f);
	as_dcpi_bytes_free(&want);
}

static void test_malformed_lines_survive_as_well(void **state)
{
	struct dcpi_bytes f = {0};

	(void)state;
	as_dcpi_add(&f, as_dcpi_golden_lines);
	as_dcpi_add(&f, "alone\n\n  blanks before\nafter  \n");
	as_dcpi_add(&f, "samples   \n");
	while (f.data.n % 4) {
		f.data.n -= 2;
		as_dcpi_add(&f, "\n");
	}
	WORDS(&f, 4, 1, 9, 1, 9);
	expect_rewritten(&f, &f);
	as_dcpi_bytes_free(&f);
}

static void test_missing_lines_are_added_and_prefixes_dropped(void **state)
{
	struct dcpi_bytes f = {0}, want = {0};

	(void)state;
	as_dcpi_add(&f, "image                1a\n"
			"event                cycles\n"
			"tstart               0x120000000\n"
			"path                 /x\n"
			"samples\n");
	WORDS(&f, 4, 1, 9, 1, 9);
	as_dcpi_add(&want, "version              pdb-0.07\n"
			   "image                1a\n"
			   "event                cycles\n"
			   "tstart               120000000\n"
			   "path                 /x\n"
			   "epoch                7001010000\n"
			   "platform             unknown\n"
			   "period               0\n"
			   "tsize                0\n"
			   "cpuspeed             0\n"
			   "epoch-unknown        yes\n");
	as_dcpi_add_end(&want);
	WORDS(&want, 4, 1, 9, 1, 9);
	expect_rewritten(&f, &want);
	expect_rewritten(&want, &want);
	as_dcpi_bytes_free(&f);
	as_dcpi_bytes_free(&want);
}

/* [17] [21] What is written is the one canonical form of the counts. */
static void test_chunks_become_canonical(void **state)
{
	static const struct {
		uint32_t from[16], n_from, want[16], n_want;
	} ex[] = {
		/* adjacent chunks become one */
		{{0x10, 1, 5, 0x14, 1, 6, 2, 11}, 8, {0x10, 2, 5, 6, 2, 11}, 6},
		/* gaps of one and two addresses are bridged, wider ones are not */
		{{0x10, 1, 5, 0x18, 1, 6, 2, 11}, 8, {0x10, 3, 5, 0, 6, 2, 11}, 7},
		{{0x10, 1, 5, 0x1c, 1, 6, 2, 11}, 8, {0x10, 4, 5, 0, 0, 6, 2, 11}, 8},
		{{0x10, 1, 5, 0x20, 1, 6, 2, 11}, 8, {0x10, 1, 5, 0x20, 1, 6, 2, 11}, 8},
		{{0x10, 5, 5, 0, 0, 0, 6, 2, 11}, 9, {0x10, 1, 5, 0x20, 1, 6, 2, 11}, 8},
		{{0x10, 4, 5, 0, 0, 6, 2, 11}, 8, {0x10, 4, 5, 0, 0, 6, 2, 11}, 8},
		/* zeros at the ends go, and so do chunks of nothing else */
		{{0x0c, 4, 0, 5, 0, 0, 1, 5}, 8, {0x10, 1, 5, 1, 5}, 5},
		{{0x10, 2, 0, 0, 0x40, 1, 3, 1, 3}, 9, {0x40, 1, 3, 1, 3}, 5},
		{{0x10, 3, 0, 0, 0, 0, 0}, 7, {0, 0}, 2},
		/* order and double addresses: sorted and summed */
		{{0x20, 1, 6, 0x10, 1, 5, 2, 11}, 8, {0x10, 1, 5, 0x20, 1, 6, 2, 11}, 8},
		{{0x10, 1, 6, 0x10, 1, 5, 2, 11}, 8, {0x10, 1, 11, 1, 11}, 5},
		/* a long one with zeros at its front, at the end of which another begins */
		{{0x10, 4, 1, 2, 3, 4, 0x20, 3, 0, 5, 6, 6, 21}, 13,
			{0x10, 7, 1, 2, 3, 4, 0, 5, 6, 6, 21}, 11},
		/* offsets that are no multiples of four, but among themselves are */
		{{0x12, 2, 5, 6, 2, 11}, 6, {0x12, 2, 5, 6, 2, 11}, 6},
	};

	(void)state;
	for (size_t i = 0; i < AS_ARRAY_LEN(ex); i++) {
		struct dcpi_bytes f = {0}, want = {0};

		as_dcpi_add(&f, as_dcpi_golden_lines);
		as_dcpi_add(&f, "samples \n");
		as_dcpi_add_bytes(&want, f.data.p, f.data.n);
		as_dcpi_add_words(&f, ex[i].from, ex[i].n_from);
		as_dcpi_add_words(&want, ex[i].want, ex[i].n_want);
		expect_rewritten(&f, &want);
		as_dcpi_bytes_free(&f);
		as_dcpi_bytes_free(&want);
	}
}

/* [22] */
static void test_addresses_bytes_apart_are_chunks_of_one(void **state)
{
	struct dcpi_bytes f = {0}, want = {0};

	(void)state;
	as_dcpi_add(&f, as_dcpi_golden_lines);
	as_dcpi_add_bytes(&want, f.data.p, f.data.n);
	as_dcpi_add(&f, "stride               1\nsamples\n");
	WORDS(&f, 0x10, 3, 1, 2, 3, 0x18, 1, 4, 4, 10);
	as_dcpi_add(&want, "stride               1\n");
	as_dcpi_add_end(&want);
	WORDS(&want, 0x10, 1, 1, 0x11, 1, 2, 0x12, 1, 3, 0x18, 1, 4, 4, 10);
	expect_rewritten(&f, &want);
	expect_rewritten(&want, &want);
	as_dcpi_bytes_free(&f);
	as_dcpi_bytes_free(&want);
}

/* ---- profiles that were not read from a DCPI file ---- */

struct made {
	struct as_build b;
	struct as_profile *prof;
};

static void made_init(struct made *m)
{
	uint32_t n;

	assert_int_equal(as_build_init(&m->b, NULL, NULL), AS_OK);
	assert_int_equal(as_build_event(&m->b, S("Ir"), S("count"), &n), AS_OK);
	assert_int_equal(as_build_part(&m->b, &n), AS_OK);
	m->prof = NULL;
}

static as_func made_func(struct made *m, const char *name, const char *path, const char *id)
{
	as_object object;
	as_func func;

	assert_int_equal(as_build_object(&m->b, S(path), S(id), &object), AS_OK);
	assert_int_equal(as_build_func(&m->b, S(name), object, (as_file){0}, 0, &func), AS_OK);
	return func;
}

static void made_self(struct made *m, as_func func, uint64_t addr, as_val cost)
{
	struct as_pos pos = {.func = func, .line = 7, .addr = addr};

	assert_int_equal(as_build_self(&m->b, 0, &pos, &cost, 1), AS_OK);
}

static void made_write(struct made *m, struct mem_written *w, uint32_t piece)
{
	if (!m->prof)
		assert_int_equal(as_build_finish(&m->b, &m->prof), AS_OK);
	as_dcpi_write_bytes(w, m->prof, piece);
}

static void made_expect(
	struct made *m, uint32_t piece, const char *header, const uint32_t *v, size_t n)
{
	struct dcpi_bytes want = {0};
	struct mem_written w;

	made_write(m, &w, piece);
	assert_int_equal(w.rc, AS_OK);
	as_dcpi_add(&want, header);
	as_dcpi_add_end(&want);
	as_dcpi_add_words(&want, v, n);
	assert_int_equal(w.mem.data.n, want.data.n);
	assert_memory_equal(w.mem.data.p, want.data.p, want.data.n);
	mem_written_free(&w);
	as_dcpi_bytes_free(&want);
}
#define MADE(m, piece, header, ...)                                    \
	made_expect(m, piece, header, (const uint32_t[]){__VA_ARGS__}, \
		sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t))

/* [18] */
static void test_the_order_of_building_does_not_matter(void **state)
{
	static const uint64_t addr[] = {0x401003, 0x401000, 0x401008, 0x401003};
	static const char header[] = "version              pdb-0.07\n"
				     "image                c0ffee\n"
				     "epoch                7001010000\n"
				     "platform             unknown\n"
				     "event                Ir\n"
				     "period               0\n"
				     "tstart               0\n"
				     "tsize                4198409\n"
				     "cpuspeed             0\n"
				     "path                 /bin/x\n"
				     "stride               1\n"
				     "epoch-unknown        yes\n"
				     "event-unit           count\n";

	(void)state;
	for (int order = 0; order < 2; order++) {
		struct made m;
		as_func f, g;

		made_init(&m);
		f = made_func(&m, order ? "g" : "f", "/bin/x", "c0ffee");
		g = made_func(&m, order ? "f" : "g", "/bin/x", "c0ffee");
		for (size_t i = 0; i < AS_ARRAY_LEN(addr); i++) {
			size_t k = order ? AS_ARRAY_LEN(addr) - 1 - i : i;

			made_self(&m, k % 2 ? g : f, addr[k], (as_val)k + 1);
		}
		MADE(&m, 0, header, 0x401000, 1, 2, 0x401003, 1, 5, 0x401008, 1, 3, 3, 10);
		as_profile_free(m.prof);
	}
}

static void test_every_image_and_event_has_a_file_with_a_name_of_its_own(void **state)
{
	static const char *const names[] = {"unknown-Ir.dcpi", "x-Ir~2.dcpi", "x-D_r__2.dcpi",
		"x-Ir~4.dcpi", "_y_-D_r__2.dcpi"};
	struct as_pos pos = {.addr = 0x10};
	as_val both[] = {1, 2};
	struct made m;
	uint32_t n;

	(void)state;
	made_init(&m);
	assert_int_equal(as_build_event(&m.b, S("D r/\n2"), S(""), &n), AS_OK);
	pos.func = made_func(&m, "f", "/lib/x", "");
	assert_int_equal(as_build_self(&m.b, 0, &pos, both, 1), AS_OK);
	pos.func = made_func(&m, "f", "/bin/x", "");
	assert_int_equal(as_build_self(&m.b, 0, &pos, both, 2), AS_OK);
	both[0] = 0;
	pos.func = made_func(&m, "f", "a/.y ", "");
	assert_int_equal(as_build_self(&m.b, 0, &pos, both, 2), AS_OK);
	pos.func = made_func(&m, "f", "", "");
	both[0] = 1;
	assert_int_equal(as_build_self(&m.b, 0, &pos, both, 1), AS_OK);
	assert_int_equal(as_build_finish(&m.b, &m.prof), AS_OK);
	n = as_format_dcpi.pieces(m.prof);
	assert_int_equal(n, AS_ARRAY_LEN(names));
	for (uint32_t i = 0; i < n; i++) {
		char name[256];

		as_format_dcpi.piece_name(m.prof, i, name, sizeof(name));
		assert_string_equal(name, names[i]);
	}
	as_profile_free(m.prof);
}

/* A path's cost is that of its leaf; costs at no address are told, with their amount. */
static void test_what_has_no_address_is_lost_and_told(void **state)
{
	as_val cost = 5;
	struct as_pos leaf = {.addr = 0x20};
	struct mem_written w;
	struct made m;
	as_place place;
	as_node node;

	(void)state;
	made_init(&m);
	leaf.func = made_func(&m, "f", "/bin/x", "");
	made_self(&m, leaf.func, 0x10, 3);
	made_self(&m, leaf.func, 0, 4);
	assert_int_equal(as_build_place(&m.b, &leaf, &place), AS_OK);
	assert_int_equal(as_build_push(&m.b, (as_node){0}, place, &node), AS_OK);
	assert_int_equal(as_build_sample(&m.b, 0, node, &cost), AS_OK);
	assert_int_equal(as_build_sample(&m.b, 0, (as_node){0}, &cost), AS_OK);
	made_write(&m, &w, 0);
	assert_int_equal(w.rc, AS_OK);
	assert_int_equal(mem_lost(&w, "unaddressed"), 4 + 5);
	assert_true(m.prof->total[0] == 4 + 5 + 3 + 5);
	mem_written_free(&w);
	MADE(&m, 0,
		"version              pdb-0.07\nimage                0\n"
		"epoch                7001010000\nplatform             unknown\n"
		"event                Ir\nperiod               0\ntstart               0\n"
		"tsize                33\ncpuspeed             0\npath                 /bin/x\n"
		"stride               1\nepoch-unknown        yes\n"
		"event-unit           count\n",
		0x10, 1, 3, 0x20, 1, 5, 2, 8);
	as_profile_free(m.prof);
}

/* [19] */
static void test_what_32_bits_cannot_hold_is_refused(void **state)
{
	static const struct {
		uint64_t addr[2];
		as_val cost[2];
		const char *msg; /* NULL: it is written */
	} ex[] = {
		{{0x10, 0x20}, {UINT32_MAX, 0}, NULL},
		{{0x10, 0x20}, {UINT32_MAX - 1, 1}, NULL},
		{{0x10, 0x20}, {(as_val)UINT32_MAX + 1, 1},
			"address 0x10 has the cost 4294967296: a count has 32 bits"},
		{{0x10, 0x10}, {UINT32_MAX, 1},
			"address 0x10 has the cost 4294967296: a count has 32 bits"},
		{{0x10, 0x20}, {UINT32_MAX, 1},
			"there are 4294967296 samples: the total has 32 bits"},
		{{0x10, 0x20}, {3, -1}, "address 0x20 has the cost -1: a count cannot be negative"},
		{{0x10, 0x10}, {3, -1}, NULL},
		{{0x10, UINT32_MAX}, {1, 1}, NULL},
		/* the text begins where the first samples are, and is less than 4 GiB long */
		{{0x7f0000001234, 0x7f00fffff000}, {1, 1}, NULL},
		{{0x7f0000001234, 0x7f0100001000}, {1, 1},
			"address 0x7f0100001000 is too far from the start of the text, "
			"0x7f0000001000: an offset has 32 bits"},
	};

	(void)state;
	for (size_t i = 0; i < AS_ARRAY_LEN(ex); i++) {
		struct mem_written w;
		struct made m;
		as_func f;

		made_init(&m);
		f = made_func(&m, "f", "/bin/x", "");
		for (size_t k = 0; k < 2; k++)
			made_self(&m, f, ex[i].addr[k], ex[i].cost[k]);
		made_write(&m, &w, 0);
		assert_int_equal(w.rc, ex[i].msg ? AS_E_LIMIT : AS_OK);
		if (ex[i].msg)
			assert_string_equal(w.err.msg, ex[i].msg);
		mem_written_free(&w);
		as_profile_free(m.prof);
	}
}

static void test_values_that_would_change_the_header_are_refused(void **state)
{
	static const struct {
		const char *path, *event, *key, *text;
		bool ok;
	} ex[] = {
		{"samples", "samples", "note", "x", true},
		{"/a\nsamples", "cycles", "note", "x", false},
		{" /a", "cycles", "note", "x", false},
		{"/a", "two\nlines", "note", "x", false},
		{"/a", "\tcycles", "note", "x", false},
		{"/a", "cycles", "samples", "x", false},
		{"/a", "cycles", "samples", "", false},
		{"/a", "cycles", "", "samples \t", false},
		{"/a", "cycles", "", "samples\n", false},
		{"/a", "cycles", "no word", "x", false},
		{"/a", "cycles", "note", "", false},
		{"/a", "cycles", "note", "  ", false},
		{"/a", "cycles", "note", "x\ny", false},
	};

	(void)state;
	for (size_t i = 0; i < AS_ARRAY_LEN(ex); i++) {
		struct mem_written w;
		struct made m;
		as_func f;

		made_init(&m);
		assert_int_equal(
			as_build_str(&m.b, S(ex[i].event), &m.b.prof->event.p[0].name), AS_OK);
		assert_int_equal(as_build_str(&m.b, S("dcpi"), &m.b.prof->format), AS_OK);
		assert_int_equal(as_build_meta(&m.b, 0, S(ex[i].key), S(ex[i].text)), AS_OK);
		f = made_func(&m, "", ex[i].path, "");
		made_self(&m, f, 0x10, 1);
		made_write(&m, &w, 0);
		assert_int_equal(w.rc, ex[i].ok ? AS_OK : AS_E_UNSUPPORTED);
		mem_written_free(&w);
		as_profile_free(m.prof);
	}
}

static void test_epochs_are_written_in_ten_digits(void **state)
{
	static const struct {
		const char *iso, *line; /* NULL: refused */
		uint64_t lost;
	} ex[] = {
		{"1996-12-04T23:34Z", "\nepoch                9612042334\n", 0},
		{"2068-12-31T23:59Z", "\nepoch                6812312359\n", 0},
		{"1969-01-01T00:00Z", "\nepoch                6901010000\n", 0},
		{"1996-12-04T23:34:00Z", "\nepoch                9612042334\n", 0},
		{"1996-12-04T23:34:56Z", "\nepoch                9612042334\n", 1},
		{"1996-12-04T23:34+01:00", "\nepoch                7001010000\n", 1},
		{"1968-12-31T23:59Z", NULL, 0},
		{"2069-01-01T00:00Z", NULL, 0},
	};

	(void)state;
	for (size_t i = 0; i < AS_ARRAY_LEN(ex); i++) {
		struct mem_written w;
		struct made m;

		made_init(&m);
		assert_int_equal(as_build_str(&m.b, S(ex[i].iso), &m.b.prof->epoch), AS_OK);
		made_write(&m, &w, 0);
		assert_int_equal(w.rc, ex[i].line ? AS_OK : AS_E_LIMIT);
		assert_int_equal(mem_lost(&w, "epoch"), ex[i].lost);
		if (ex[i].line)
			assert_true(
				as_slice_find_text((struct as_slice){w.mem.data.p, w.mem.data.n},
					S(ex[i].line).p) < w.mem.data.n);
		mem_written_free(&w);
		as_profile_free(m.prof);
	}
}

/* What an operation changed is written into the lines that the source had. */
static void test_only_the_lines_that_changed_are_touched(void **state)
{
	struct mem_read r;
	struct mem_written w;
	struct as_slice out;
	char *want, *at;

	(void)state;
	as_dcpi_read_bytes(&r, as_dcpi_golden, DCPI_GOLDEN, (struct dcpi_how){0});
	r.prof->event.p[0].period = 1000;
	r.prof->object.p[1].text_size = 7;
	as_dcpi_write_bytes(&w, r.prof, 0);
	assert_int_equal(w.rc, AS_OK);
	out = (struct as_slice){w.mem.data.p, w.mem.data.n};
	want = malloc(sizeof(char) * DCPI_GOLDEN);
	assert_non_null(want);
	memcpy(want, as_dcpi_golden, DCPI_GOLDEN);
	at = strstr(want, "63488\n");
	memcpy(at, "1000\n", 5);
	memmove(at + 5, at + 6, (size_t)(want + DCPI_GOLDEN_HEADER - at - 6));
	at = strstr(want, "8388608\n");
	memcpy(at, "7\n", 2);
	memmove(at + 2, at + 8, (size_t)(want + DCPI_GOLDEN_HEADER - at - 8));
	/* seven bytes less, and no blank behind "samples" */
	assert_int_equal(out.len, DCPI_GOLDEN - 8);
	assert_memory_equal(out.p, want, DCPI_GOLDEN_HEADER - 7 - 2);
	assert_memory_equal(out.p + DCPI_GOLDEN_HEADER - 8, as_dcpi_golden + DCPI_GOLDEN_HEADER,
		DCPI_GOLDEN - DCPI_GOLDEN_HEADER);
	free(want);
	mem_written_free(&w);
	mem_read_free(&r);
}

static uint32_t next_random(uint64_t *seed)
{
	*seed = *seed * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(*seed >> 33);
}

/* [18] [21] Random counts, given to the reader in a wild form, come out the same in two ways. */
static void test_writing_and_reading_again_changes_nothing(void **state)
{
	uint64_t seed = 1;

	(void)state;
	for (int round = 0; round < 300; round++) {
		struct dcpi_bytes f = {0}, once = {0};
		struct mem_read r;
		struct mem_written w;
		uint32_t rows = 0, sum = 0, offset = next_random(&seed) % 64;

		as_dcpi_add(&f, as_dcpi_golden_lines);
		as_dcpi_add(&f, round % 3 ? "samples\n" : "stride 3\nsamples\n");
		for (uint32_t c = next_random(&seed) % 20; c > 0; c--) {
			uint32_t n = next_random(&seed) % (c % 5 ? 8 : 200) + 1;

			WORDS(&f, offset, n);
			for (uint32_t i = 0; i < n; i++) {
				uint32_t v = next_random(&seed) % 3 ? next_random(&seed) % 400 : 0;

				v = next_random(&seed) % 50 ? v : v * 1000;
				WORDS(&f, v);
				rows += v != 0;
				sum += v;
			}
			offset += (round % 3 ? 4 : 3) * (n + next_random(&seed) % 5);
			offset += round % 7 ? 0 : next_random(&seed) % 9;
		}
		WORDS(&f, rows, sum);
		as_dcpi_read_file(&r, &f);
		assert_int_equal(r.rc, AS_OK);
		assert_true(r.prof->total[0] == sum);
		as_dcpi_write_bytes(&w, r.prof, 0);
		assert_int_equal(w.rc, AS_OK);
		as_dcpi_add_bytes(&once, w.mem.data.p, w.mem.data.n);
		mem_written_free(&w);
		mem_read_free(&r);
		expect_rewritten(&once, &once);
		as_dcpi_read_file(&r, &once);
		assert_int_equal(r.rc, AS_OK);
		assert_int_equal(as_dcpi_found(&r, AS_F_DC_FOOTER_DIFFERS), 0);
		assert_int_equal(as_dcpi_found(&r, AS_F_DC_CHUNK_ORDER), 0);
		assert_int_equal(as_dcpi_found(&r, AS_F_DC_CHUNK_ZERO), 0);
		assert_true(r.prof->total[0] == sum);
		mem_read_free(&r);
		as_dcpi_bytes_free(&f);
		as_dcpi_bytes_free(&once);
	}
}

static void test_running_out_of_memory_is_told_and_leaks_nothing(void **state)
{
	static const char unordered[] =
		"image 1\nevent x\nnote y\nsamples\n"
		"\x20\0\0\0\1\0\0\0\5\0\0\0\x10\0\0\0\1\0\0\0\6\0\0\0\2\0\0\0\x0b\0\0\0";
	static const struct as_slice texts[] = {
		{as_dcpi_golden, DCPI_GOLDEN},
		{unordered, sizeof(unordered) - 1},
	};

	(void)state;
	for (size_t i = 0; i < AS_ARRAY_LEN(texts); i++)
		mem_starve(&as_format_dcpi, texts[i]);
}

int dcpi_write_tests(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_the_golden_file_is_rewritten_byte_for_byte),
		cmocka_unit_test(test_all_lines_survive_in_their_order_and_with_their_blanks),
		cmocka_unit_test(test_malformed_lines_survive_as_well),
		cmocka_unit_test(test_missing_lines_are_added_and_prefixes_dropped),
		cmocka_unit_test(test_chunks_become_canonical),
		cmocka_unit_test(test_addresses_bytes_apart_are_chunks_of_one),
		cmocka_unit_test(test_the_order_of_building_does_not_matter),
		cmocka_unit_test(test_every_image_and_event_has_a_file_with_a_name_of_its_own),
		cmocka_unit_test(test_what_has_no_address_is_lost_and_told),
		cmocka_unit_test(test_what_32_bits_cannot_hold_is_refused),
		cmocka_unit_test(test_values_that_would_change_the_header_are_refused),
		cmocka_unit_test(test_epochs_are_written_in_ten_digits),
		cmocka_unit_test(test_only_the_lines_that_changed_are_touched),
		cmocka_unit_test(test_writing_and_reading_again_changes_nothing),
		cmocka_unit_test(test_running_out_of_memory_is_told_and_leaks_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
