/* SPDX-License-Identifier: Apache-2.0 */
/* assay open: the page of `assay share`, in the browser at once. */
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/page/browser.h"
#include "cli/page/chosen.h"
#include "cli/page/share_cmd.h"
#include "serve/serve.h"

struct open_args {
	struct as_share_args share;
	struct as_num port;
	bool serve;
};

static const struct as_optdef open_opts[] = {
	AS_OPTION(open_args, serve, 0, "serve", NULL,
		"answer a browser on this machine, until Ctrl-C, instead of writing a file"),
	AS_OPTION(open_args, port, 0, "port", "N", "of --serve; default: any that is free"),
	AS_SHARE_OPTIONS(open_args),
	AS_OPTION_END,
};

enum { PORT_USUAL = 7777 };

static enum as_exit open_check(struct as_cli *cli, const struct open_args *args)
{
	if (args->port.given && (!args->serve || args->port.value > UINT16_MAX))
		return as_say_usage(&cli->ses,
			"option '--port' takes 0 to 65535, and needs --serve",
			"as in --serve --port 7777");
	if (args->serve && !as_serve_version()[0])
		return as_say_end(&cli->ses, AS_EXIT_UNSUPPORTED,
			"there is no libmicrohttpd here: no --serve",
			"without --serve the page is a file");
	return AS_EXIT_OK;
}

static void host_name(char *text, size_t size)
{
	if (gethostname(text, size) != 0 || !text[0])
		snprintf(text, size, "HOST");
	text[size - 1] = '\0';
}

/* ---- a file ---- */

static enum as_exit open_write_failed(struct as_share *s, struct as_err *err, const char *path)
{
	unlink(path);
	as_escape(err->name, sizeof(err->name), path, strlen(path));
	as_say_failed(&s->ses, err, "another folder: TMPDIR; or write it yourself: assay share");
	return AS_EXIT_OUTPUT;
}

static enum as_exit open_write_file(struct as_share *s, int fd, const char *path, uint64_t *size)
{
	struct as_sink_fd sink;
	struct as_err err = AS_ERR_NONE;
	struct as_out out;
	enum as_exit rc;

	as_sink_fd_init(&sink, fd);
	if (as_out_open(&out, s->ses.al, &sink.sink, &err) != AS_OK)
		return open_write_failed(s, &err, path);
	rc = as_share_write(s, &out);
	as_out_flush(&out);
	*size = out.off;
	if (as_out_finish(&out) != AS_OK)
		return open_write_failed(s, &err, path);
	if (rc != AS_EXIT_OK)
		unlink(path);
	return rc;
}

/* "xdg-open failed with status 3", "no display, no browser" */
static void say_why(struct as_out *out, const struct as_browser *b)
{
	if (b->is == AS_BROWSER_FAILED && WIFSIGNALED(b->status))
		as_out_printf(out, "%s was ended by signal %d", b->name, WTERMSIG(b->status));
	else if (b->is == AS_BROWSER_FAILED)
		as_out_printf(out, "%s failed with status %d", b->name, WEXITSTATUS(b->status));
	else
		as_out_printf(out, "%s",
			as_browser_is_ssh() ? "ssh session without a display"
					    : "no display, no browser");
}

/* Nothing here can show it: say what can be done. */
static enum as_exit tell_where(
	struct as_cli *cli, const char *path, uint64_t size, const struct as_browser *b)
{
	char host[256];
	struct as_out *out;

	host_name(host, sizeof(host));
	AS_DO(as_cli_out(cli, &out));
	say_why(out, b);
	as_out_printf(out, ": wrote %s (%" PRIu64 ".%" PRIu64 " MB)\n", path, size / 1000000,
		size / 100000 % 10);
	if (b->is == AS_BROWSER_FAILED) {
		as_out_printf(out, "open that file in a browser, or name one: BROWSER=firefox\n");
		return AS_EXIT_OK;
	}
	as_out_printf(out,
		"copy it, or run  assay open --serve --port %d FILE  and  ssh -L "
		"%d:localhost:%d %s\n",
		PORT_USUAL, PORT_USUAL, PORT_USUAL, host);
	return AS_EXIT_OK;
}

static enum as_exit open_one_file(struct as_cli *cli, struct as_share *s)
{
	char path[AS_BROWSER_PATH];
	struct as_browser b = {.is = AS_BROWSER_NONE};
	uint64_t size = 0;
	int fd;
	enum as_exit rc;

	AS_DO(as_browser_file(cli, path, &fd));
	rc = open_write_file(s, fd, path, &size);
	close(fd);
	AS_DO(rc);
	if (as_browser_is_here())
		b = as_browser_start(path);
	if (b.is != AS_BROWSER_STARTED)
		return tell_where(cli, path, size, &b);
	as_say_note(&cli->ses, "opened %s", path);
	return AS_EXIT_OK;
}

/* ---- serving ---- */

static enum as_exit say_address(struct as_cli *cli, const struct as_serve *serve)
{
	unsigned port = as_serve_port(serve);
	char host[256];
	struct as_out *out;

