/* SPDX-License-Identifier: Apache-2.0 */
/* A file's processes, and what is told of it. docs/formats/firefox.md §1. */
#include "formats/firefox/firefox.h"

#include "base/date.h"

/* Processes of Gecko's have processes. */
enum { PROCESSES_DEEP = 16 };

/* Versions that are known: of processed profiles, and of Gecko's. */
enum { FIRST = 36, LAST = 70, GECKO_LAST = 36 };

/* ---- meta ---- */

/* KEY and its number in the object that comes, if it is one. */
static enum as_code read_units(struct fx *fx)
{
	struct as_slice key, unit;

	if (as_pull_peek(fx->js) != AS_PULL_OBJECT) {
		as_pull_skip(fx->js);
		return AS_OK;
	}
	as_pull_object(fx->js);
	while (as_pull_key(fx->js, &key)) {
		bool cpu = as_slice_is(key, "threadCPUDelta"), time = as_slice_is(key, "time");

		AS_TRY(as_fx_text(fx, &unit));
		if (cpu)
			fx->cpu_scale = as_slice_is(unit, "ns")                    ? 1
					: as_slice_is(unit, "variable CPU cycles") ? 0
										   : 1000;
		if (time)
			fx->times_are_no_times = !as_slice_is(unit, "ms");
	}
	return as_json_in_end(&fx->in);
}

static enum as_code firefox_read_count(struct fx *fx, uint64_t *n)
{
	if (!as_fx_is_column(fx))
		return AS_OK;
	for (; as_pull_item(fx->js); ++*n)
		as_pull_skip(fx->js);
	return as_json_in_end(&fx->in);
}

static enum as_code read_version(struct fx *fx, uint64_t *version)
{
	int64_t v;

	AS_TRY(as_fx_number(fx, 0, &v));
	*version = v < 0 ? 0 : (uint64_t)v;
	return AS_OK;
}

/* The events of a file of assay's, in their order. */
static enum as_code firefox_read_events(struct fx *fx)
{
	struct as_slice key, name, unit;
	uint32_t event;

	if (!as_fx_is_column(fx))
		return AS_OK;
	while (as_pull_item(fx->js)) {
		name = unit = as_slice_of("");
		as_pull_object(fx->js);
		while (as_pull_key(fx->js, &key))
			AS_TRY(as_fx_text(fx, as_slice_is(key, "name") ? &name : &unit));
		AS_TRY(as_json_in_end(&fx->in));
		AS_TRY(as_tally_event(&fx->tally, name, unit, &event));
	}
	return as_json_in_end(&fx->in);
}

static enum as_code read_meta_key(struct fx *fx, uint32_t process, struct as_slice key)
{
	const struct {
		const char *key;
		struct as_slice *to;
	} texts[] = {{"product", &fx->product}, {"importedFrom", &fx->imported},
		{"oscpu", &fx->system}, {"abi", &fx->arch}, {"CPUName", &fx->cpu},
		{"arguments", &fx->arguments}};

	if (as_slice_is(key, "preprocessedProfileVersion")) {
		fx->has_version = true;
		return read_version(fx, &fx->version);
	}
	if (as_slice_is(key, "version"))
		return read_version(fx, &fx->gecko_version);
	if (as_slice_is(key, "startTime"))
		return as_fx_number(fx, 6, &fx->process.p[process].start);
	if (as_slice_is(key, "profilingStartTime"))
		return as_fx_number(fx, 6, &fx->process.p[process].begun);
	if (as_slice_is(key, "profilingEndTime"))
		return as_fx_number(fx, 6, &fx->process.p[process].stopped);
	if (as_slice_is(key, "assayEvents"))
		return firefox_read_events(fx);
	if (as_slice_is(key, "sampleUnits"))
		return read_units(fx);
	if (as_slice_is(key, "categories") && !process)
		return firefox_read_count(fx, &fx->n_categories);
	for (size_t i = 0; i < AS_ARRAY_LEN(texts) && !process; i++)
		if (as_slice_is(key, texts[i].key))
			return as_fx_text(fx, texts[i].to);
	as_pull_skip(fx->js);
	return AS_OK;
}

static enum as_code read_meta(struct fx *fx, uint32_t process)
{
	struct as_slice key;

	as_pull_object(fx->js);
	while (as_pull_key(fx->js, &key))
		AS_TRY(read_meta_key(fx, process, key));
	return as_json_in_end(&fx->in);
}

