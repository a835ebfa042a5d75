/* SPDX-License-Identifier: Apache-2.0 */
#include "fleet/fleet_says.h"

#include <errno.h>

enum { SHARD_AWAY = 279, SHOWN = 300, LATE_MOST = 64 << 10 };

static const char says_code[] = "Code: ";

/* "Code: 60, e.displayText() = DB::NetException: " or "Code: 60. DB::Exception: ", moved over. */
static bool says_head(struct as_slice *text, uint64_t *code)
{
	static const char *const between[] = {", e.displayText() = ", ". ", ", "};
	static const char end[] = "Exception: ";
	struct as_slice rest = *text;
	uint64_t number;
	size_t at;

	if (!as_slice_starts(rest, says_code))
		return false;
	rest = as_slice_skip(rest, strlen(says_code));
	if (!as_slice_take_dec(&rest, &number))
		return false;
	for (size_t i = 0; i < AS_ARRAY_LEN(between); i++) {
		if (!as_slice_starts(rest, between[i]))
			continue;
		rest = as_slice_skip(rest, strlen(between[i]));
		at = as_slice_find_text(rest, end);
		if (at >= as_slice_find(rest, ' '))
			return false;
		*text = as_slice_skip(rest, at + strlen(end));
		*code = number;
		return true;
	}
	return false;
}

/* Without what says which exception of C++ it was, and which version of the server. */
static struct as_slice says_words(struct as_slice text)
{
	size_t at;

	text.len = as_slice_find_text(text, ", e.what() = ");
	text.len = as_slice_find_text(text, " (version ");
	at = as_slice_find(text, '\n');
	if (at)
		text.len = at;
	return as_slice_trim(as_slice_chop(text));
}

/* BELOW is a list of why a shard could not be asked, a line for each try: the last of them. */
static void says_of_shard(struct as_slice below, struct as_slice *text)
{
	struct as_slice line;
	uint64_t code;

	as_slice_line(&below, true, &line);
	while (as_slice_line(&below, true, &line)) {
		line = as_slice_trim(as_slice_chop(line));
		if (!line.len || as_slice_starts(line, ", e.what() = "))
			continue;
		says_head(&line, &code);
		*text = says_words(line);
	}
}

void as_fleet_says(struct as_slice body, struct as_fleet_says *says)
{
	size_t at = as_slice_find_text(body, says_code);
	struct as_slice text;

	says->code = 0;
	says->text = says_words(body);
	if (at == body.len)
		return;
	text = as_slice_skip(body, at);
	if (!says_head(&text, &says->code))
		return;
	says->text = says_words(text);
	if (says->code == SHARD_AWAY)
		says_of_shard(text, &says->text);
}

/* The error is the last that was written, so nothing but text is behind its beginning; rows end in
 * numbers, whose bytes are no text. */
bool as_fleet_says_late(struct as_slice body, struct as_fleet_says *says)
{
	size_t n = 0;
	struct as_slice text;

	while (n < body.len && n < LATE_MOST &&
		as_slice_is_text((struct as_slice){body.p + body.len - n - 1, 1}))
		n++;
	if (!n)
		return false;
	text = as_slice_skip(body, body.len - n);
	while ((n = as_slice_find_text(text, says_code)) < text.len) {
		text = as_slice_skip(text, n);
		if (says_head(&text, &says->code)) {
			says->text = says_words(text);
			return true;
		}
		text = as_slice_skip(text, 1);
	}
	return false;
}

/* ---- what to think of it ---- */

/* Numbers of src/Common/ErrorCodes.cpp, which stay what they are. */
struct says_row {
	unsigned code;
	enum as_fleet_fault fault;
	bool rights;
	const char *what; /* in our words; NULL: the server's do */
	const char *way;
};

static const char says_who[] = "who asks: $ASSAY_STORE_USER and $ASSAY_STORE_PASSWORD, or a line "
			       "of ~/.netrc";
static const char says_init[] = "make the tables: assay store init --store URL";
static const char says_later[] = "wait a little, and try again";

