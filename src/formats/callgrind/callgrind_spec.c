/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Position specifications ("fn=(3) main"), calls and jumps (§1.3, rules 1-7).
 *
 * A function that is named by id gets its row when the id is first met, and its
 * object and file when its own "fn=" block comes; until then those of the first
 * call are a guess. Functions named in full are found by object, file and name.
 */
#include "formats/callgrind/callgrind.h"

enum { WHERE = CG_GUESSED | CG_PLACED };

/* The value of a specification: "(id) text", "(id)" or "text". "???" is valgrind's word for
 * "unknown" and becomes the empty text. */
struct name {
	bool has_id;
	bool given; /* there is a text */
	uint64_t id;
	struct as_slice text;
};

static struct as_slice known_text(struct as_slice s)
{
	return as_slice_is(s, "???") ? (struct as_slice){s.p, 0} : s;
}

static struct name parse_name(struct as_slice s)
{
	struct name n = {0};
	size_t close;
	uint64_t id;

	s = as_slice_trim(s);
	n.text = known_text(s);
	n.given = s.len > 0;
	if (s.len < 3 || s.p[0] != '(')
		return n;
	close = as_slice_find(s, ')');
	if (close == s.len || !as_slice_dec((struct as_slice){s.p + 1, close - 1}, &id))
		return n;
	n.has_id = true;
	n.id = id;
	s = as_slice_ltrim(as_slice_skip(s, close + 1));
	n.given = s.len > 0;
	n.text = known_text(s);
	return n;
}

static enum as_code cg_spec_undefined(
	struct cg *cg, struct as_slice line, const char *what, uint64_t id)
{
	return CG_FIND(cg, AS_F_CG_ID_UNDEFINED, line.p,
		"%s (%" PRIu64 ") is used before it is defined", what, id);
}

static enum as_code cg_spec_redefined(
	struct cg *cg, struct as_slice line, uint64_t id, struct as_slice old, struct as_slice text)
{
	return CG_FIND(cg, AS_F_CG_ID_REDEFINED, line.p,
		"(%" PRIu64 ") was '%.*s' and becomes '%.*s'", id, AS_SLICE_FMT(old),
		AS_SLICE_FMT(text));
}

/* A name that must have been defined before this chunk: CG_OPEN and the id. */
static struct as_slice open_name(uint64_t id, char *buf)
{
	buf[0] = CG_OPEN[0];
	return (struct as_slice){buf, (size_t)(as_put_u64(buf + 1, id) - buf)};
}

/* The row of the object or file TEXT. */
static enum as_code build_named(struct cg *cg, bool object, struct as_slice text, uint32_t *row)
{
	as_object o;
	as_file f;

	if (object)
		AS_TRY(as_build_object(cg->b, text, (struct as_slice){NULL, 0}, &o));
	else
		AS_TRY(as_build_file(cg->b, text, &f));
	*row = object ? o.i : f.i;
	return AS_OK;
}

/* That of VALUE, which may be known by an id. */
static enum as_code get_named(
	struct cg *cg, bool object, struct as_slice line, struct as_slice value, uint32_t *out)
{
	const struct as_profile *prof = cg->b->prof;
	struct cg_ids *ids = object ? &cg->objects : &cg->files;
	struct name n = parse_name(value);
	uint32_t known;
	char buf[24];

	if (!n.has_id)
		return build_named(cg, object, n.text, out);
	known = as_cg_ids_get(ids, n.id);
	if (!known && cg->middle) {
		if (!n.given)
			n.text = open_name(n.id, buf);
	} else if (!n.given) {
		*out = known ? known - 1 : 0;
		return known ? AS_OK
			     : cg_spec_undefined(cg, line, object ? "object" : "file", n.id);
	}
	AS_TRY(build_named(cg, object, n.text, out));
	if (known && known - 1 != *out && cg->middle)
		return AS_E_CANCELLED; /* it may have been open */
	if (known && known - 1 != *out)
		AS_TRY(cg_spec_redefined(cg, line, n.id,
			object ? as_object_path(prof, (as_object){known - 1})
			       : as_file_path(prof, (as_file){known - 1}),
			n.text));
	return as_err_memory(
		cg->rd->err, as_cg_ids_set(ids, cg->al, n.id, *out + 1, CG_OFF(cg, line.p)));
}