/* ---- libraries ---- */

/* A code id that is a build id: those of Windows are a date and a size. */
static bool read_is_build_id(struct as_slice id, struct as_slice debug_name)
{
	return id.len >= 16 && id.len % 2 == 0 && as_slice_is_hex(id) &&
	       !as_slice_ends(debug_name, ".pdb");
}

static enum as_code read_lib_id(struct fx *fx, struct fx_lib *lib, struct as_slice debug_name)
{
	char *to;

	if (!read_is_build_id(lib->id, debug_name)) {
		lib->id = as_slice_of("");
		return AS_OK;
	}
	to = as_arena_new(&fx->arena, lib->id.len);
	AS_TRY(as_err_memory(fx->rd->err, to));
	for (size_t i = 0; i < lib->id.len; i++)
		to[i] = (char)(lib->id.p[i] >= 'A' && lib->id.p[i] <= 'F' ? lib->id.p[i] | 0x20
									  : lib->id.p[i]);
	lib->id.p = to;
	return AS_OK;
}

static enum as_code read_lib_kind(struct fx *fx, struct fx_lib *lib)
{
	struct as_slice kind;

	AS_TRY(as_fx_text(fx, &kind));
	lib->kind = as_slice_is(kind, "file-offset") ? AS_ADDR_FILE_OFFSET
		    : as_slice_is(kind, "virtual")   ? AS_ADDR_VIRTUAL
		    : as_slice_is(kind, "absolute")  ? AS_ADDR_ABSOLUTE
		    : as_slice_is(kind, "unknown")   ? AS_ADDR_UNKNOWN
						     : AS_ADDR_IMAGE;
	return AS_OK;
}

static enum as_code read_lib_address(struct fx *fx, uint64_t *address)
{
	struct as_slice text;
	bool negative;

	AS_TRY(as_fx_text(fx, &text));
	if (!as_pull_integer(text, address, &negative) || negative)
		*address = 0;
	return AS_OK;
}

static enum as_code read_lib(struct fx *fx, uint32_t process)
{
	struct fx_lib lib = {.process = process, .kind = AS_ADDR_IMAGE};
	struct as_slice key, debug_name = {"", 0}, debug_path = {"", 0};
	const struct {
		const char *key;
		struct as_slice *to;
	} texts[] = {{"path", &lib.path}, {"name", &lib.name}, {"codeId", &lib.id},
		{"debugName", &debug_name}, {"debugPath", &debug_path}};

	as_pull_object(fx->js);
	while (as_pull_key(fx->js, &key)) {
		size_t i = 0;

		while (i < AS_ARRAY_LEN(texts) && !as_slice_is(key, texts[i].key))
			i++;
		if (i < AS_ARRAY_LEN(texts))
			AS_TRY(as_fx_text(fx, texts[i].to));
		else if (as_slice_is(key, "start"))
			AS_TRY(read_lib_address(fx, &lib.start));
		else if (as_slice_is(key, "end"))
			AS_TRY(read_lib_address(fx, &lib.end));
		else if (as_slice_is(key, "assayAddresses"))
			AS_TRY(read_lib_kind(fx, &lib));
		else
			as_pull_skip(fx->js);
	}
	AS_TRY(as_json_in_end(&fx->in));
	AS_TRY(read_lib_id(fx, &lib, debug_name));
	if (!lib.name.len)
		lib.name = debug_name;
	if (!lib.path.len)
		lib.path = lib.name.len ? lib.name : debug_path;
	return as_err_memory(fx->rd->err, as_vec_push(fx->al, &fx->lib, lib));
}

static enum as_code read_libs(struct fx *fx, uint32_t process)
{
	as_assert(process < fx->process.n);
	fx->process.p[process].first_lib = (uint32_t)fx->lib.n;
	if (!as_fx_is_column(fx))
		return AS_OK;
	while (as_pull_item(fx->js))
		AS_TRY(read_lib(fx, process));
	fx->process.p[process].n_libs = (uint32_t)fx->lib.n - fx->process.p[process].first_lib;
	return as_json_in_end(&fx->in);
}

/* ---- processes ---- */

static enum as_code firefox_read_shared(struct fx *fx, uint32_t process)
{
	struct as_slice key;
	bool done;

