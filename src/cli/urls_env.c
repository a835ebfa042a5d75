/* SPDX-License-Identifier: Apache-2.0 */
#include "base/duration.h"
#include "cli/cli.h"
#include "cli/env.h"
#include "cli/symbols_env.h"
#include "session/urls.h"

#define MOST_BYTES ((uint64_t)1 << 30)
#define MOST_MS UINT64_C(120000)

/* Variables of the environment that curl(1) has, too. */
static const char *ca_file(void)
{
	const char *path = as_env("CURL_CA_BUNDLE");

	return path ? path : as_env("SSL_CERT_FILE");
}

enum as_exit as_cli_url_limits(const struct as_cli *cli, struct as_urls *urls)
{
	const struct as_asked_url *opt = &cli->ses.opt.url;
	int64_t ns = (int64_t)MOST_MS * 1000000;

	urls->opts.insecure = opt->insecure;
	urls->opts.ca_file = ca_file();
	urls->opts.max_bytes = MOST_BYTES;
	if (opt->max_download && !as_cli_size(opt->max_download, &urls->opts.max_bytes))
		return as_say_end(&cli->ses, AS_EXIT_USAGE, "option '--max-download' takes a size",
			"as in --max-download 4G, or 100M; 0 = no limit");
	if (!urls->opts.max_bytes)
		urls->opts.max_bytes = UINT64_MAX;
	if (opt->timeout && (!as_duration_ns(as_slice_of(opt->timeout), &ns) || ns < 1000000))
		return as_say_end(&cli->ses, AS_EXIT_USAGE, "option '--timeout' takes a time",
			"as in --timeout 30s, or 5m");
	urls->max_ms = (uint64_t)ns / 1000000;
	return AS_EXIT_OK;
}
