/* SPDX-License-Identifier: Apache-2.0 */
/* From the text of a question to that of its answer. */
#include "engine.h"
#include "report/kit/json.h"

static const struct answer {
	const char *command;
	as_answer_fn *say;
} answers[] = {
	{"asm", as_engine_asm},
	{"check", as_engine_check},
	{"diff", as_engine_diff},
	{"facts", as_engine_facts},
	{"filters", as_engine_filters},
	{"flame", as_engine_flame},
	{"graph", as_engine_graph},
	{"info", as_engine_info},
	{"list", as_engine_list},
	{"moments", as_engine_moments},
	{"peek", as_engine_peek},
	{"top", as_engine_top},
	{"tree", as_engine_tree},
	{"treemap", as_engine_treemap},
};

static enum as_code ask_find(const struct question *q, as_answer_fn **say, struct failure *f)
{
	for (size_t i = 0; i < AS_ARRAY_LEN(answers); i++) {
		if (!as_slice_is(q->command, answers[i].command))
			continue;
		*say = answers[i].say;
		return AS_OK;
	}
	return as_failure_set(f, AS_E_ARG, NULL, "there is no command '%.100s'", q->command.p);
}

static enum as_code ask_answer(
	struct engine *e, const struct question *q, struct as_sink_mem *sm, struct failure *f)
{
	as_answer_fn *say = NULL;
	struct as_out out;
	enum as_code rc, flushed;

	AS_TRY(ask_find(q, &say, f));
	if (as_out_open(&out, e->al, &sm->sink, &f->err) != AS_OK)
		return as_failure_no_memory(f);
	rc = say(e, q, &out, f);
	flushed = as_out_finish(&out);
	return rc != AS_OK ? rc : flushed != AS_OK ? as_failure_no_memory(f) : AS_OK;
}

static enum as_code say_failure(struct engine *e, const struct failure *f, struct as_sink_mem *sm)
{
	struct as_err err = AS_ERR_NONE;
	struct as_json j;
	struct as_out out;

	as_sink_mem_release(sm);
	as_sink_mem_init(sm, e->al);
	AS_TRY(as_out_open(&out, e->al, &sm->sink, &err));
	as_json_init(&j, &out);
	as_json_object(&j, NULL);
	as_json_text(
		&j, "error", as_slice_of(f->err.msg[0] ? f->err.msg : as_code_text(f->err.code)));
	as_json_text_or_null(&j, "word", as_slice_of(f->word));
	as_json_object_end(&j);
	as_json_finish(&j);
	return as_out_finish(&out);
}

enum as_code as_engine_ask(struct engine *e, struct as_slice text, struct as_sink_mem *sm)
{
	struct failure f = {0};
	struct question q;
	enum as_code rc;

	as_err_clear(&f.err);
	rc = as_question_parse(&q, e->al, text, &f);
	if (rc == AS_OK)
		rc = ask_answer(e, &q, sm, &f);
	if (rc != AS_OK) {
		f.err.code = rc;
		rc = say_failure(e, &f, sm);
	}
	as_question_release(&q);
	return rc;
}
