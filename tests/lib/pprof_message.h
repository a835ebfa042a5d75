/* SPDX-License-Identifier: Apache-2.0 */
/* Messages of pprof, field by field, for tests with cmocka. */
#ifndef AS_TESTS_PPROF_MESSAGE_H
#define AS_TESTS_PPROF_MESSAGE_H

#include "formats/pprof/pprof.h"

/* A message in the making. */
struct msg {
	char data[1 << 16];
	size_t n;
};

static inline void put_number(struct msg *m, unsigned field, uint64_t v)
{
	assert_true(m->n + 2 * (size_t)AS_PB_VARINT_MAX <= sizeof(m->data));
	m->data[m->n++] = (char)(field << 3 | AS_PB_VARINT);
	m->n = (size_t)(as_pb_put_varint(m->data + m->n, v) - m->data);
}

static inline void put_bytes(struct msg *m, unsigned field, const void *p, size_t n)
{
	assert_true(m->n + AS_PB_VARINT_MAX + 1 + n <= sizeof(m->data));
	m->data[m->n++] = (char)(field << 3 | AS_PB_BYTES);
	m->n = (size_t)(as_pb_put_varint(m->data + m->n, n) - m->data);
	if (n)
		memcpy(m->data + m->n, p, n);
	m->n += n;
}

static inline void put_text(struct msg *m, const char *text)
{
	put_bytes(m, PB_STRING_TABLE, text, strlen(text));
}

/* NAME and SYSTEM are strings. */
static inline void put_function(
	struct msg *m, uint64_t id, uint64_t name, uint64_t system, uint64_t line)
{
	struct msg one = {.n = 0};

	put_number(&one, PB_FUNC_ID, id);
	put_number(&one, PB_FUNC_NAME, name);
	put_number(&one, PB_FUNC_SYSTEM, system);
	put_number(&one, PB_FUNC_START, line);
	put_bytes(m, PB_FUNCTION, one.data, one.n);
}

/* FUNC: N functions, the innermost first. */
static inline void put_location(struct msg *m, uint64_t id, const uint64_t *func, unsigned n)
{
	struct msg one = {.n = 0};

	put_number(&one, PB_LOC_ID, id);
	put_number(&one, PB_LOC_ADDR, 4096 + id);
	for (unsigned i = 0; i < n; i++) {
		struct msg line = {.n = 0};

		put_number(&line, PB_LINE_FUNC, func[i]);
		put_number(&line, PB_LINE_LINE, id);
		put_bytes(&one, PB_LOC_LINE, line.data, line.n);
	}
	put_bytes(m, PB_LOCATION, one.data, one.n);
}

/* LOC: N locations, the leaf first; two values. */
static inline void put_sample(
	struct msg *m, const uint64_t *loc, unsigned n, const int64_t value[2])
{
	struct msg one = {.n = 0};

	for (unsigned i = 0; i < n; i++)
		put_number(&one, PB_SAMPLE_LOCATION, loc[i]);
	put_number(&one, PB_SAMPLE_VALUE, (uint64_t)value[0]);
	put_number(&one, PB_SAMPLE_VALUE, (uint64_t)value[1]);
	put_bytes(m, PB_SAMPLE, one.data, one.n);
}

/* Two types; strings 3 to 7 are names of functions. */
static inline void put_head(struct msg *m)
{
	static const char *const text[] = {"", "samples", "cpu", "f", "g", "h", "_Zf", "_Zg"};
	static const char type[2][2] = {
		{PB_VALUE_TYPE << 3 | AS_PB_VARINT, 1}, {PB_VALUE_TYPE << 3 | AS_PB_VARINT, 2}};

	m->n = 0;
	put_bytes(m, PB_SAMPLE_TYPE, type[0], 2);
	put_bytes(m, PB_SAMPLE_TYPE, type[1], 2);
	for (size_t i = 0; i < AS_ARRAY_LEN(text); i++)
		put_text(m, text[i]);
}

#endif
