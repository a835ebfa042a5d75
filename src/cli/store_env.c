/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/store_env.h"

#include <stdio.h>

#include "cli/env.h"
#include "io/url.h"
#include "session/urls.h"

enum { LIST_BYTES = 64 << 10, VARIABLE = 128 };

/* ---- which store ---- */

/* Lines "NAME URL" of the user's; its text is ARENA's, which is empty where there is no file. */
static struct as_slice store_list(struct as_arena *arena, const char **path)
{
	const char *xdg = as_env_path("XDG_CONFIG_HOME"), *home = as_env_path("HOME");
	char *text = as_arena_get(arena, LIST_BYTES);
	size_t n = 0;
	FILE *f;

	*path = xdg    ? as_arena_printf(arena, "%s/assay/stores", xdg).p
		: home ? as_arena_printf(arena, "%s/.config/assay/stores", home).p
		       : NULL;
	f = *path && text ? fopen(*path, "re") : NULL;
	if (f) {
		n = fread(text, 1, LIST_BYTES, f);
		fclose(f);
	}
	return (struct as_slice){text, n};
}

static enum as_exit store_unknown(
	const struct as_cli *cli, struct as_slice name, const char *variable, const char *path)
{
	char what[256], hint[1024];

	if (name.len)
		snprintf(what, sizeof(what), "there is no store '%.*s'", AS_SLICE_FMT(name));
	else
		snprintf(what, sizeof(what), "which store? %s is not set", variable);
	snprintf(hint, sizeof(hint), "%s=http://HOST:8123/DATABASE%s%s%s", variable,
		path && name.len ? "; or a line \"NAME URL\" in " : "",
		path && name.len ? path : "", name.len ? "" : ", or --store URL");
	return as_say_usage(&cli->ses, what, hint);
}

static enum as_exit store_url(const struct as_cli *cli, struct as_arena *arena,
	struct as_slice name, struct as_fleet_opts *opts)
{
	char variable[VARIABLE];
	const char *path = NULL;
	struct as_slice list, url;

	if (!as_fleet_variable(name, variable, sizeof(variable)))
		return as_say_usage(&cli->ses,
			"the name of a store has letters, digits, '-', '_' and '.' only",
			"store:NAME, or store:http://HOST:8123/DATABASE");
	opts->url = as_env(variable);
	if (opts->url)
		return AS_EXIT_OK;
	list = store_list(arena, &path);
	if (!name.len || !as_fleet_listed(list, name, &url))
		return store_unknown(cli, name, variable, path);
	opts->url = as_arena_dup(arena, url).p;
	return opts->url ? AS_EXIT_OK : as_say_no_memory(&cli->ses);
}

/* ---- who asks ---- */

/* The file that curl(1) takes, and most that ask servers. */
static const char *store_netrc(struct as_arena *arena)
{
	const char *path = as_env("NETRC"), *home = as_env_path("HOME");

	return path ? path : home ? as_arena_printf(arena, "%s/.netrc", home).p : NULL;
}

enum as_exit as_cli_store(
	void *ctx, struct as_arena *arena, struct as_slice name, struct as_fleet_opts *opts)
{
	const struct as_cli *cli = ctx;
	struct as_urls urls;

	if (!opts->url)
		AS_DO(store_url(cli, arena, name, opts));
	opts->user = as_env("ASSAY_STORE_USER");
	opts->password = as_env("ASSAY_STORE_PASSWORD");
	opts->netrc = store_netrc(arena);
	as_urls_init(&urls, cli->ses.al);
	AS_DO(as_cli_url_limits(cli, &urls));
	opts->http = urls.opts;
	opts->timeout_ms = urls.max_ms;
	return AS_EXIT_OK;
}

enum as_exit as_cli_store_failed(
	const struct as_cli *cli, const struct as_fleet *f, const struct as_err *err)
{
	const char *way = f ? as_fleet_way(f) : NULL;

	if (!way && err->code == AS_E_ARG)
		way = "as in http://HOST:8123/DATABASE, or with ?cluster=NAME behind it";
	return as_say_failed(&cli->ses, err, way);
}

enum as_exit as_cli_store_labels(
	const struct as_cli *cli, const struct as_list *list, struct as_fleet_label *label)
{
	for (size_t i = 0; i < list->n; i++) {
		struct as_slice value = as_slice_of(list->p[i]), key;

		if (!as_slice_cut(&value, '=', &key) || !key.len || !value.p)
			return as_say_usage(&cli->ses, "option '--label' takes KEY=VALUE",
				"as in --label version=1.5");
		label[i] = (struct as_fleet_label){key, value};
	}
	return AS_EXIT_OK;
}

enum as_exit as_cli_store_named(
	struct as_cli *cli, struct as_arena *arena, const char *word, struct as_fleet_opts *opts)
{
	struct as_fleet_path path = {.name = as_slice_of(word)};

	if (word && as_fleet_named(word, &path)) {
		if (path.url.len)
			opts->url = word + strlen("store:");
	} else if (word && as_url_is(word)) {
		opts->url = word;
	}
	return as_cli_store(cli, arena, path.name, opts);
}

enum as_exit as_cli_store_open(
	struct as_cli *cli, struct as_arena *arena, const char *word, struct as_fleet **out)
{
	struct as_fleet_opts opts = {0};
	struct as_err err = AS_ERR_NONE;

	AS_DO(as_cli_store_named(cli, arena, word, &opts));
	if (as_fleet_open(cli->ses.al, &opts, out, &err) != AS_OK)
		return as_cli_store_failed(cli, NULL, &err);
	return AS_EXIT_OK;
}
