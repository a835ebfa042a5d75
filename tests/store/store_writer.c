/* SPDX-License-Identifier: Apache-2.0 */
/*
 * store_writer DB stacks|flat FIRST N: writes segments FIRST to FIRST + N - 1 as a daemon would,
 * one a minute by a clock of its own, and prints the number of each that is durable. Segment I has
 * the cost I + 1, in a function (an address) of its own. Now and then hours are rolled up, and
 * another epoch begins. What fails is told on stderr, and the next segment is tried.
 */
#define _DEFAULT_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "io/host_alloc.h"
#include "model/build.h"
#include "store/store.h"

#define MINUTE (INT64_C(60) * 1000000000)
#define BEGIN (INT64_C(1795430700) * 1000000000)

enum { ROLL = 7, EPOCH = 50, FIRST_ADDRESS = 0x1000 };

static enum as_code writer_sample(struct as_build *b, uint32_t i, bool flat)
{
	char name[32];
	as_val cost = (as_val)i + 1;
	struct as_pos pos = {0};
	as_object object;
	as_place place;
	as_node node;

	snprintf(name, sizeof(name), "s%u", i);
	AS_TRY(as_build_object(b, as_slice_of("/bin/prog"), as_slice_of("abcd"), &object));
	b->prof->object.p[object.i].addr_kind = AS_ADDR_VIRTUAL;
	AS_TRY(as_build_func(b, as_slice_of(flat ? "" : name), object, (as_file){0},
		flat ? FIRST_ADDRESS + 4 * i : 0, &pos.func));
	pos.addr = FIRST_ADDRESS + 4 * i;
	AS_TRY(as_build_place(b, &pos, &place));
	AS_TRY(as_build_push(b, (as_node){0}, place, &node));
	return as_build_sample(b, 0, node, &cost);
}

static enum as_code writer_profile(uint32_t i, bool flat, struct as_profile **prof)
{
	struct as_build b;
	uint32_t at;

	AS_TRY(as_build_init(&b, &as_alloc_host, NULL));
	AS_TRY(as_build_event(&b, as_slice_of("cpu"), as_slice_of("count"), &at));
	AS_TRY(as_build_part(&b, &at));
	b.prof->part.p[at].pid = 100 + i % 3;
	b.prof->part.p[at].has_pid = true;
	AS_TRY(writer_sample(&b, i, flat));
	return as_build_finish(&b, prof);
}

static void writer_failed(const char *what, uint32_t i, struct as_err *err)
{
	fprintf(stderr, "%s %u: %s: %s\n", what, i, err->name, err->msg);
	as_err_clear(err);
}

static int writer_write(struct as_store *st, uint32_t i, bool flat, struct as_err *err)
{
	int64_t begin = BEGIN + i * MINUTE;
	struct as_profile *prof;
	char text[32];
	enum as_code rc;

	if (i % EPOCH == 0 && as_store_epoch(st, begin, err) != AS_OK)
		writer_failed("epoch", i, err);
	if (writer_profile(i, flat, &prof) != AS_OK)
		return 1;
	rc = as_store_segment(st, prof, begin, begin + MINUTE, flat, NULL, err);
	as_profile_free(prof);
	if (rc == AS_OK) {
		int n = snprintf(text, sizeof(text), "%u\n", i);

		if (write(STDOUT_FILENO, text, (size_t)n) != n)
			return 1;
	} else {
		writer_failed("segment", i, err);
	}
	if (i % ROLL == ROLL - 1 && as_store_roll(st, begin + MINUTE, err) != AS_OK)
		writer_failed("roll", i, err);
	return 0;
}

int main(int argc, char **argv)
{
	struct as_store_opts opts = {.host = "box", .remove_at_once = true};
	struct as_err err = AS_ERR_NONE;
	uint32_t first, n;
	struct as_store *st;
	int status = 0;

	if (argc != 5)
		return 2;
	opts.dir = argv[1];
	first = (uint32_t)strtoul(argv[3], NULL, 10);
	n = (uint32_t)strtoul(argv[4], NULL, 10);
	opts.now_ns = BEGIN + first * MINUTE;
	if (as_store_open(&as_alloc_host, &opts, &st, &err) != AS_OK) {
		writer_failed("open", first, &err);
		return 3;
	}
	for (uint32_t i = first; i < first + n && !status; i++)
		status = writer_write(st, i, argv[2][0] == 'f', &err);
	as_store_close(st);
	return status;
}
