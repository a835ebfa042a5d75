/* SPDX-License-Identifier: Apache-2.0 */
/* Text of `perf script`, line by line. docs/formats/perfscript.md §1. */
#include "formats/perfscript/perfscript.h"

#include "formats/off_tell.h"

static enum as_code read_find(
	struct as_ps *ps, enum as_finding_id id, struct as_slice at, const char *what)
{
	return as_rd_find(ps->rd, id, ps->base_off + (uint64_t)(at.p - ps->base), ps->line,
		"%s: '%.*s'", what, AS_SLICE_FMT(at));
}

/* ---- the header: what perf script --header prints ---- */

enum { READ_EVENTS = 2048 }; /* as a tally has; also of those that cost nothing */

/* Files have few events; the last one is the likeliest. */
enum as_code as_ps_event(struct as_ps *ps, struct as_slice name, uint32_t *row)
{
	struct ps_event one = {.weight = PS_NONE, .samples = PS_NONE};

	for (size_t i = ps->event.n; i-- > 0;) {
		*row = (uint32_t)i;
		if (as_slice_eq(ps->event.p[i].name, name))
			return AS_OK;
	}
	if (ps->event.n >= READ_EVENTS)
		return as_rd_fail(ps->rd, AS_E_LIMIT, ps->base_off, ps->line,
			"there are more than %zu events, which is the limit", ps->event.n);
	*row = (uint32_t)ps->event.n;
	one.name = as_arena_dup(&ps->arena, name);
	one.role = as_ps_role(name);
	return as_err_memory(ps->rd->err, one.name.p && as_vec_push(ps->al, &ps->event, one));
}

static const struct {
	const char *text, *key; /* in the header, and of our line of metadata */
} read_facts[PS_FACTS] = {{"hostname", "host"}, {"os release", "kernel"}, {"arch", "architecture"},
	{"cpudesc", "processor"}, {"cmdline", "recorded by"}};

const char *as_ps_fact(struct as_slice key, size_t *fact)
{
	for (*fact = 0; *fact < PS_FACTS; ++*fact)
		if (as_slice_is(key, read_facts[*fact].key))
			return read_facts[*fact].text;
	return NULL;
}

/* "name = cycles:u, , id = { 5 }": they stand in the order of the recording. */
static enum as_code read_named_event(struct as_ps *ps, struct as_slice text)
{
	struct as_slice name;
	uint32_t row;

	if (!as_slice_starts(text, "name = "))
		return AS_OK;
	text = as_slice_skip(text, 7);
	name = (struct as_slice){text.p, as_slice_find(text, ',')};
	return name.len && ps->event.n < READ_EVENTS ? as_ps_event(ps, name, &row) : AS_OK;
}

/* What stands behind "KEY :" in REST. */
static bool read_behind(struct as_slice rest, const char *key, struct as_slice *out)
{
	if (!as_slice_starts(rest, key))
		return false;
	rest = as_slice_ltrim(as_slice_skip(rest, strlen(key)));
	if (!rest.len || rest.p[0] != ':')
		return false;
	*out = as_slice_trim(as_slice_skip(rest, 1));
	return true;
}

static enum as_code read_header(struct as_ps *ps, struct as_slice line)
{
	struct as_slice rest = as_slice_trim(as_slice_skip(line, 1)), text;

	if (read_behind(rest, "event", &text))
		return read_named_event(ps, text);
	for (size_t i = 0; i < PS_FACTS; i++)
		if (read_behind(rest, read_facts[i].text, &text))
			ps->fact[i] = as_arena_dup(&ps->arena, text);
	return as_err_memory(ps->rd->err, !ps->arena.failed);
}

static enum as_code read_tell_facts(struct as_ps *ps)
{
	for (size_t i = 0; i < PS_FACTS; i++)
		if (ps->fact[i].len)
			AS_TRY(as_build_meta_of(ps->rd->out, 0, as_slice_of(read_facts[i].key),
				ps->fact[i], AS_META_OF_RUN));
	return AS_OK;
}

/* ---- samples ---- */

