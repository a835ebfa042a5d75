/* SPDX-License-Identifier: Apache-2.0 */
/* assay live: what is hot now. */
#define _GNU_SOURCE
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

#include "base/duration.h"
#include "cli/live/live.h"
#include "io/out_file.h"
#include "term/term.h"

enum { RATE_DEFAULT = 99, HOST_BYTES = 256, ROWS_DEFAULT = 20, HEAD_LINES = 4, MARK_FIRST = 3 };

#define NS_PER_S INT64_C(1000000000)
#define EACH_MIN_NS (NS_PER_S / 10)
#define EACH_MAX_NS (3600 * NS_PER_S)

struct as_live_args {
	struct as_num pid, rate, rows, screens;
	const char *process, *each, *db, *host;
	struct as_list unit, label;
	unsigned by;
	bool cumulative, once, own;
};

static const struct as_optdef live_opts[] = {
	AS_OPTION(as_live_args, pid, 'p', "pid", "PID", "of this process alone"),
	AS_OPTION(as_live_args, process, 0, "process", "NAME", "of processes of this name alone"),
	AS_OPTION(as_live_args, unit, 0, "unit", "NAME",
		"of this unit of systemd's alone: nginx, cron.service; may be repeated"),
	AS_OPTION(as_live_args, label, 0, "label", "KEY[=VALUE]",
		"of what has this label alone: label=nightly; may be repeated"),
	AS_OPTION(as_live_args, own, 0, "own", NULL,
		"by events of its own, also where a daemon records"),
	AS_OPTION(as_live_args, rate, 'F', "frequency", "HZ",
		"of its own samples a second of each processor, 1 to 20000; default 99"),
	AS_OPTION(as_live_args, db, 0, "db", "DIR",
		"ask the daemon that records into this database, and no other"),
	AS_OPTION(as_live_args, host, 0, "host", "NAME",
		"what this machine is called there; default its name"),
	AS_OPTION(as_live_args, each, 'd', "delay", "SECONDS",
		"between screens, 0.1 to 3600; default 1"),
	AS_OPTION(as_live_args, by, 'b', "by", "function|object|process|line", "what a row is"),
	AS_OPTION(as_live_args, cumulative, 0, "cumulative", NULL, "order by inclusive cost"),
	AS_OPTION(as_live_args, rows, 'n', "rows", "N",
		"rows; default: as many as fit, of text 20; 0 = all"),
	AS_OPTION(as_live_args, once, 0, "once", NULL, "one screen as text, of the first interval"),
	AS_OPTION(as_live_args, screens, 0, "screens", "N", "so many of them; 0 = until Ctrl-C"),
	AS_OPTION_END,
};

static int64_t live_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * NS_PER_S + t.tv_nsec;
}

/* ---- what is asked ---- */

static enum as_exit live_check(struct as_cli *cli, const struct as_live_args *args, int64_t *each)
{
	*each = NS_PER_S;
	if (args->pid.given && (!args->pid.value || args->pid.value > INT_MAX))
		return as_say_usage(
			&cli->ses, "option '--pid' takes the number of a process", NULL);
	if (args->rate.given && (args->rate.value < 1 || args->rate.value > AS_PERF_HZ_MAX))
		return as_say_usage(&cli->ses, "option '--frequency' is from 1 to 20000", NULL);
	if (args->each && (!as_duration_ns(as_slice_of(args->each), each) || *each < EACH_MIN_NS ||
				  *each > EACH_MAX_NS))
		return as_say_usage(&cli->ses, "option '--delay' is from 0.1 to 3600 seconds",
			"for instance -d 2");
	if (args->once && args->screens.given)
		return as_say_usage(&cli->ses, "'--once' is '--screens 1': one of them", NULL);
	if ((args->own || args->rate.given) && args->db)
		return as_say_usage(&cli->ses,
			args->own
				? "'--own' asks no daemon: not with '--db'"
				: "the daemon has a rate of its own: not '--frequency' with '--db'",
			NULL);
	return AS_EXIT_OK;
}

/* A process that is not there would have no samples, for ever. */
static enum as_exit live_find_pid(struct as_cli *cli, const struct as_live_args *args)
{
	if (!args->pid.given || kill((pid_t)args->pid.value, 0) == 0 || errno != ESRCH)
		return AS_EXIT_OK;
	return as_say_endf(&cli->ses, AS_EXIT_INPUT, "which processes there are: ps -e",
		"there is no process %" PRIu64, args->pid.value);
}

static enum as_exit live_failed(struct as_live *lv, const struct as_err *err)
{
	bool rights = err->sys_errno == EACCES || err->sys_errno == EPERM;
	bool of_daemon = lv->window.source.ask.only;