static enum as_code get_object(
	struct cg *cg, struct as_slice line, struct as_slice value, as_object *out)
{
	return get_named(cg, true, line, value, &out->i);
}

static enum as_code get_file(
	struct cg *cg, struct as_slice line, struct as_slice value, as_file *out)
{
	return get_named(cg, false, line, value, &out->i);
}

/* The tables per function follow the profile's. */
static bool func_room(struct cg *cg)
{
	return CG_GROW_ZERO(cg, &cg->placed, cg->b->prof->func.name.n) &&
	       (!cg->func_detail || !cg->have_part || as_cg_acc_room(cg));
}

enum as_code as_cg_func_new(struct cg *cg, uint64_t id, struct as_slice name, as_func *out)
{
	AS_TRY(as_build_func_new(cg->b, name, out));
	if (!as_cg_ids_set(&cg->funcs, cg->al, id, out->i + 1, CG_OFF(cg, cg->p)) || !func_room(cg))
		return as_err_no_memory(cg->rd->err);
	return AS_OK;
}

/* A function by id: its row, made when it is new. */
static enum as_code func_by_id(struct cg *cg, struct as_slice line, struct name n, as_func *out)
{
	struct as_profile *prof = cg->b->prof;
	uint32_t known = as_cg_ids_get(&cg->funcs, n.id);

	out->i = known ? known - 1 : 0;
	if (known && !n.given)
		return AS_OK;
	if (known && (cg->placed.p[out->i] & CG_NAMELESS)) {
		/* It was used before it is defined: now it has its name. */
		cg->placed.p[out->i] &= (uint8_t)~CG_NAMELESS;
		return as_build_str(cg->b, n.text, &prof->func.name.p[out->i]);
	}
	if (known) {
		struct as_slice old = as_func_name(prof, *out);

		if (as_slice_eq(old, n.text))
			return AS_OK;
		AS_TRY(cg_spec_redefined(cg, line, n.id, old, n.text));
	} else if (!n.given && !cg->middle) {
		AS_TRY(cg_spec_undefined(cg, line, "function", n.id));
	}
	AS_TRY(as_cg_func_new(cg, n.id, n.text, out));
	if (!n.given)
		cg->placed.p[out->i] = CG_NAMELESS;
	return AS_OK;
}

enum as_code as_cg_func_in_full(
	struct cg *cg, struct as_slice name, as_object object, as_file file, as_func *out)
{
	AS_TRY(as_build_func(cg->b, name, object, file, 0, out));
	AS_TRY(as_err_memory(cg->rd->err, func_room(cg)));
	cg->placed.p[out->i] |= CG_PLACED;
	return AS_OK;
}

void as_cg_note_use(struct cg *cg)
{
	if (cg->have_func && cg->n_lines_cost + cg->n_lines_call != cg->lines_before)
		cg->placed.p[cg->func.i] |= CG_USED;
	cg->lines_before = cg->n_lines_cost + cg->n_lines_call;
}

/* Callees that turned out to have no block of their own where a call put them are those of the
 * id's first block. */
void as_cg_settle_callees(struct cg *cg)
{
	struct as_profile *prof = cg->b->prof;

	/* Twice, for a home can be such a callee itself. */
	for (size_t i = 0; i < 2 * cg->maybe.n; i++) {
		const struct cg_maybe *m = &cg->maybe.p[i % cg->maybe.n];

		if (cg->placed.p[m->func] & CG_USED)
			continue;
		prof->func.object.p[m->func] = prof->func.object.p[m->home];
		prof->func.file.p[m->func] = prof->func.file.p[m->home];
	}
	cg->maybe.n = 0;
}