static enum as_code perfscript_read_link(
	struct as_ps *ps, enum ps_kind kind, struct as_slice line, const struct ps_frame *frame)
{
	struct ps_link link = {.source = PS_NONE, .inlined = frame->inlined};

	if (ps->rd->lim.depth && ps->chain.n >= ps->rd->lim.depth)
		return as_rd_fail(ps->rd, AS_E_LIMIT, ps->base_off + (uint64_t)(line.p - ps->base),
			ps->line, "the stack is deeper than %" PRIu64 " frames", ps->rd->lim.depth);
	AS_TRY(as_ps_intern(ps, kind, line, &link.text));
	return as_err_memory(ps->rd->err, as_vec_push(ps->al, &ps->chain, link));
}

/* A sample without a chain says where it was by the address at which the program ran, which is not
 * that of its file: only the kernel's is of use. */
static enum as_code read_single(struct as_ps *ps, struct as_slice rest)
{
	struct as_slice at = rest, word;
	struct ps_frame frame;
	bool moved;

	if (!as_ps_frame(rest, &frame) || !as_slice_word(&at, &word) ||
		(!frame.object.len && word.len < 8))
		return AS_OK; /* what a tracepoint says */
	moved = !frame.object.len || frame.object.p[0] != '[';
	ps->single = true;
	ps->n_moved += moved;
	return perfscript_read_link(ps, moved ? PS_MOVED : PS_FRAME, rest, &frame);
}

static enum as_code read_begin(struct as_ps *ps, struct as_slice line, const struct ps_head *h)
{
	struct as_tally_thread thread = {.name = h->comm,
		.process = as_slice_of(""),
		.pid = h->pid,
		.tid = h->tid,
		.has_pid = h->has_pid,
		.has_tid = h->has_tid};

	if (h->beyond) {
		as_rd_partial(ps->rd);
		AS_TRY(read_find(ps, AS_F_COUNT_RANGE, line,
			"the period is beyond 64 bits; the sample is counted without it"));
	}
	AS_TRY(as_ps_end_sample(ps));
	AS_TRY(as_tally_thread(&ps->tally, &thread, &ps->of_thread));
	AS_TRY(as_ps_event(ps, h->event, &ps->of_event));
	as_ps_switch_text(ps, ps->event.p[ps->of_event].role, h->rest);
	ps->head = *h;
	ps->stands_for = 1;
	ps->counted = false;
	ps->open = true;
	ps->single = false;
	ps->tid_guessed += !h->has_time && h->event.len && h->has_tid;
	return h->rest.len ? read_single(ps, h->rest) : AS_OK;
}

/* ---- lines ---- */

/* A record that is no sample: perf script --show-mmap-events and others. */
static enum as_code read_other(struct as_ps *ps, struct as_slice line, size_t at)
{
	struct as_slice rest = as_slice_skip(line, at), word;
	uint64_t lost;

	ps->n_records++;
	AS_TRY(as_ps_switch_record(ps, line, rest));
	if (!as_slice_starts(rest, "PERF_RECORD_LOST"))
		return AS_OK;
	while (as_slice_word(&rest, &word))
		if (as_slice_is(word, "lost") && as_slice_word(&rest, &word) &&
			as_slice_dec(word, &lost) && lost <= UINT64_MAX - ps->n_lost)
			ps->n_lost += lost;
	return AS_OK;
}

/* A line below a sample that is no frame. */
static enum as_code read_below(struct as_ps *ps, struct as_slice line)
{
	struct as_slice file;
	struct ps_link *last = ps->chain.n ? &ps->chain.p[ps->chain.n - 1] : NULL;
	uint64_t number;
	bool inlined;

	if (last && last->source == PS_NONE && as_ps_source(line, &file, &number, &inlined)) {
		last->inlined |= inlined;
		return file.len ? as_ps_intern(ps, PS_SOURCE, line, &last->source) : AS_OK;
	}
	ps->n_skipped++; /* registers, branches, instructions */
	return AS_OK;
}

