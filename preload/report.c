/* SPDX-License-Identifier: Apache-2.0 */
/* Our own lines for facts that the format has no field for; other readers skip them. */
#include "preload/sampler.h"

void as_complain(const char *what, const char *about)
{
	static const char head[] = "assay: ", end[] = "\n";
	struct iovec part[] = {{(void *)(uintptr_t)head, sizeof(head) - 1},
		{(void *)(uintptr_t)what, strlen(what)}, {(void *)(uintptr_t)about, strlen(about)},
		{(void *)(uintptr_t)end, 1}};

	as_raw3(SYS_writev, 2, (long)part, 4);
}

/* The words of the command line, a blank between them. */
static void put_command(struct as_words *w)
{
	char *buf = as_sampler.text + 3 * AS_TEXT_MAX;
	int fd = as_raw_open("/proc/self/cmdline", O_RDONLY, 0);
	long n = fd >= 0 ? as_raw_read(fd, buf, AS_TEXT_MAX) : 0;

	if (fd >= 0)
		as_raw_close(fd);
	if (n <= 0)
		return;
	if (n > 1 && buf[n - 1] == '\0')
		n--;
	for (long i = 0; i < n; i++)
		if (buf[i] == '\0')
			buf[i] = ' ';
	as_puts(w, "assay: command: ");
	as_put_escaped(w, buf, (size_t)n);
	as_puts(w, "\n");
}

static const char name_of_thread[] = "assay: name of thread ";

/* Of a process that ends without a word, as by _exit(). */
static void put_first_name(struct as_words *w)
{
	char name[AS_THREAD_NAME];
	int fd = as_raw_open("/proc/self/comm", O_RDONLY, 0);
	long n = fd >= 0 ? as_raw_read(fd, name, sizeof(name)) : 0;

	if (fd >= 0)
		as_raw_close(fd);
	if (n < 2)
		return;
	as_puts(w, name_of_thread);
	as_put_dec(w, (uint64_t)as_raw_pid());
	as_puts(w, ": ");
	as_put_escaped(w, name, (size_t)n - 1);
	as_puts(w, "\n");
}

static void put_pseudo(struct as_words *w, uint64_t pc, const char *name)
{
	uint64_t start = pc & ~UINT64_C(0xfff);

	as_put_number(w, start, 16, 12);
	as_puts(w, "-");
	as_put_number(w, start + 0x1000, 16, 12);
	as_puts(w, " r-xp 00000000 00:00 0 ");
	as_puts(w, name);
	as_puts(w, "\n");
}

static void report_add_text(const struct as_words *w)
{
	uint64_t at;

	as_spool_line(&as_sampler.spool, w->p, w->n, &at);
}

void as_report_begin(void)
{
	struct as_words w = {as_sampler.text, 0, 3 * AS_TEXT_MAX};

	put_pseudo(&w, AS_PC_TRUNCATED, "[truncated]");
	put_pseudo(&w, AS_PC_LOST, "[lost]");
	put_pseudo(&w, AS_PC_UNSAMPLED, "[unsampled]");
	as_puts(&w, "assay: no frames of a signal handler\n");
	put_command(&w);
	as_puts(&w, "assay: process: ");
	as_put_dec(&w, (uint64_t)as_raw_pid());
	as_puts(&w, "\nassay: started: ");
	as_put_seconds(&w, as_sampler.started_at);
	if (as_sampler.filter)
		as_puts(&w, "\nassay: filter: filter_in_thread");
	as_puts(&w, as_sampler.wall ? "\nassay: clock: wall\n" : "\nassay: clock: cpu\n");
	if (as_sampler.spool.marked)
		put_first_name(&w);
	report_add_text(&w);
}

void as_report_thread(const struct as_slot *slot)
{
	char text[128];
	struct as_words w = {text, 0, sizeof(text)};
	uint64_t mask;

	as_puts(&w, name_of_thread);
	as_put_dec(&w, (uint64_t)slot->tid);
	as_puts(&w, ": ");
	as_put_escaped(&w, slot->name, slot->n_name);
	as_puts(&w, "\n");
	as_lock(&as_sampler.busy, &mask);
	if (atomic_load(&as_sampler.file) == AS_FILE_OPEN)
		report_add_text(&w);
	as_unlock(&as_sampler.busy, &mask);
}