static bool is_here(const struct cg *cg, as_func f, as_object object, as_file file)
{
	const struct as_profile *prof = cg->b->prof;

	return prof->func.object.p[f.i].i == object.i && prof->func.file.p[f.i].i == file.i;
}

/* A callee that has no block yet in the place that a call names: OTHER's, if none comes. */
static enum as_code may_be(struct cg *cg, as_func callee, as_func other)
{
	struct cg_maybe maybe = {.func = callee.i, .home = other.i};

	return as_err_memory(cg->rd->err, as_vec_push(cg->al, &cg->maybe, maybe));
}

/* The block before ends, one of a function that is not known yet begins. */
static enum as_code leave_func(struct cg *cg)
{
	if (cg->func_detail)
		AS_TRY(as_cg_acc_func_end(cg));
	as_cg_note_use(cg);
	cg->file = cg->func_file;
	cg->inl.i = 0;
	cg->moved = false;
	cg->func_object = cg->object;
	cg->have_func = true;
	cg->run_dirty = true;
	return AS_OK;
}

/* The block of a function by its id, in the file and object in force. */
static enum as_code place_func(struct cg *cg, as_func f)
{
	struct as_profile *prof = cg->b->prof;
	uint8_t *placed = &cg->placed.p[f.i];

	cg->by_id = true;
	cg->func = f;
	if (!cg->numbered && (*placed & CG_SAID) && !(*placed & (CG_SPREAD | CG_NAMELESS)) &&
		!is_here(cg, f, cg->object, cg->file)) {
		/* Calls went to it in another place, where a block of it may yet come. */
		*placed |= CG_SPREAD;
		AS_TRY(as_cg_func_in_full(
			cg, as_func_name(prof, f), cg->object, cg->file, &cg->func));
		return may_be(cg, f, cg->func);
	}
	/* Names may be defined in a list without costs: that is no block of theirs. */
	if (!(*placed & (CG_USED | CG_SPREAD))) {
		prof->func.object.p[f.i] = cg->object;
		prof->func.file.p[f.i] = cg->file;
		*placed = CG_PLACED | (*placed & CG_NAMELESS);
		return AS_OK;
	}
	if (is_here(cg, f, cg->object, cg->file))
		return AS_OK;
	if (cg->middle)
		return AS_E_CANCELLED; /* where it was, and its name, may have been open */
	/* An id that stands for a name only, used in several files. */
	*placed |= CG_SPREAD;
	return as_cg_func_in_full(cg, as_func_name(prof, f), cg->object, cg->file, &cg->func);
}

enum as_code as_cg_enter_func(struct cg *cg, as_func f)
{
	AS_TRY(leave_func(cg));
	return place_func(cg, f);
}

static enum as_code enter_func(struct cg *cg, struct as_slice line, struct as_slice value)
{
	struct name n = parse_name(value);
	as_func f;

	AS_TRY(leave_func(cg));
	cg->by_id = n.has_id;
	if (!n.has_id)
		return as_cg_func_in_full(cg, n.text, cg->object, cg->file, &cg->func);
	AS_TRY(func_by_id(cg, line, n, &f));
	return place_func(cg, f);
}

/* A cost after "fl=" or "ob=" without a new "fn=": in the subset of Cachegrind, where functions
 * are named in full, the same name in another file or object is another function. */
enum as_code as_cg_move_func(struct cg *cg)
{
	as_func f;

	cg->moved = false;
	if (cg->func_detail)
		AS_TRY(as_cg_acc_func_end(cg));
	AS_TRY(as_cg_func_in_full(
		cg, as_func_name(cg->b->prof, cg->func), cg->func_object, cg->func_file, &f));
	cg->func = f;
	cg->run_dirty = true;
	return AS_OK;
}

/* Which function "calls=" means: the last "cfn=" with the objects and files in force. */
static enum as_code cg_spec_resolve(struct cg *cg, struct cg_target *t, as_func *out)
{
	struct as_profile *prof = cg->b->prof;
	as_object object = t->has_object ? t->object : cg->object;
	as_file file = t->has_home ? t->home : t->has_file ? t->file : cg->file;
	bool jump = t == &cg->jump_target, spread;