	host_name(host, sizeof(host));
	AS_DO(as_cli_out(cli, &out));
	as_out_printf(out,
		"http://127.0.0.1:%u/%s/   Ctrl-C ends; from elsewhere  ssh -L %u:localhost:%u "
		"%s\n",
		port, as_serve_token(serve), port, port, host);
	return as_cli_out_close(cli, AS_EXIT_OK);
}

static enum as_exit serve_until(
	struct as_cli *cli, const struct as_serve_opts *opts, const sigset_t *ends)
{
	struct as_serve *serve;
	struct as_err err = AS_ERR_NONE;
	enum as_exit rc = AS_EXIT_OK;
	int sig;

	if (as_serve_start(&serve, cli->ses.al, opts, &err) != AS_OK)
		rc = as_say_failed(
			&cli->ses, &err, "another port: --port N; any that is free: without it");
	AS_THEN(rc, say_address(cli, serve));
	if (rc == AS_EXIT_OK)
		sigwait(ends, &sig);
	as_serve_stop(serve);
	return rc;
}

/* Signals that end serving are waited for: they are blocked before its thread begins. */
static enum as_exit serve_page(struct as_cli *cli, const struct open_args *args,
	struct as_slice page, struct as_chosen *chosen)
{
	struct as_serve_opts opts = {.port = (uint16_t)args->port.value,
		.page = page,
		.choose = chosen ? as_chosen_page : NULL,
		.ctx = chosen};
	sigset_t ends, before;
	enum as_exit rc;

	sigemptyset(&ends);
	sigaddset(&ends, SIGINT);
	sigaddset(&ends, SIGTERM);
	sigaddset(&ends, SIGHUP);
	pthread_sigmask(SIG_BLOCK, &ends, &before);
	rc = serve_until(cli, &opts, &ends);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return rc;
}

static enum as_exit serve_share(struct as_cli *cli, struct as_share *s,
	const struct open_args *args, struct as_chosen *chosen)
{
	struct as_sink_mem page;
	enum as_exit rc;

	as_sink_mem_init(&page, cli->ses.al);
	rc = as_share_to_memory(s, &page);
	AS_THEN(rc, serve_page(cli, args, (struct as_slice){page.data.p, page.data.n}, chosen));
	as_sink_mem_release(&page);
	return rc;
}

/* Of a store the page has controls, which choose anew. */
static enum as_exit open_serve(struct as_cli *cli, struct as_share *s, const struct open_args *args)
{
	const char *path = cli->n_operands ? cli->operand[0] : NULL;
	const char *base = cli->n_operands > 1 ? cli->operand[1] : NULL;
	struct as_chosen chosen;
	enum as_exit rc;

	if (!as_chosen_can(path, base))
		return serve_share(cli, s, args, NULL);
	rc = as_chosen_begin(&chosen, cli, &args->share, path, base);
	s->controls = as_chosen_controls(&chosen);
	AS_THEN(rc, serve_share(cli, s, args, &chosen));
	as_chosen_release(&chosen);
	return rc;
}

static enum as_exit open_run(struct as_cli *cli, const void *argp)
{
	const struct open_args *args = argp;
	struct as_files file = {cli->operand, cli->n_operands ? 1 : 0}, base = {0};
	struct as_share s;
	enum as_exit rc;

	AS_DO(open_check(cli, args));
	if (cli->n_operands > 1)
		base = (struct as_files){cli->operand + 1, 1};
	rc = as_share_plan(&s, &cli->ses, &args->share);
	AS_THEN(rc, as_cli_unit(cli, args->share.unit, 0));
	AS_THEN(rc, as_share_read(&s, file, base));
	if (rc == AS_EXIT_OK && (s.count.source.n || s.count.binary.n || s.left_out.file.n))
		as_share_tell(&s, "the page");
	AS_THEN(rc, args->serve ? open_serve(cli, &s, args) : open_one_file(cli, &s));
	as_share_release(&s);
	return rc;
}

const struct as_cmd as_cmd_open = {
	AS_COMMAND(open, "[FILE [BASE]]", 0, 2, open_run),
	AS_OWN_OPTIONS(open_opts, open_args),
	.brief = "a profile in the browser; without FILE, an empty page to drop one on",
	.about = "The page is that of `assay share', in a file of your own that nobody else can "
		 "read; "
		 "those\n"
		 "of earlier days are removed. $BROWSER, xdg-open or sensible-browser shows it; "
		 "where "
		 "there\n"
		 "is no display, what to do is printed. --serve answers on 127.0.0.1 only, below a "
		 "path\n"
		 "that cannot be guessed; of a store the page has controls then: service, event, "
		 "labels,\n"
		 "hosts, time, and what it is compared with.\n",
	.examples = "assay open cpu.prof\tlook at it\n"
		    "assay open new.prof old.prof\twhat has changed\n"
		    "assay open\tan empty page: drop a profile on it\n"
		    "assay open --serve --port 7777 cpu.prof\tfrom another machine, by ssh -L\n"
		    "assay open --serve 'store:?service=api&since=1h'\tthe fleet, with controls",
	.groups = AS_SHARE_GROUPS,
};
