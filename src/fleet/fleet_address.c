/* SPDX-License-Identifier: Apache-2.0 */
#include "fleet/fleet_address.h"

#include <strings.h>

static const char store_word[] = "store:";

static size_t address_scheme(struct as_slice text)
{
	if (text.len >= 7 && strncasecmp(text.p, "http://", 7) == 0)
		return 7;
	return text.len >= 8 && strncasecmp(text.p, "https://", 8) == 0 ? 8 : 0;
}

bool as_fleet_named(const char *path, struct as_fleet_path *to)
{
	struct as_slice rest = as_slice_of(path), front;

	if (!as_slice_starts(rest, store_word))
		return false;
	rest = as_slice_skip(rest, strlen(store_word));
	front = (struct as_slice){rest.p, as_slice_find(rest, '?')};
	*to = (struct as_fleet_path){0};
	if (front.len < rest.len)
		to->query = as_slice_skip(rest, front.len + 1);
	*(address_scheme(front) ? &to->url : &to->name) = front;
	return true;
}

/* ---- the URL ---- */

static bool address_is_word(struct as_slice word, const char *others)
{
	for (size_t i = 0; i < word.len; i++) {
		char c = word.p[i];

		if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
			    (c && strchr(others, c))))
			return false;
	}
	return word.len > 0;
}

/* HOST, HOST:PORT, [V6]:PORT. */
static bool address_is_server(struct as_slice server)
{
	struct as_slice host = {server.p, as_slice_up_to_last(server, ']')}, port;
	uint64_t number;

	if (host.len) {
		if (host.p[0] != '[' ||
			!address_is_word((struct as_slice){host.p + 1, host.len - 2}, ":."))
			return false;
	} else {
		host.len = as_slice_find(server, ':');
		if (!address_is_word(host, ".-_"))
			return false;
	}
	port = as_slice_skip(server, host.len);
	return !port.len || (port.p[0] == ':' && as_slice_dec(as_slice_skip(port, 1), &number) &&
				    number > 0 && number < 65536);
}

static enum as_code address_servers(
	struct as_slice list, struct as_fleet_address *to, struct as_err *err)
{
	struct as_slice server;

	while (as_slice_cut(&list, ',', &server)) {
		if (!address_is_server(server))
			return as_err_set(err, AS_E_ARG,
				"the URL of a store names no server like this: '%.*s'",
				AS_SLICE_FMT(server));
		if (to->n_servers == AS_FLEET_SERVERS)
			return as_err_set(err, AS_E_ARG,
				"the URL of a store names more than %d servers", AS_FLEET_SERVERS);
		to->server[to->n_servers++] = server;
	}
	return AS_OK;
}

static enum as_code address_query(
	struct as_slice query, struct as_fleet_address *to, struct as_err *err)
{
	static const char key[] = "cluster=";
	struct as_slice part;

	while (query.len && as_slice_cut(&query, '&', &part)) {
		to->cluster = as_slice_skip(part, as_slice_starts(part, key) ? strlen(key) : 0);
		if (to->cluster.len == part.len || !address_is_word(to->cluster, "_-."))
			return as_err_set(err, AS_E_ARG,
				"the URL of a store says nothing but '?cluster=NAME' behind its "
				"database");
	}
	return AS_OK;
}

enum as_code as_fleet_address(struct as_slice url, struct as_fleet_address *to, struct as_err *err)
{
	struct as_slice rest = as_slice_skip(url, address_scheme(url)), servers = rest;
	struct as_slice query = {0};

	*to = (struct as_fleet_address){.tls = address_scheme(url) == 8};
	if (rest.len == url.len)
		return as_err_set(err, AS_E_ARG,
			"the URL of a store begins with http:// or "
			"https://");
	if (as_slice_has(rest, '@'))
		return as_err_set(err, AS_E_ARG,
			"the URL of a store has no user and password in it: it stands in command "
			"lines, which others can read");
	servers.len = as_slice_find(rest, '/');
	rest = as_slice_skip(rest, servers.len);
	if (rest.len)
		rest = as_slice_skip(rest, 1);
	to->database = (struct as_slice){rest.p, as_slice_find(rest, '?')};
	if (to->database.len < rest.len)
		query = as_slice_skip(rest, to->database.len + 1);
	AS_TRY(address_servers(servers, to, err));
	if (!address_is_word(to->database, "_"))
		return as_err_set(err, AS_E_ARG,
			"the URL of a store ends in the name of a database, of letters, digits and "
			"'_'");
	return address_query(query, to, err);
}

/* ---- names ---- */

bool as_fleet_variable(struct as_slice name, char *var, size_t size)
{
	static const char front[] = "ASSAY_STORE";
	size_t n = strlen(front);

	if ((name.len && !address_is_word(name, "-_.")) || n + 1 + name.len >= size)
		return false;
	memcpy(var, front, n);
	if (name.len)
		var[n++] = '_';
	for (size_t i = 0; i < name.len; i++) {
		char c = name.p[i];

		if (c >= 'a' && c <= 'z')
			c = (char)(c - 'a' + 'A');
		else if (c == '-' || c == '.')
			c = '_';
		var[n++] = c;
	}
	var[n] = '\0';
	return true;
}

bool as_fleet_listed(struct as_slice text, struct as_slice name, struct as_slice *url)
{
	struct as_slice line, word;

	while (as_slice_line(&text, true, &line)) {
		line = as_slice_chop(line);
		line.len = as_slice_find(line, '#');
		if (as_slice_word(&line, &word) && as_slice_eq(word, name) &&
			as_slice_word(&line, url))
			return true;
	}
	return false;
}