/* What our writer says of the sample above it: how many it is, and that its time is none. */
static void read_samples(struct as_ps *ps, struct as_slice text)
{
	struct as_slice word = text;
	bool sum = as_slice_ends(text, PS_SAMPLES_SUM);
	uint64_t n;

	word.len -= sum ? sizeof(PS_SAMPLES_SUM) - 1 : 0;
	ps->counted = as_slice_is(word, PS_SAMPLES_PERIOD);
	if (ps->counted)
		ps->stands_for = ps->head.period;
	else if (as_slice_dec(word, &n))
		ps->stands_for = n;
	ps->head.has_time &= !sum;
}

/* What our writer says of the sample that is open. */
static enum as_code perfscript_read_below_sample(struct as_ps *ps, struct as_slice line)
{
	struct ps_name one = {.thread = ps->of_thread};

	if (as_slice_starts(line, PS_SOURCE_MARK))
		return read_below(ps, as_slice_skip(line, 1));
	if (as_slice_starts(line, PS_SAMPLES))
		read_samples(ps, as_slice_skip(line, sizeof(PS_SAMPLES) - 1));
	if (!as_slice_starts(line, PS_THREAD))
		return AS_OK;
	one.name = as_arena_dup(&ps->arena, as_slice_skip(line, sizeof(PS_THREAD) - 1));
	return as_err_memory(ps->rd->err, one.name.p && as_vec_push(ps->al, &ps->name, one));
}

static enum as_code read_chain_line(struct as_ps *ps, struct as_slice line, bool *done)
{
	struct ps_frame frame;

	*done = as_ps_frame(line, &frame);
	if (!*done)
		return AS_OK;
	if (!ps->open) { /* perf script -F ip,sym: nothing begins a sample but an empty line */
		struct ps_head none = {
			.comm = as_slice_of(""), .event = as_slice_of(""), .rest = as_slice_of("")};

		AS_TRY(read_begin(ps, line, &none));
	}
	return perfscript_read_link(ps, PS_FRAME, line, &frame);
}

static enum as_code perfscript_read_line(struct as_ps *ps, struct as_slice line)
{
	bool set_off = as_ps_is_set_off(line), begins, done = false;
	size_t at = as_slice_find_text(line, PS_RECORD);
	struct ps_head head;

	if (line.p[0] == '#')
		return ps->open ? perfscript_read_below_sample(ps, line) : read_header(ps, line);
	if (at < line.len)
		return read_other(ps, line, at);
	/* Names are set to the right where there are no chains: what looks like a frame may begin a
	 * sample, unless it stands behind a TAB. */
	if (line.p[0] == '\t' && ps->open && !ps->single)
		AS_TRY(read_chain_line(ps, line, &done));
	if (done)
		return AS_OK;
	begins = as_ps_head(line, &head);
	if ((ps->open ? set_off : as_ps_is_column(line)) && !(begins && head.has_time) &&
		!ps->single)
		AS_TRY(read_chain_line(ps, line, &done));
	if (done)
		return AS_OK;
	if (begins)
		return read_begin(ps, line, &head);
	if (set_off && ps->open)
		return read_below(ps, line);
	as_rd_partial(ps->rd);
	ps->n_bad++;
	return read_find(ps, AS_F_PS_LINE, line,
		"neither a sample nor a frame of one; the line was left out");
}

/* Whether a frame may stand here, behind a TAB. */
static bool read_in_chain(const struct as_ps *ps)
{
	return ps->open && !ps->single && !(ps->rd->lim.depth && ps->chain.n >= ps->rd->lim.depth);
}

/* LINE and those in LINES that are like it: most are frames that were there before. */
static enum as_code read_frames(struct as_ps *ps, struct as_slice line, struct as_slice *lines)
{
	enum { AHEAD = 32 };
	struct ps_line run[AHEAD];
	struct ps_link link;
	size_t n = 0;