	if (!t->func.i)
		return as_cg_func_in_full(cg, as_str_get(prof, t->name), object, file, out);
	*out = t->func;
	if (!(cg->placed.p[t->func.i] & WHERE)) {
		/* The first call decides until the function's own block comes, a jump until
		 * the first call. */
		prof->func.object.p[t->func.i] = object;
		prof->func.file.p[t->func.i] = file;
		if (!jump)
			cg->placed.p[t->func.i] |=
				CG_GUESSED | (t->has_object || t->has_file ? CG_SAID : 0);
		return AS_OK;
	}
	spread = cg->placed.p[t->func.i] & CG_SPREAD;
	if (((cg->numbered || (!t->has_object && !t->has_file)) && !spread) ||
		is_here(cg, t->func, object, file) || (cg->placed.p[t->func.i] & CG_NAMELESS))
		return AS_OK;
	/* The id may name a function there as well: known when the blocks have been read. */
	AS_TRY(as_cg_func_in_full(cg, as_func_name(prof, t->func), object, file, out));
	return may_be(cg, *out, t->func);
}

static enum as_code name_target(
	struct cg *cg, struct cg_target *t, struct as_slice line, struct as_slice value)
{
	struct name n = parse_name(value);

	if (t->has_func && !t->used && t == &cg->target) {
		AS_TRY(CG_FIND(cg, AS_F_CG_CFN_DANGLING, line.p,
			"the function named before was never called"));
		if (!t->file_fresh)
			t->has_file = false;
	}
	t->file_fresh = false;
	t->has_func = true;
	t->used = false;
	t->func.i = 0;
	t->name.i = 0;
	if (n.has_id)
		return func_by_id(cg, line, n, &t->func);
	return as_build_str(cg->b, n.text, &t->name);
}

/* "calls=COUNT target positions": the rest comes with the next cost line. */
static enum as_code begin_call(struct cg *cg, struct as_slice line, struct as_slice value)
{
	const char *p = value.p, *end = value.p + value.len;
	uint64_t count = 0, pos;
	bool range = false;

	if (cg->moved)
		AS_TRY(as_cg_move_func(cg));
	as_cg_blanks(&p, end);
	cg->call = (struct as_call){0};
	if (!as_cg_num(&p, end, &count, &range) || range) {
		as_rd_partial(cg->rd);
		AS_TRY(CG_FIND(cg, AS_F_CG_COST_GARBAGE, line.p,
			"expected the number of calls, found '%.*s'", AS_SLICE_FMT(value)));
		count = 0;
	}
	if (cg->zero_call) /* our writer's note: see callgrind_write.c */
		count = 0;
	cg->zero_call = false;
	if (count == 0)
		AS_TRY(CG_FIND(cg, AS_F_CG_CALL_ZERO, line.p, "a call with the count 0"));
	cg->call.count = count;
	for (uint32_t i = 0; i < cg->n_pos; i++) {
		enum cg_sub rc;

		as_cg_blanks(&p, end);
		rc = as_cg_subpos(&p, end, cg->base[i], &pos);
		if (rc == CG_SUB_NONE || rc == CG_SUB_BELOW)
			break; /* APD, perf: fewer targets than positions */
		if (cg->pos_kind[i] == AS_POS_LINE)
			cg->call.line = cg->no_lines ? 0 : pos;
		else if (cg->pos_kind[i] == AS_POS_INSTR && cg->full)
			cg->call.addr = pos;
	}
	if (!cg->target.has_func) {
		as_rd_partial(cg->rd);
		AS_TRY(CG_FIND(cg, AS_F_CG_CALL_NO_CALLEE, line.p, "'calls=' before any 'cfn='"));
	}
	cg->target.used = true;
	AS_TRY(cg_spec_resolve(cg, &cg->target, &cg->callee));
	cg->pending = CG_CALL;
	return AS_OK;
}

