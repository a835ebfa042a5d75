/* SPDX-License-Identifier: Apache-2.0 */
/* Code that is made at run time: whose names are asked for, when, and where they stand then. */
#include "formats/perfdata/perfdata_testing.h"

int perfdata_made_tests(void);

/* Names that tell what was asked: "7:dump@5" is of process 7, of its dump, at time 5. */
struct told {
	unsigned n_open;
	uint32_t pid[8];
	bool is_dump[8];
	uint64_t turn; /* from then on code is other code */
	uint32_t no_map;
	char name[64];
};

static bool told_open(void *ctx, const struct as_made_run *run, uint32_t *names)
{
	struct told *t = ctx;

	assert_true(t->n_open < AS_ARRAY_LEN(t->pid));
	t->pid[t->n_open] = run->pid;
	t->is_dump[t->n_open] = run->dump.len;
	*names = run->dump.len || run->pid != t->no_map ? ++t->n_open : 0;
	return true;
}

static uint32_t told_version(void *ctx, uint32_t names, uint64_t time, bool *timed)
{
	const struct told *t = ctx;

	*timed = true;
	assert_true(t->is_dump[names - 1]);
	return t->turn && time >= t->turn;
}

static bool told_find(
	void *ctx, uint32_t names, uint64_t time, uint64_t addr, struct as_made_code *code)
{
	struct told *t = ctx;

	snprintf(t->name, sizeof(t->name), "%u:%s@%" PRId64, t->pid[names - 1],
		t->is_dump[names - 1] ? "dump" : "map", (int64_t)time);
	*code = (struct as_made_code){.file = as_slice_of("a.js"), .line = addr & 0xff};
	if (!t->is_dump[names - 1] || addr < 0x1800)
		code->name = as_slice_of(t->name);
	return true;
}

static void read_told(struct mem_read *r, const struct file *f, struct told *t)
{
	struct as_made_names made = {
		.ctx = t, .open = told_open, .version = told_version, .find = told_find};
	struct mem_how how = {.fmt = &as_format_perfdata, .detail = AS_DETAIL_FULL, .made = &made};

	mem_read(r, &how, (struct as_slice){f->p, f->n});
	if (r->rc != AS_OK)
		fail_msg("%s", r->err.msg);
}

/* Events whose times are those of the clock that run-times use, or of another one. */
static void begin_made(struct file *f, bool monotonic)
{
	size_t at;

	begin_pipe(f, NULL, 0, false);
	begin(f, PD_ATTR, 0);
	at = f->n;
	put_attr(f, &clock_event);
	memcpy(f->p + at + 4, &(uint32_t){96}, 4);
	f->p[at + 40 + 3] |= 1 << 1; /* a clock is chosen */
	for (int i = 0; i < 3; i++)
		put64(f, 0);
	put32(f, 0);
	put32(f, monotonic);
	put64(f, 100);
	end(f);
}

static void put_at(struct file *f, uint32_t pid, uint64_t time, uint64_t pc)
{
	struct sample s = user(pid, time, pc);

	put_sample(f, &s);
}

/* "NAME LINE" of each function of the profile, by name. */
static void assert_names(const struct mem_read *r, const char *expected)
{
	const struct as_profile *prof = r->prof;
	char text[512] = "";
	size_t n = 0;

	for (size_t i = 0; i < prof->sample.node.n; i++) {
		struct as_pos pos =
			as_place_pos(prof, prof->node.place.p[prof->sample.node.p[i].i]);

		n += (size_t)snprintf(text + n, sizeof(text) - n, "%.*s %" PRIu64 "\n",
			AS_SLICE_FMT(as_func_name(prof, pos.func)), pos.line);
	}
	assert_string_equal(text, expected);
}

static void test_dump_is_asked_at_the_samples_time(void **state)
{
	static struct told told = {.turn = 20};
	static struct file f;
	struct mem_read r;

	(void)state;
	begin_made(&f, true);
	put_mmap(&f, 7, 1, 0x1000, "//anon");
	put_mmap(&f, 7, 2, 0x9000, "/tmp/jit-7.dump");
	put_at(&f, 7, 10, 0x1011);
	put_at(&f, 7, 11, 0x1011); /* the same */
	put_at(&f, 7, 20, 0x1011); /* another function's by now */
	put_at(&f, 7, 21, 0x1911); /* what the dump does not know the map may */
	read_told(&r, &f, &told);
	assert_int_equal(told.n_open, 2);
	assert_names(&r, "7:dump@10 17\n7:dump@20 17\n7:map@21 17\n");
	assert_int_equal(total(r.prof, "cpu-clock samples"), 4);
	assert_int_equal(r.findings.count[AS_F_PD_JIT_TIME], 0);
	mem_read_free(&r);
}

static void test_times_of_another_clock_are_told(void **state)
{
	static struct told told = {.turn = 20};
	static struct file f;
	struct mem_read r;

	(void)state;
	begin_made(&f, false);
	put_mmap(&f, 7, 1, 0x1000, "//anon");
	put_mmap(&f, 7, 2, 0x9000, "/tmp/jit-7.dump");
	put_at(&f, 7, 10, 0x1011);
	read_told(&r, &f, &told);
	assert_names(&r, "7:dump@-1 17\n"); /* the last ones */
	assert_int_equal(r.findings.count[AS_F_PD_JIT_TIME], 1);
	mem_read_free(&r);
}

static void test_each_process_has_its_own_names(void **state)
{
	static struct told told = {.no_map = 9};
	static struct file f;
	struct mem_read r;

	(void)state;
	begin_made(&f, true);
	put_mmap(&f, 7, 1, 0x1000, "//anon");
	put_mmap(&f, 7, 1, 0x3000, "/a");
	put_fork(&f, 8, 7, 2, 0);
	put_fork(&f, 9, 7, 3, 0); /* has written no map: what it has is its parent's */
	put_at(&f, 7, 10, 0x1011);
	put_at(&f, 7, 11, 0x3011); /* code of a file has names there */
	put_at(&f, 8, 12, 0x1011);
	put_at(&f, 9, 13, 0x1011);
	put_comm(&f, 8, 20, "b", true);
	put_mmap(&f, 8, 21, 0x1000, "/b");
	put_at(&f, 8, 22, 0x1011);
	read_told(&r, &f, &told);
	assert_names(&r, "7:map@10 17\n 0\n8:map@12 17\n7:map@13 17\n 0\n");
	mem_read_free(&r);
}

int perfdata_made_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_dump_is_asked_at_the_samples_time),
		cmocka_unit_test(test_times_of_another_clock_are_told),
		cmocka_unit_test(test_each_process_has_its_own_names),
	};

	return cmocka_run_group_tests_name("perfdata_made", tests, NULL, NULL);
}