static const struct says_row says_known[] = {
	{60, AS_FLEET_REFUSED, false, "there is no store in this database", says_init},
	{81, AS_FLEET_REFUSED, false, "there is no such database", says_init},
	{159, AS_FLEET_BUSY, false, "the server's own time for it was up", says_later},
	{164, AS_FLEET_REFUSED, true, "the user may only read", says_who},
	{192, AS_FLEET_REFUSED, true, "the server does not know the user", says_who},
	{193, AS_FLEET_REFUSED, true, "the password is wrong", says_who},
	{194, AS_FLEET_REFUSED, true, "the server wants a password", says_who},
	{195, AS_FLEET_REFUSED, true, "the user may not come from this address", says_who},
	{202, AS_FLEET_BUSY, false, "too many ask the server", says_later},
	{203, AS_FLEET_BUSY, false, NULL, says_later},
	{209, AS_FLEET_BUSY, false, NULL, says_later},
	{210, AS_FLEET_BUSY, false, NULL, says_later},
	{225, AS_FLEET_BUSY, false, "the replicas have no ZooKeeper", says_later},
	{241, AS_FLEET_REFUSED, false, "the server has no memory left for it",
		"ask for less: service=, since="},
	{242, AS_FLEET_BUSY, false, "the table can only be read now", says_later},
	{243, AS_FLEET_BUSY, false, "the server's disk is full", "assay store retain DAYS"},
	{252, AS_FLEET_BUSY, false, "too many parts wait to be merged",
		"push less often: larger segments, a server between"},
	{SHARD_AWAY, AS_FLEET_REFUSED, false, "a shard does not answer",
		"to do without it: partial=1 in the query of store:"},
	{285, AS_FLEET_BUSY, false, "too few replicas are there", says_later},
	{286, AS_FLEET_BUSY, false, "too few replicas are there", says_later},
	{319, AS_FLEET_AWAY, false, "nobody knows whether it was stored", says_later},
	{425, AS_FLEET_BUSY, false, NULL, says_later},
	{473, AS_FLEET_BUSY, false, NULL, says_later},
	{497, AS_FLEET_REFUSED, true, "the user may not do that", says_who},
	{516, AS_FLEET_REFUSED, true, "the user or the password is wrong", says_who},
	{999, AS_FLEET_BUSY, false, "ZooKeeper does not answer", says_later},
};

/* Of what says no number, or one that is not in the list. */
static struct says_row says_by_status(long status)
{
	struct says_row row = {.fault = AS_FLEET_REFUSED, .way = "the log of the server says more"};

	if (status == 401 || status == 403)
		return (struct says_row){
			.fault = AS_FLEET_REFUSED, .rights = true, .way = says_who};
	if (status == 408 || status == 429 || status == 502 || status == 503 || status == 504)
		return (struct says_row){.fault = AS_FLEET_BUSY, .way = says_later};
	if (status >= 300 && status < 400)
		row.what = "the server redirects, which is not followed";
	return row;
}

enum as_code as_fleet_said(const struct as_fleet_says *says, long status, const char **way,
	enum as_fleet_fault *fault, struct as_err *err)
{
	struct says_row row = says_by_status(status);
	struct as_slice text = says->text;
	bool cut = text.len > SHOWN;

	for (size_t i = 0; i < AS_ARRAY_LEN(says_known); i++)
		if (says_known[i].code == says->code)
			row = says_known[i];
	*way = row.way;
	*fault = row.fault;
	if (err && row.rights)
		err->sys_errno = EACCES;
	text.len = cut ? SHOWN : text.len;
	if (!says->code)
		return as_err_set(err, AS_E_IO, "%s%sthe server answers %ld%s%.*s%s",
			row.what ? row.what : "", row.what ? ": " : "", status,
			text.len ? ": " : "", AS_SLICE_FMT(text), cut ? "..." : "");
	return as_err_set(err, AS_E_IO, "%s%sthe server says %" PRIu64 ": %.*s%s",
		row.what ? row.what : "", row.what ? ": " : "", says->code, AS_SLICE_FMT(text),
		cut ? "..." : "");
}