	do {
		run[n++].text = as_slice_chop(line);
	} while (n < AHEAD && lines->len && lines->p[0] == '\t' &&
		 as_slice_line(lines, true, &line));
	as_ps_expect(ps, run, n);
	for (size_t i = 0; i < n; i++) {
		ps->line++;
		if (read_in_chain(ps) && as_ps_is_known(ps, &run[i], &link))
			AS_TRY(as_err_memory(ps->rd->err, as_vec_push(ps->al, &ps->chain, link)));
		else if (run[i].bare.len)
			AS_TRY(perfscript_read_line(ps, run[i].text));
		else if (ps->chain.n)
			AS_TRY(as_ps_end_sample(ps));
	}
	return AS_OK;
}

static enum as_code read_window(struct as_ps *ps, struct as_slice lines)
{
	struct as_slice line;

	ps->base = lines.p;
	ps->base_off = ps->rd->in->off;
	ps->cut = lines.len && lines.p[lines.len - 1] != '\n';
	while (as_slice_line(&lines, true, &line)) {
		if (line.len && line.p[0] == '\t' && read_in_chain(ps)) {
			AS_TRY(read_frames(ps, line, &lines));
			continue;
		}
		ps->line++;
		line = as_slice_chop(line);
		if (as_slice_trim(line).len)
			AS_TRY(perfscript_read_line(ps, line));
		else if (ps->chain.n) /* else its frames may still come */
			AS_TRY(as_ps_end_sample(ps));
	}
	return AS_OK;
}

static enum as_code read_lines(struct as_ps *ps)
{
	struct as_slice lines;
	enum as_code rc;

	while ((rc = as_in_lines(ps->rd->in, &lines)) == AS_OK) {
		AS_TRY(read_window(ps, lines));
		as_in_take(ps->rd->in, lines.len);
	}
	ps->cut |= ps->open && !ps->single;
	return rc == AS_END ? as_ps_end_sample(ps) : rc;
}

/* ---- what is told ---- */

static enum as_code read_tell(struct as_ps *ps)
{
	if (ps->cut)
		AS_TRY(as_rd_find(ps->rd, AS_F_PS_CUT, AS_OFF_NONE, ps->line,
			"no empty line stands behind the last sample: the text may have been cut"));
	AS_TRY(as_rd_tell(ps->rd, AS_F_PS_LOST, ps->n_lost,
		"record{ is|s are} lost, for which there was no room"));
	AS_TRY(as_rd_tell(ps->rd, AS_F_PS_MORE, ps->n_skipped,
		"line{|s} below samples that are no frames, skipped"));
	AS_TRY(as_rd_tell(ps->rd, AS_F_PS_THREAD, ps->tid_guessed,
		"sample{ has|s have} neither a time nor a period: the last number before the event "
		"is taken for the thread's"));
	AS_TRY(as_rd_tell(ps->rd, AS_F_PS_ADDRESS, ps->n_moved,
		"sample{ has|s have} no chain: the addresses are those of the process, of which "
		"the text does not say what stood there; they are left out"));
	AS_TRY(as_off_tell(ps->rd, &ps->off, ps->off_sampled && !ps->n_switches));
	return as_rd_find_if(ps->rd, !ps->n_samples, AS_F_NO_SAMPLES, "there are no samples");
}

static enum as_code read_all(struct as_ps *ps)
{
	as_arena_init(&ps->arena, ps->al);
	as_index_init(&ps->texts, ps->al);
	as_index_init(&ps->stacks, ps->al);
	as_index_init(&ps->odds, ps->al);
	as_off_init(&ps->off, ps->al);
	ps->off_event = ps->off_unknown = PS_NONE;
	as_tally_init(&ps->tally, ps->rd, ps->al, "perfscript");
	AS_TRY(read_lines(ps));
	if (ps->n_bad && !ps->n_samples)
		return as_rd_fail(ps->rd, AS_E_NOTPROFILE, AS_OFF_NONE, 0,
			"not text of perf script: no line begins a sample");
	AS_TRY(as_ps_put(ps));
	AS_TRY(read_tell_facts(ps));
	return read_tell(ps);
}

enum as_code as_ps_read(struct as_rd *rd)
{
	struct as_ps ps = {.rd = rd, .al = rd->al};

	return read_all(&ps);
}
