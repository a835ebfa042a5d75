/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Specification lines in the plain form that makes up most of a file: a known
 * id, LF at the end, nothing unusual before it. Whatever is not exactly that is
 * left to callgrind_spec.c; both have the same effect.
 */
#include "formats/callgrind/callgrind.h"

static inline bool is_key(const char *p, const char key[4])
{
	return memcmp(p, key, 4) == 0;
}

/* "(id)\n": the entry of IDS, 0 if it is anything else. *END is set past the line. */
static inline uint32_t known_id(const struct cg_ids *ids, const char *p, const char **end)
{
	uint64_t id;

	if (*p++ != '(')
		return 0;
	p = as_cg_fast_dec(p, &id);
	if (!p || p[0] != ')' || p[1] != '\n' || id >= ids->dense.n)
		return 0;
	*end = p + 2;
	return ids->dense.p[id];
}

/* The line is done: go on at END. */
static inline bool cg_fast_next(struct cg *cg, const char *end)
{
	cg->p = end;
	cg->line++;
	return true;
}

static bool fast_cfi(struct cg *cg)
{
	const char *end;
	uint32_t known = known_id(&cg->files, cg->p + 4, &end);

	if (!known)
		return false;
	cg->target.has_file = cg->target.file_fresh = true;
	cg->target.file.i = known - 1;
	return cg_fast_next(cg, end);
}

static bool fast_cob(struct cg *cg)
{
	const char *end;
	uint32_t known = known_id(&cg->objects, cg->p + 4, &end);

	if (!known)
		return false;
	cg->target.has_object = true;
	cg->target.object.i = known - 1;
	return cg_fast_next(cg, end);
}

/* "fl=", "fi=" and "fe=". */
static bool fast_file(struct cg *cg)
{
	const char *end;
	uint32_t known = known_id(&cg->files, cg->p + 3, &end);

	if (!known)
		return false;
	cg->have_body = true;
	as_cg_set_file(cg, (as_file){known - 1}, cg->p[1]);
	return cg_fast_next(cg, end);
}

static enum as_code fast_fn(struct cg *cg)
{
	const char *end;
	uint32_t known = known_id(&cg->funcs, cg->p + 3, &end);

	if (!known)
		return AS_END;
	cg->have_body = true;
	cg_fast_next(cg, end);
	return as_cg_enter_func(cg, (as_func){known - 1});
}

/* A call to the last "cfn=" goes to a function whose place is known. */
static bool callee_is_settled(const struct cg *cg)
{
	const struct cg_target *t = &cg->target;

	if (!cg->numbered && (t->has_file || t->has_object))
		return false;
	return t->has_func && t->func.i && !cg->moved && !cg->zero_call &&
	       (cg->placed.p[t->func.i] & (CG_PLACED | CG_GUESSED)) &&
	       !(cg->placed.p[t->func.i] & CG_SPREAD);
}

/* Where a call or jump goes to, as far as anybody wants to know: past the line, or NULL. */
static inline const char *fast_place(const struct cg *cg, const char *p, struct as_call *to)
{
	uint64_t pos[CG_POS_MAX];

	p = *p == ' ' ? as_cg_places(cg, p + 1, pos) : NULL;
	if (!p)
		return NULL;
	p += *p == ' '; /* valgrind leaves a blank there */
	if (!cg->no_lines)
		as_cg_site(cg, pos, &to->line, &to->addr);
	return *p == '\n' ? p + 1 : NULL;
}

/* "calls=3 50" or "calls=3 0x400 +2 ", to a settled function. */
static bool fast_calls(struct cg *cg)
{
	struct as_call call = {0};
	const char *p;
	uint64_t count;

	if (!callee_is_settled(cg))
		return false;
	p = as_cg_fast_dec(cg->p + 6, &count);
	if (!p || !count || *p != ' ')
		return false;
	call.count = count;
	p = fast_place(cg, p, &call);
	if (!p)
		return false;
	cg->call = call;
	cg->target.used = true;
	cg->callee = cg->target.func;
	cg->pending = CG_CALL;
	return cg_fast_next(cg, p);
}

/* "jump=3 0x400 +2 " or "jcnd=1/3 0x400 +2 ", inside of a function. */
static bool fast_jump(struct cg *cg)
{
	struct as_jump jump = {.conditional = cg->p[1] == 'c'};
	const char *p = cg->p + 5;
	struct as_call to = {0};
	uint64_t first, second;

	if ((!is_key(cg->p, "jump") && !is_key(cg->p, "jcnd")) || p[-1] != '=' ||
		cg->jump_target.has_func || cg->jump_target.has_file)
		return false;
	p = as_cg_fast_dec(p, &first);
	second = first;
	if (p && jump.conditional)
		p = *p == '/' ? as_cg_fast_dec(p + 1, &second) : NULL;
	p = p ? fast_place(cg, p, &to) : NULL;
	if (!p)
		return false;
	jump.followed = first;
	jump.executed = second;
	jump.line = to.line;
	jump.addr = to.addr;
	cg->jump = jump;
	cg->jump_target = (struct cg_target){0};
	cg->pending = CG_JUMP;
	cg->have_body = true;
	return cg_fast_next(cg, p);
}

static bool fast_cfn(struct cg *cg)
{
	struct cg_target *t = &cg->target;
	const char *end;
	uint32_t known = known_id(&cg->funcs, cg->p + 4, &end);

	if (!known || (t->has_func && !t->used))
		return false;
	t->file_fresh = false;
	t->has_func = true;
	t->used = false;
	t->func.i = known - 1;
	t->name.i = 0;
	cg_fast_next(cg, end);
	/* As it nearly always goes on, in this window. */
	if (end < cg->end && is_key(end, "call") && end[4] == 's' && end[5] == '=')
		(void)fast_calls(cg);
	return true;
}

static bool fast_call_spec(struct cg *cg)
{
	const char *p = cg->p;

	if (is_key(p, "cfn="))
		return fast_cfn(cg);
	if (is_key(p, "cfi=") || is_key(p, "cfl="))
		return fast_cfi(cg);
	if (is_key(p, "cob="))
		return fast_cob(cg);
	if (is_key(p, "call") && p[4] == 's' && p[5] == '=')
		return fast_calls(cg);
	return false;
}

enum as_code as_cg_fast_spec(struct cg *cg)
{
	const char *p = cg->p;

	if (!cg->have_part || cg->pending != CG_NOTHING)
		return AS_END;
	if (p[0] == 'c') {
		if (!fast_call_spec(cg))
			return AS_END;
		cg->have_body = true;
		return AS_OK;
	}
	if (!CG_SMALL && p[0] == 'j')
		return fast_jump(cg) ? AS_OK : AS_END;
	if (p[0] == '\n') { /* between blocks */
		cg_fast_next(cg, p + 1);
		return AS_OK;
	}
	if (p[0] != 'f' || p[2] != '=')
		return AS_END;
	if (p[1] == 'n')
		return fast_fn(cg);
	return (p[1] == 'i' || p[1] == 'e' || p[1] == 'l') && fast_file(cg) ? AS_OK : AS_END;
}