	as_pull_object(fx->js);
	while (as_pull_key(fx->js, &key)) {
		AS_TRY(as_fx_table(fx, &fx->process.p[process].shared, process, key, &done));
		if (!done)
			as_pull_skip(fx->js);
	}
	fx->process.p[process].has_shared = !fx->js->why;
	return as_json_in_end(&fx->in);
}

static enum as_code read_process(struct fx *fx, unsigned depth);

static enum as_code read_processes(struct fx *fx, unsigned depth)
{
	if (!as_fx_is_column(fx))
		return AS_OK;
	if (depth == PROCESSES_DEEP)
		return as_rd_fail(fx->rd, AS_E_LIMIT, as_json_in_off(&fx->in), 0,
			"processes are nested deeper than %d", PROCESSES_DEEP);
	while (as_pull_item(fx->js))
		AS_TRY(read_process(fx, depth + 1));
	return as_json_in_end(&fx->in);
}

static enum as_code read_key(struct fx *fx, uint32_t process, struct as_slice key, unsigned depth);

/* The members of a process, or of what the tools for developers wrap one into. */
static enum as_code read_members(struct fx *fx, uint32_t process, unsigned depth)
{
	struct as_slice key;

	as_pull_object(fx->js);
	while (as_pull_key(fx->js, &key))
		AS_TRY(read_key(fx, process, key, depth));
	return as_json_in_end(&fx->in);
}

static enum as_code read_key(struct fx *fx, uint32_t process, struct as_slice key, unsigned depth)
{
	if (as_slice_is(key, "meta"))
		return read_meta(fx, process);
	if (as_slice_is(key, "libs"))
		return read_libs(fx, process);
	if (as_slice_is(key, "shared"))
		return firefox_read_shared(fx, process);
	if (as_slice_is(key, "threads"))
		return as_fx_threads(fx, process);
	if (as_slice_is(key, "counters"))
		return firefox_read_count(fx, &fx->n_counters);
	if (as_slice_is(key, "processes"))
		return read_processes(fx, depth);
	if (as_slice_is(key, "profile") && !depth && as_pull_peek(fx->js) == AS_PULL_OBJECT)
		return read_members(fx, process, depth);
	as_pull_skip(fx->js);
	return AS_OK;
}

static enum as_code read_process(struct fx *fx, unsigned depth)
{
	uint32_t process = (uint32_t)fx->process.n;
	struct fx_process one = {.start = FX_NONE, .begun = FX_NONE, .stopped = FX_NONE};

	AS_TRY(as_err_memory(fx->rd->err, as_vec_push(fx->al, &fx->process, one)));
	return read_members(fx, process, depth);
}

/* ---- what is told ---- */

static enum as_code firefox_read_tell_facts(struct fx *fx)
{
	const struct {
		const char *key;
		struct as_slice text;
	} fact[] = {{"recorded by", fx->product}, {"imported from", fx->imported},
		{"arguments", fx->arguments}, {"system", fx->system}, {"architecture", fx->arch},
		{"processor", fx->cpu}};

	for (size_t i = 0; i < AS_ARRAY_LEN(fact); i++)
		if (fact[i].text.len && !as_slice_is(fact[i].text, FX_PRODUCT))
			AS_TRY(as_build_meta_of(fx->rd->out, 0, as_slice_of(fact[i].key),
				fact[i].text, AS_META_OF_RUN));
	return AS_OK;
}

static enum as_code firefox_read_tell_version(struct fx *fx)
{
	bool gecko = !fx->has_version;
	uint64_t v = gecko ? fx->gecko_version : fx->version;

	if (gecko ? v <= GECKO_LAST : v >= FIRST && v <= LAST)
		return AS_OK;
	return as_rd_find(fx->rd, AS_F_FX_VERSION, AS_OFF_NONE, 0,
		"version %" PRIu64 " of the format is not one of those that are known, %d to %d", v,
		gecko ? 0 : FIRST, gecko ? GECKO_LAST : LAST);
}

static enum as_code firefox_read_tell_left(struct fx *fx)
{
	struct as_slice text;