static bool report_begins(const char *p, size_t n, const char *with)
{
	return n >= strlen(with) && memcmp(p, with, strlen(with)) == 0;
}

/* A pseudo object that no sample needs. */
static bool report_is_idle(const char *p, size_t n)
{
	struct as_sampler *s = &as_sampler;

	if (!report_begins(p, n, "1fffffff"))
		return false;
	switch (p[8]) {
	case '0':
		return !atomic_load(&s->deep) && !atomic_load(&s->broken);
	case '1':
		return !atomic_load(&s->spool.lost_stacks);
	default:
		return !atomic_load(&s->unsampled);
	}
}

/* The lines that are there, without those that have gone and what no sample needs. UNMARKED: no
 * thread is told apart. */
static void report_put_lines(struct as_words *w, bool unmarked)
{
	const struct as_spool *s = &as_sampler.spool;
	const char *p = as_spool_bytes(s) + as_spool_text(s), *end = p + s->n_text;

	while (p < end) {
		const char *eol = memchr(p, '\n', (size_t)(end - p));
		size_t n = eol ? (size_t)(eol - p) : (size_t)(end - p);

		if (n && *p != '#' && !report_is_idle(p, n) &&
			!(unmarked && report_begins(p, n, name_of_thread))) {
			as_put(w, p, n);
			as_puts(w, "\n");
		}
		p += n + 1;
	}
}

static void report_put_count(struct as_words *w, const char *name, uint64_t n)
{
	if (!n)
		return;
	as_puts(w, "assay: ");
	as_puts(w, name);
	as_puts(w, ": ");
	as_put_dec(w, n);
	as_puts(w, "\n");
}

static void put_time(struct as_words *w, const char *name, uint64_t ns)
{
	as_puts(w, "assay: ");
	as_puts(w, name);
	as_puts(w, ": ");
	as_put_seconds(w, ns);
	as_puts(w, "\n");
}

static void put_threads(struct as_words *w)
{
	for (uint32_t i = 0; i < as_sampler.n_tallies; i++) {
		const struct as_tally *t = &as_sampler.tally[i];

		as_puts(w, "assay: threads: ");
		as_put_dec(w, t->threads);
		as_puts(w, " ");
		as_put_dec(w, t->samples);
		as_puts(w, " ");
		as_put_escaped(w, t->name, strnlen(t->name, sizeof(t->name)));
		as_puts(w, "\n");
	}
}

void as_report_end(struct as_words *w)
{
	uint64_t cpu = as_raw_clock(CLOCK_PROCESS_CPUTIME_ID);
	uint64_t now = as_raw_clock(CLOCK_MONOTONIC);
	uint32_t tid;
	bool unmarked = as_spool_is_of_one(&as_sampler.spool, &tid);

	report_put_lines(w, unmarked);
	report_put_count(w, "thread id", tid);
	put_time(w, "duration", now > as_sampler.started ? now - as_sampler.started : 0);
	put_time(w, "cpu time", atomic_load(&as_sampler.begun) ? cpu - as_sampler.started_cpu : 0);
	put_threads(w);
	report_put_count(w, "signals", atomic_load(&as_sampler.signals));
	report_put_count(w, "squares of their samples", atomic_load(&as_sampler.squares));
	report_put_count(w, "samples of stacks too deep", atomic_load(&as_sampler.deep));
	report_put_count(w, "samples of stacks that break off", atomic_load(&as_sampler.broken));
	report_put_count(
		w, "samples of threads that ended before them", atomic_load(&as_sampler.unsampled));
	report_put_count(w, "samples without a stack", atomic_load(&as_sampler.spool.lost_stacks));
	report_put_count(w, "threads that could not be sampled", atomic_load(&as_sampler.no_timer));
	report_put_count(
		w, "threads that were sampled by the tick", atomic_load(&as_sampler.by_tick));
	if (atomic_load(&as_sampler.foreign))
		as_puts(w, "assay: the program handles the signal too\n");
	if (as_sampler.usurped)
		as_puts(w, "assay: the program took the signal for itself\n");
}