static enum as_code begin_jump(
	struct cg *cg, struct as_slice line, struct as_slice value, bool conditional)
{
	const char *p = value.p, *end = value.p + value.len;
	struct cg_target *t = &cg->jump_target;
	uint64_t first = 0, second = 0, pos;
	bool range = false, ok;

	cg->jump = (struct as_jump){.conditional = conditional};
	as_cg_blanks(&p, end);
	ok = as_cg_num(&p, end, &first, &range) && !range;
	if (ok && conditional) {
		bool slash = p < end && *p == '/';

		p += slash;
		as_cg_blanks(&p, end);
		ok = as_cg_num(&p, end, &second, &range) && !range;
		/* "followed/executed" in life, "executed followed" in the specification */
		cg->jump.followed = slash ? first : second;
		cg->jump.executed = slash ? second : first;
		if (ok && !slash)
			AS_TRY(CG_FIND(cg, AS_F_CG_JCND_SPEC_FORM, line.p,
				"'jcnd=' with a blank between the counts"));
	} else {
		cg->jump.followed = cg->jump.executed = first;
	}
	if (!ok) {
		as_rd_partial(cg->rd);
		AS_TRY(CG_FIND(cg, AS_F_CG_COST_GARBAGE, line.p,
			"expected the counts of a jump, found '%.*s'", AS_SLICE_FMT(value)));
	}
	for (uint32_t i = 0; i < cg->n_pos; i++) {
		as_cg_blanks(&p, end);
		if (as_cg_subpos(&p, end, cg->base[i], &pos) == CG_SUB_NONE)
			break;
		if (cg->pos_kind[i] == AS_POS_LINE)
			cg->jump.line = pos;
		else if (cg->pos_kind[i] == AS_POS_INSTR)
			cg->jump.addr = pos;
	}
	if (t->has_func)
		AS_TRY(cg_spec_resolve(cg, t, &cg->jump.func));
	cg->jump.other_file = t->has_file;
	cg->jump.file = t->file;
	*t = (struct cg_target){0};
	cg->pending = CG_JUMP;
	return AS_OK;
}

/*
 * Our writer's notes on the function that a jump goes to, where it is not where a reader has to
 * take it for: the format has no word for its object, and "jfi=" is the file of the code there.
 */
enum as_code as_cg_jump_note(struct cg *cg, struct as_slice line)
{
	struct cg_target *t = &cg->jump_target;
	bool object = as_slice_starts(line, "# job=");
	struct as_slice text;

	if (!object && !as_slice_starts(line, "# jfl="))
		return AS_OK;
	text = known_text(as_slice_trim(as_slice_skip(line, 6)));
	t->has_object |= object;
	t->has_home |= !object;
	return object ? as_build_object(cg->b, text, (struct as_slice){NULL, 0}, &t->object)
		      : as_build_file(cg->b, text, &t->home);
}

enum as_code as_cg_drop_pending(struct cg *cg)
{
	enum cg_pending was = cg->pending;
	enum as_code rc = AS_OK;

	cg->pending = CG_NOTHING;
	if (was == CG_NOTHING)
		return AS_OK;
	as_rd_partial(cg->rd);
	rc = CG_FIND(cg, was == CG_CALL ? AS_F_CG_CALL_NO_COST : AS_F_CG_JUMP_NO_SOURCE, cg->p,
		was == CG_CALL ? "expected the cost line of the call before"
			       : "expected the position line of the jump before");
	return rc;
}

void as_cg_set_file(struct cg *cg, as_file file, char key)
{
	cg->file = file;
	/* lsprofcalltree knows no "fl=": there "fi=" is the function's file. */
	cg->have_fl |= key == 'l';
	if (!cg->have_fl || key == 'l') {
		cg->func_file = cg->file;
		cg->moved = cg->have_func && !cg->by_id;
	}
	cg->have_file = true;
	cg->run_dirty = true;
}

static enum as_code cg_spec_set_file(
	struct cg *cg, struct as_slice line, struct as_slice value, char key)
{
	as_file file;

