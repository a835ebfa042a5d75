/* SPDX-License-Identifier: Apache-2.0 */
#include "base/duration.h"
#include "cli/cli.h"
#include "cli/env.h"
#include "session/urls.h"

#define MOST_BYTES ((uint64_t)1 << 30)
#define MOST_MS UINT64_C(120000)

enum { MOST_HEADERS = 64 << 10 };

/* Variables of the environment that curl(1) has, too. */
static const char *ca_file(void)
{
	const char *path = as_env("CURL_CA_BUNDLE");

	return path ? path : as_env("SSL_CERT_FILE");
}

/* Secrets stand in a file or in a variable, not in the command line, which others see. */
static enum as_exit url_headers(
	const struct as_cli *cli, struct as_urls *urls, struct as_slice text, const char *where)
{
	uint64_t line = as_urls_headers(urls, text);
	char told[512];

	if (line == UINT64_MAX)
		return as_say_no_memory(&cli->ses);
	if (!line)
		return AS_EXIT_OK;
	(void)snprintf(
		told, sizeof(told), "%s: line %" PRIu64 " is no header for a server", where, line);
	return as_say_usage(
		&cli->ses, told, "as in: https://host:4040 Authorization: Bearer TOKEN");
}

static enum as_exit url_headers_file(
	const struct as_cli *cli, struct as_urls *urls, const char *path)
{
	enum as_exit rc = AS_EXIT_OK;
	struct as_err err = AS_ERR_NONE;
	struct as_slice text;
	struct as_src *src;
	struct as_in in;

	AS_DO(as_say_code(&cli->ses, as_file_open(cli->ses.al, path, NULL, &src, &err), &err));
	if (as_in_open(&in, cli->ses.al, src, &err) != AS_OK) {
		as_file_close(src);
		return as_say_failed(&cli->ses, &err, NULL);
	}
	if (as_in_peek(&in, MOST_HEADERS + 1, &text) != AS_OK)
		rc = as_say_failed(&cli->ses, &err, NULL);
	else if (text.len > MOST_HEADERS)
		rc = as_say_usage(&cli->ses, "the file of --headers is too large",
			"it has a line for each header: at most 64 KB");
	else
		rc = url_headers(cli, urls, text, path);
	as_in_close(&in);
	as_file_close(src);
	return rc;
}

static enum as_exit url_all_headers(const struct as_cli *cli, struct as_urls *urls)
{
	const char *variable = as_env("ASSAY_HEADERS");

	if (variable)
		AS_DO(url_headers(cli, urls, as_slice_of(variable), "ASSAY_HEADERS"));
	return cli->ses.opt.url.headers ? url_headers_file(cli, urls, cli->ses.opt.url.headers)
					: AS_EXIT_OK;
}

enum as_exit as_cli_url_limits(const struct as_cli *cli, struct as_urls *urls)
{
	const struct as_asked_url *opt = &cli->ses.opt.url;
	int64_t ns = (int64_t)MOST_MS * 1000000;

	urls->opts.insecure = opt->insecure;
	urls->opts.ca_file = ca_file();
	urls->opts.max_bytes = MOST_BYTES;
	if (opt->max_download && !as_cli_size(opt->max_download, &urls->opts.max_bytes))
		return as_say_usage(&cli->ses, "option '--max-download' takes a size",
			"as in --max-download 4G, or 100M; 0 = no limit");
	if (!urls->opts.max_bytes)
		urls->opts.max_bytes = UINT64_MAX;
	if (opt->timeout && (!as_duration_ns(as_slice_of(opt->timeout), &ns) || ns < 1000000))
		return as_say_usage(
			&cli->ses, "option '--timeout' takes a time", "as in --timeout 30s, or 5m");
	urls->max_ms = (uint64_t)ns / 1000000;
	return url_all_headers(cli, urls);
}
