/* SPDX-License-Identifier: Apache-2.0 */
#include "page/choice.h"

#include "fleet/fleet_address.h"
#include "fleet/fleet_sql.h"

#define CHOICE_OTHER "vs"

/* How a store is asked, not what. */
static bool choice_is_how(struct as_slice key)
{
	static const char *const how[] = {"partial", "cluster"};

	return as_slice_is_one_of(key, how);
}

static bool choice_is_own(struct as_slice key)
{
	static const char *const own[] = {"service", "host", "event", "since", "until"};

	return as_slice_is_one_of(key, own);
}

static void choice_init(struct as_choice *c, const struct as_alloc *al)
{
	*c = (struct as_choice){.al = al};
	as_arena_init(&c->arena, al);
}

void as_choice_release(struct as_choice *c)
{
	for (size_t i = 0; i < AS_CHOICE_SIDES; i++)
		as_vec_free(c->al, &c->side[i].said.term);
	as_arena_release(&c->arena);
}

static enum as_code choice_push(struct as_choice *c, struct as_choice_side *side,
	struct as_slice key, struct as_slice value, struct as_err *err)
{
	struct as_fleet_term term = {as_arena_dup(&c->arena, key), as_arena_dup(&c->arena, value)};

	return as_err_memory(
		err, term.key.p && term.value.p && as_vec_push(c->al, &side->said.term, term));
}

/* ---- of inputs ---- */

static enum as_code choice_read(
	struct as_choice *c, struct as_choice_side *side, const char *path, struct as_err *err)
{
	struct as_slice whole = as_slice_of(path);
	struct as_fleet_path to;
	const char *way;

	if (!as_fleet_named(path, &to))
		return as_err_set(err, AS_E_ARG, "'%s' is no store", path);
	whole.len -= to.query.p ? to.query.len + 1 : 0;
	side->front = as_arena_dup(&c->arena, whole);
	AS_TRY(as_err_memory(err, side->front.p));
	return as_fleet_query_terms(to.query, &c->arena, c->al, &side->said, &way, err);
}

enum as_code as_choice_of(struct as_choice *c, const struct as_alloc *al, const char *path,
	const char *base, struct as_err *err)
{
	choice_init(c, al);
	c->compares = base != NULL;
	AS_TRY(choice_read(c, &c->side[AS_CHOICE_NEW], path, err));
	if (base)
		return choice_read(c, &c->side[AS_CHOICE_BASE], base, err);
	c->side[AS_CHOICE_BASE].front = c->side[AS_CHOICE_NEW].front;
	for (size_t i = 0; i < c->side[AS_CHOICE_NEW].said.term.n; i++) {
		struct as_fleet_term term = c->side[AS_CHOICE_NEW].said.term.p[i];

		if (choice_is_how(term.key))
			AS_TRY(choice_push(c, &c->side[AS_CHOICE_BASE], term.key, term.value, err));
	}
	return AS_OK;
}

enum as_code as_choice_anew(struct as_choice *c, const struct as_choice *first, struct as_err *err)
{
	choice_init(c, first->al);
	for (size_t s = 0; s < AS_CHOICE_SIDES; s++) {
		const struct as_choice_side *from = &first->side[s];

		c->side[s].front = as_arena_dup(&c->arena, from->front);
		AS_TRY(as_err_memory(err, c->side[s].front.p));
		for (size_t i = 0; i < from->said.term.n; i++)
			if (choice_is_how(from->said.term.p[i].key))
				AS_TRY(choice_push(c, &c->side[s], from->said.term.p[i].key,
					from->said.term.p[i].value, err));
	}
	return AS_OK;
}

enum as_code as_choice_default(
	struct as_choice *c, const char *key, const char *value, bool again, struct as_err *err)
{
	for (size_t s = 0; value && s < AS_CHOICE_SIDES; s++) {
		const struct as_fleet_terms *said = &c->side[s].said;
		bool has = false;

		for (size_t i = 0; i < said->term.n && !again; i++)
			has |= as_slice_is(said->term.p[i].key, key);
		if (!has)
			AS_TRY(choice_push(
				c, &c->side[s], as_slice_of(key), as_slice_of(value), err));
	}
	return AS_OK;
}

/* ---- of the URL ---- */

/* "version=1.5", as it is typed. */
static enum as_code choice_add_label(
	struct as_choice *c, struct as_choice_side *side, struct as_slice label, struct as_err *err)
{
	struct as_slice key, value = label;

	if (!as_slice_has(label, '=') || label.p[0] == '=')
		return as_err_set(err, AS_E_ARG, "'%.*s': a label is KEY=VALUE, as in version=1.5",
			AS_SLICE_FMT(label));
	(void)as_slice_cut(&value, '=', &key);
	if (choice_is_own(key) || choice_is_how(key))
		return as_err_set(
			err, AS_E_ARG, "'%.*s' is no label of a store", AS_SLICE_FMT(key));
	return choice_push(c, side, key, value, err);
}

enum as_code as_choice_add(
	struct as_choice *c, struct as_slice key, struct as_slice value, struct as_err *err)
{
	int side = as_slice_starts(key, CHOICE_OTHER "-") ? AS_CHOICE_BASE : AS_CHOICE_NEW;
	struct as_slice word = as_slice_skip(key, side ? strlen(CHOICE_OTHER "-") : 0);

	if (!value.len)
		return AS_OK;
	if (as_slice_is(key, CHOICE_OTHER)) {
		c->compares = true;
		return AS_OK;
	}
	if (as_slice_is(word, "label"))
		return choice_add_label(c, &c->side[side], value, err);
	/* Both sides count the same. */
	if (as_slice_is(key, "event"))
		AS_TRY(choice_push(c, &c->side[AS_CHOICE_BASE], word, value, err));
	else if (!choice_is_own(word) || as_slice_is(word, "event"))
		return as_err_set(err, AS_E_ARG, "no control is called '%.*s'", AS_SLICE_FMT(key));
	return choice_push(c, &c->side[side], word, value, err);
}

const char *as_choice_path(struct as_choice *c, int which)
{
	const struct as_choice_side *side = &c->side[which];
	struct as_sql text = {.al = c->al};
	struct as_slice path = {0};

	as_sql_puts(&text, side->front);
	for (size_t i = 0; i < side->said.term.n; i++)
		as_fleet_query_put(&text, i ? "&" : "?", &side->said.term.p[i]);
	if (!text.failed)
		path = as_arena_dup(&c->arena, as_sql_slice(&text));
	as_sql_release(&text);
	return path.p;
}