	if (!fx->n_markers && !fx->n_counters && fx->n_categories < 2 && !fx->odd.first_cpu)
		return AS_OK;
	text = as_arena_printf(&fx->arena,
		"left out: %" PRIu64 " markers, %" PRIu64 " counters, %" PRIu64
		" categories, %" PRIu64 " CPU times of threads' first samples",
		fx->n_markers, fx->n_counters, fx->n_categories, fx->odd.first_cpu);
	AS_TRY(as_err_memory(fx->rd->err, text.p));
	return as_rd_find(fx->rd, AS_F_FX_LEFT, AS_OFF_NONE, 0, "%.*s", AS_SLICE_FMT(text));
}

static enum as_code firefox_read_tell(struct fx *fx)
{
	AS_TRY(firefox_read_tell_version(fx));
	if (fx->odd.number || fx->odd.row || fx->odd.uneven)
		as_rd_partial(fx->rd);
	if (fx->odd.number)
		AS_TRY(as_rd_find(fx->rd, AS_F_FX_NUMBER, fx->bad_off, 0,
			"%" PRIu64 " value%s no number of 64 bits, where one must stand",
			fx->odd.number, fx->odd.number == 1 ? " is" : "s are"));
	AS_TRY(as_rd_tell(fx->rd, AS_F_FX_ROW, fx->odd.row,
		"row{ is|s are} named that the tables do not have"));
	AS_TRY(as_rd_tell(fx->rd, AS_F_FX_UNEVEN, fx->odd.uneven,
		"table{ of samples has|s of samples have} columns of different lengths"));
	AS_TRY(as_rd_tell(fx->rd, AS_F_FX_ROUNDED, fx->odd.rounded,
		"number{ has|s have} more decimals than there is room for, and {was|were} "
		"rounded"));
	return firefox_read_tell_left(fx);
}

/* ---- all of it ---- */

/* Times count from when the first process started. */
static enum as_code read_epoch(struct fx *fx)
{
	struct as_build *b = fx->rd->out;
	int64_t start = fx->process.p[0].start;
	char text[AS_DATE_NANOS];

	if (start == FX_NONE || start <= 0)
		return AS_OK;
	b->has_zero = true;
	b->zero = 0;
	return as_build_str(
		b, as_slice_of(as_date_nanos_text(start, "T", "Z", text)), &b->prof->epoch);
}

/* From the beginning to the end of the profiling, if the file says so. */
static void read_duration(struct fx *fx)
{
	const struct fx_process *p = &fx->process.p[0];

	if (p->begun != FX_NONE && p->stopped != FX_NONE && p->begun >= 0 && p->stopped > p->begun)
		fx->rd->out->prof->duration = p->stopped - p->begun;
}

/* Of a file that is cut: whether threads are there that have all that they name. */
static bool read_is_enough(const struct fx *fx)
{
	bool known = fx->has_version || fx->gecko_version;

	for (size_t i = 0; i < fx->thread.n; i++) {
		const struct fx_thread *t = &fx->thread.p[i];

		known &= fx->process.p[t->process].has_shared || (t->tables && t->tables->string.n);
	}
	return known && fx->thread.n;
}

static enum as_code firefox_read_all(struct fx *fx)
{
	enum as_code rc;

	as_arena_init(&fx->arena, fx->al);
	as_tally_init(&fx->tally, fx->rd, fx->al, "firefox");
	AS_TRY(as_json_in_open(&fx->in, fx->rd, fx->al));
	fx->js = &fx->in.js;
	rc = read_process(fx, 0);
	if (rc == AS_E_TRUNC && read_is_enough(fx) && as_json_in_keep(&fx->in))
		rc = AS_OK;
	AS_TRY(rc);
	if (!fx->in.kept && as_pull_peek(fx->js) != AS_PULL_END)
		return as_rd_fail(fx->rd, AS_E_FORMAT, as_json_in_off(&fx->in), 0,
			"something stands behind the profile");
	AS_TRY(as_json_in_end(&fx->in));
	AS_TRY(read_epoch(fx));
	AS_TRY(as_fx_build(fx));
	read_duration(fx);
	AS_TRY(firefox_read_tell_facts(fx));
	AS_TRY(firefox_read_tell(fx));
	AS_TRY(as_json_in_tell(&fx->in, "the threads before"));
	return as_rd_find_if(fx->rd, !fx->tally.sum.n, AS_F_NO_SAMPLES, "there are no samples");
}

enum as_code as_fx_read(struct as_rd *rd)
{
	struct fx fx = {.rd = rd, .al = rd->al, .cpu_scale = 1000};

	return firefox_read_all(&fx);
}