	AS_TRY(get_file(cg, line, value, &file));
	as_cg_set_file(cg, file, key);
	return AS_OK;
}

static enum as_code set_object(struct cg *cg, struct as_slice line, struct as_slice value)
{
	AS_TRY(get_object(cg, line, value, &cg->object));
	cg->run_dirty = true;
	if (cg->have_func && !cg->by_id) {
		cg->func_object = cg->object;
		cg->moved = true;
	}
	return AS_OK;
}

static enum as_code set_inlined(struct cg *cg, struct as_slice value)
{
	struct as_slice name = as_slice_trim(value);

	cg->run_dirty = true;
	cg->inl.i = 0;
	if (cg->func_detail || name.len == 0 || as_slice_is(name, "???"))
		return AS_OK;
	AS_TRY(as_build_func(cg->b, name, cg->object, cg->file, 0, &cg->inl));
	return as_err_memory(cg->rd->err, func_room(cg));
}

/* The commonest first. */
enum key {
	CFN,
	FN,
	JCND,
	JUMP,
	FL,
	FI,
	FE,
	OB,
	CFI,
	COB,
	CALLS,
	JFI,
	JFN,
	CFL,
	CFNI,
	RCALLS,
	FRFN,
	NO_KEY
};

static const char key_text[NO_KEY][8] = {"cfn", "fn", "jcnd", "jump", "fl", "fi", "fe", "ob", "cfi",
	"cob", "calls", "jfi", "jfn", "cfl", "cfni", "rcalls", "frfn"};

static enum key cg_spec_key_of(struct as_slice k)
{
	int key = 0;

	if (k.len < 2 || k.len > 6)
		return NO_KEY;
	while (key < NO_KEY && (key_text[key][1] != k.p[1] || key_text[key][k.len] ||
				       memcmp(key_text[key], k.p, k.len) != 0))
		key++;
	return (enum key)key;
}

static enum as_code cg_spec_dispatch(
	struct cg *cg, enum key key, struct as_slice line, struct as_slice value)
{
	struct cg_target ignored = {0};

	switch (key) {
	case FN:
		return enter_func(cg, line, value);
	case FL:
		return cg_spec_set_file(cg, line, value, 'l');
	case FI:
	case FE:
		return cg_spec_set_file(cg, line, value, 'i');
	case OB:
		return set_object(cg, line, value);
	case COB:
		cg->target.has_object = true;
		return get_object(cg, line, value, &cg->target.object);
	case CFI:
	case CFL:
		cg->target.has_file = cg->target.file_fresh = true;
		return get_file(cg, line, value, &cg->target.file);
	case CFN:
		return name_target(cg, &cg->target, line, value);
	case CALLS:
	case RCALLS:
		return begin_call(cg, line, value);
	case JUMP:
		return begin_jump(cg, line, value, false);
	case JCND:
		return begin_jump(cg, line, value, true);
	case JFI:
		cg->jump_target.has_file = true;
		return get_file(cg, line, value, &cg->jump_target.file);
	case JFN:
		return name_target(cg, &cg->jump_target, line, value);
	case FRFN: /* the caller's name: only its id is of use */
		return name_target(cg, &ignored, line, value);
	case CFNI:
		return set_inlined(cg, value);
	case NO_KEY:
		break;
	}
	return AS_OK;
}

enum as_code as_cg_spec_line(struct cg *cg, struct as_slice line, bool *known)
{
	size_t eq = as_slice_find(line, '=');
	enum key key = eq < line.len ? cg_spec_key_of((struct as_slice){line.p, eq}) : NO_KEY;

	*known = key != NO_KEY;
	if (!*known)
		return AS_OK;
	if (cg->pending)
		AS_TRY(as_cg_drop_pending(cg));
	if (!cg->have_part)
		AS_TRY(as_cg_part_begin(cg));
	cg->have_body = true;
	return cg_spec_dispatch(cg, key, line, as_slice_skip(line, eq + 1));
}