	if (!rights && err->code != AS_E_UNSUPPORTED)
		return as_say_failed(&lv->cli->ses, err,
			of_daemon ? "start one: assay daemon; which database: --db" : NULL);
	as_say_error(&lv->cli->ses, err->msg,
		of_daemon ? "it is another user's: without --db events of its own are taken"
			  : "what works here: assay doctor");
	return rights ? AS_EXIT_RIGHTS : AS_EXIT_UNSUPPORTED;
}

/* ---- screens ---- */

struct live_run {
	struct as_live lv;
	const struct as_live_args *args;
	struct as_term term;
	struct as_term_come come;
	struct as_out out; /* of text */
	struct as_err err;
	int64_t each, next; /* nanoseconds; when the next screen is due */
	uint64_t shown;     /* screens of text */
	bool anew;          /* the next interval begins a window */
};

static enum as_code live_draw(struct live_run *r)
{
	struct as_live *lv = &r->lv;
	struct as_style style = lv->cli->style;
	size_t limit, mark = SIZE_MAX;
	struct as_sink_mem mem;
	struct as_out out;
	unsigned lines;
	enum as_code rc;

	as_term_size(&style.width, &lines);
	limit = lines > HEAD_LINES ? lines - HEAD_LINES : 1;
	if (lv->rows.given && lv->rows.value && lv->rows.value < limit)
		limit = (size_t)lv->rows.value;
	as_sink_mem_init(&mem, lv->cli->ses.al);
	rc = as_out_open(&out, lv->cli->ses.al, &mem.sink, &r->err);
	if (rc == AS_OK) {
		rc = as_live_print(lv, &out, &style, limit, &r->err);
		if (as_out_finish(&out) != AS_OK && rc == AS_OK)
			rc = r->err.code;
	}
	if (lv->at >= lv->n_shown)
		lv->at = lv->n_shown ? lv->n_shown - 1 : 0;
	if (!lv->help && !lv->func[0] && lv->n_shown)
		mark = MARK_FIRST + lv->at;
	if (rc == AS_OK)
		lv->over |= !as_term_draw(
			&r->term, lv->cli->ses.al, (struct as_slice){mem.data.p, mem.data.n}, mark);
	as_sink_mem_release(&mem);
	return rc;
}

static enum as_code live_write(struct live_run *r)
{
	struct as_live *lv = &r->lv;
	size_t limit = lv->rows.given ? (size_t)lv->rows.value : ROWS_DEFAULT;

	if (r->shown++ && lv->cli->ses.opt.view.format <= AS_FORMAT_TEXT)
		as_out_char(&r->out, '\n');
	AS_TRY(as_live_print(lv, &r->out, &lv->cli->style, limit, &r->err));
	as_out_flush(&r->out);
	lv->over |= r->out.rc != AS_OK || r->args->once ||
		    (r->args->screens.value && r->shown >= r->args->screens.value);
	return AS_OK;
}

/* ---- the loop ---- */

/* Whether the window is to be turned before its time. Nobody took samples while we were away. */
static bool live_heed(struct live_run *r)
{
	bool turn, was_paused = r->lv.paused;

	as_term_take(&r->term, &r->come);
	turn = r->come.away;
	r->anew |= r->come.away;
	for (size_t i = 0; i < r->come.n && !r->lv.over; i++)
		turn |= as_live_key(&r->lv, r->come.key[i]);
	r->lv.over |= r->come.signal || r->come.hung_up;
	return turn || (was_paused && !r->lv.paused);
}

static int live_ms(const struct live_run *r)
{
	int64_t left = r->next - live_now();

	return left <= 0 ? 0 : left > NS_PER_S ? 1000 : (int)(left / 1000000) + 1;
}

/* A pause shows what there was when it began; behind it the window begins anew. */
static enum as_code live_turn(struct live_run *r)
{
	struct as_live_window *w = &r->lv.window;
	int64_t now = live_now();
	enum as_code rc;

	rc = r->lv.paused ? as_live_window_pass(w)
	     : r->anew    ? as_live_window_skip(w)
			  : as_live_window_turn(w);
	r->anew = r->lv.paused;
	r->next += r->each;
	if (r->next < now || r->next > now + r->each)
		r->next = now + r->each;
	return rc;
}

static enum as_code live_step(struct live_run *r)
{
	bool turn;

	AS_TRY(as_live_window_wait(&r->lv.window, r->term.events, live_ms(r)));
	turn = live_heed(r);
	if (r->lv.over)
		return AS_OK;
	if (turn || live_now() >= r->next) {
		AS_TRY(live_turn(r));
		return r->term.screen ? live_draw(r) : live_write(r);
	}
	return r->term.screen && (r->come.n || r->come.redraw) ? live_draw(r) : AS_OK;
}

static enum as_exit live_loop(struct live_run *r)
{
	enum as_code rc = AS_OK;

