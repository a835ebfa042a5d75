/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Any bytes as what a server says: an error of it is found wherever it begins, and its words are
 * of the answer; and as the address of a store, and as text that is quoted.
 */
#include "fleet/fleet_says.h"
#include "fleet/fleet_sql.h"
#include "lib/fuzz_must.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void is_within(struct as_slice part, struct as_slice whole)
{
	must(!part.len || (part.p >= whole.p && part.p + part.len <= whole.p + whole.len));
}

static void what_is_said(struct as_slice body)
{
	struct as_fleet_says says, late;
	enum as_fleet_fault fault;
	struct as_err err;
	const char *way;

	as_err_clear(&err);
	as_fleet_says(body, &says);
	is_within(says.text, body);
	must(as_fleet_said(&says, 500, &way, &fault, &err) == AS_E_IO);
	must(err.msg[0] && fault != AS_FLEET_FINE);
	must(as_slice_is_text(as_slice_of(err.msg)));
	if (as_fleet_says_late(body, &late)) {
		is_within(late.text, body);
		must(as_slice_find_text(body, "Code: ") < body.len);
	}
}

static void an_address(struct as_slice url)
{
	struct as_fleet_address a;
	struct as_err err;

	as_err_clear(&err);
	if (as_fleet_address(url, &a, &err) != AS_OK) {
		must(err.code == AS_E_ARG);
		return;
	}
	must(a.n_servers && a.n_servers <= AS_FLEET_SERVERS && !as_slice_has(url, '@'));
	for (size_t i = 0; i < a.n_servers; i++)
		is_within(a.server[i], url);
	is_within(a.database, url);
	is_within(a.cluster, url);
}

/* Read as the server does, a text in quotes is what it was. */
static void quoted(struct as_slice text)
{
	struct as_sql sql = {.al = &as_alloc_libc};
	struct as_slice rest;
	uint64_t byte;

	as_sql_quote(&sql, text);
	must(!sql.failed && sql.text.n >= 2);
	must(sql.text.p[0] == '\'' && sql.text.p[sql.text.n - 1] == '\'');
	rest = (struct as_slice){sql.text.p + 1, sql.text.n - 2};
	for (size_t i = 0; i < text.len; i++) {
		must(rest.len && rest.p[0] != '\'');
		byte = (unsigned char)rest.p[0];
		if (byte == '\\') {
			must(rest.len >= 4 && rest.p[1] == 'x');
			must(as_slice_hex((struct as_slice){rest.p + 2, 2}, &byte));
			rest = as_slice_skip(rest, 3);
		}
		must(byte == (unsigned char)text.p[i]);
		rest = as_slice_skip(rest, 1);
	}
	must(!rest.len);
	as_sql_release(&sql);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct as_slice text = {(const char *)data, size};

	what_is_said(text);
	an_address(text);
	quoted(text);
	return 0;
}