	r->next = live_now() + r->each;
	if (r->term.screen)
		rc = live_draw(r);
	while (rc == AS_OK && !r->lv.over)
		rc = live_step(r);
	as_term_close(&r->term);
	if (rc != AS_OK)
		return live_failed(&r->lv, r->err.code ? &r->err : &r->lv.window.err);
	if (r->come.signal && r->come.signal != SIGINT)
		as_term_die(r->come.signal);
	return AS_EXIT_OK;
}

/* Text and data go where they are read from as they come. */
static enum as_exit live_texts(struct live_run *r)
{
	struct as_cli *cli = r->lv.cli;
	struct as_sink_fd fd;
	enum as_exit rc;

	as_sink_fd_init(&fd, STDOUT_FILENO);
	AS_DO(as_say_code(&cli->ses, as_out_open(&r->out, cli->ses.al, &fd.sink, &r->err), NULL));
	rc = live_loop(r);
	if (as_out_finish(&r->out) == AS_OK || rc != AS_EXIT_OK)
		return rc;
	if (r->err.sys_errno == EPIPE)
		return as_cli_pipe_closed();
	as_say_failed(&cli->ses, &r->err, NULL);
	return AS_EXIT_OUTPUT;
}

static enum as_exit live_begin(struct live_run *r, bool screen)
{
	if (!as_term_open(&r->term, screen, NULL)) {
		as_term_close(&r->term);
		return as_say_end(&r->lv.cli->ses, AS_EXIT_UNSUPPORTED,
			"neither keys nor signals can be waited for here", "text instead: --once");
	}
	return screen ? live_loop(r) : live_texts(r);
}

/* Who asks for a rate means events of his own. */
static enum as_exit live_open(struct live_run *r, bool screen)
{
	const struct as_live_args *args = r->args;
	struct as_cli *cli = r->lv.cli;
	struct as_live_scope scope = {args->pid.value, args->process, &args->unit, &args->label};
	struct as_live_ask ask = {.host = args->host,
		.only = args->db,
		.hz = (uint32_t)(args->rate.given ? args->rate.value : RATE_DEFAULT)};
	char name[HOST_BYTES] = "";
	struct as_arena ar;
	enum as_exit rc;

	as_arena_init(&ar, cli->ses.al);
	if (!ask.host && gethostname(name, sizeof(name) - 1) == 0)
		ask.host = name;
	if (!args->own && !args->rate.given && ask.host)
		ask.db = args->db ? args->db : as_cli_database(NULL, &ar);
	if (as_live_window_open(&r->lv.window, &cli->ses, &scope, &ask) == AS_OK)
		rc = live_begin(r, screen);
	else
		rc = live_failed(&r->lv, &r->lv.window.err);
	as_live_window_close(&r->lv.window);
	as_arena_release(&ar);
	return rc;
}

static enum as_exit live_run(struct as_cli *cli, const void *argp)
{
	const struct as_live_args *args = argp;
	bool text = args->once || args->screens.given || cli->ses.opt.view.format > AS_FORMAT_TEXT;
	bool screen = !text && cli->ses.out_tty && isatty(STDIN_FILENO);
	struct live_run r = {.args = args,
		.lv = {.cli = cli,
			.screen = screen,
			.rows = args->rows,
			.by = args->by ? (enum as_live_by)(args->by - 1) : AS_LIVE_FUNCTION,
			.inclusive = args->cumulative}};
	enum as_exit rc;

	AS_DO(live_check(cli, args, &r.each));
	AS_DO(live_find_pid(cli, args));
	r.lv.each = (double)r.each * 1e-9;
	rc = live_open(&r, screen);
	as_filters_free(r.lv.filters);
	return rc;
}

const struct as_cmd as_cmd_live = {
	AS_COMMAND(live, "", 0, 0, live_run),
	AS_OWN_OPTIONS(live_opts, as_live_args),
	.brief = "what is hot now: of the machine, a process or a unit",
	.about = "Shows the hottest rows of the last ten seconds, again each second; h tells the "
		 "keys, q\n"
		 "ends. What a daemon records is shown, where one does; else the machine is "
		 "sampled, or,\n"
		 "without the rights, this user's processes. Into a file or a pipe it writes "
		 "text, screen\n"
		 "after screen. Nothing is kept: 'assay record -a' and 'assay daemon' do that.\n",
	.examples =
		"assay live\tthe hottest functions, the kernel's too\n"
		"assay live -p 1234\tof one process\n"
		"assay live --unit nginx --by line\tof a service, its lines\n"
		"assay live --label label=nightly\tof what 'assay daemon label nightly' marked\n"
		"assay live --once -d 5\tfive seconds, as text\n"
		"assay live --once -f json --by process\tfor programs",
	.groups = AS_GROUP_SYMBOLS | AS_GROUP_FORMAT,
};
