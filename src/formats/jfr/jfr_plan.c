/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which events are looked at: those of types with a stack, and a few that tell
 * a fact, or are markers. Their fields become steps, up to the last one that is looked at.
 */
#include "formats/jfr/jfr.h"

/* What is shown first where a file has several, by the last word of the type's
 * name; and which field is the weight that is shown first. */
static const struct {
	const char *name, *weight;
} known[] = {
	{"ExecutionSample", NULL},
	{"CPUTimeSample", "samplingPeriod"},
	{"WallClockSample", "samples"},
	{"MethodSample", "weight"},
	{"NativeMethodSample", NULL},
	{"ObjectAllocationSample", "weight"},
	{"ObjectAllocationInNewTLAB", "tlabSize"},
	{"ObjectAllocationOutsideTLAB", "allocationSize"},
	{"JavaMonitorEnter", "duration"},
	{"JavaMonitorWait", "duration"},
	{"ThreadPark", "duration"},
	{"ThreadSleep", "duration"},
	{"SocketRead", "duration"},
	{"SocketWrite", "duration"},
	{"FileRead", "duration"},
	{"FileWrite", "duration"},
};

/* Types of these are the JDK's own, or a profiler's for it. */
static const char *const homes[] = {"jdk.", "com.oracle.jdk.", "profiler.", "datadog."};

/* Amounts that say how something is, or should be, not what was spent. */
static const char *const gauges[] = {
	"timeout", "time", "lastKnownHeapUsage", "objectAge", "memoryLimit", "heapUsed"};

/* Numbers without a unit that say how many samples an event stands for. */
static const char *const counts[] = {"samples", "samplesCount", "weight"};

static uint32_t jfr_plan_rank(struct as_slice name)
{
	for (size_t h = 0; h < AS_ARRAY_LEN(homes); h++) {
		struct as_slice last = as_slice_skip(name, as_slice_up_to_last(name, '.'));

		if (!as_slice_starts(name, homes[h]) || strlen(homes[h]) != name.len - last.len)
			continue;
		for (uint32_t i = 0; i < AS_ARRAY_LEN(known); i++)
			if (as_slice_is(last, known[i].name))
				return i;
	}
	return JFR_RANK_OTHER;
}

const char *as_jfr_first_weight(uint32_t rank)
{
	return rank < AS_ARRAY_LEN(known) ? known[rank].weight : NULL;
}

static enum as_jfr_fact jfr_plan_fact(struct as_slice name)
{
	static const struct {
		const char *name;
		enum as_jfr_fact fact;
	} facts[] = {
		{"jdk.ActiveSetting", JFR_FACT_SETTING},
		{"jdk.JVMInformation", JFR_FACT_JVM},
		{"jdk.DataLoss", JFR_FACT_LOST_BYTES},
		{"jdk.CPUTimeSamplesLost", JFR_FACT_LOST_SAMPLES},
		{"jdk.GarbageCollection", JFR_FACT_MARKER},
		{"jdk.GCPhasePause", JFR_FACT_MARKER},
	};

	if (as_slice_starts(name, "com.oracle."))
		name = as_slice_skip(name, strlen("com.oracle."));
	for (size_t i = 0; i < AS_ARRAY_LEN(facts); i++)
		if (as_slice_is(name, facts[i].name))
			return facts[i].fact;
	return JFR_FACT_NONE;
}

static enum as_code jfr_plan_kind(struct as_jfr_chunk *c, struct as_slice name, uint32_t *out)
{
	struct as_jfr_read *r = c->r;
	struct as_jfr_kind kind = {.rank = jfr_plan_rank(name)};

	for (*out = 0; *out < r->kind.n; ++*out)
		if (as_slice_eq(r->kind.p[*out].name, name))
			return AS_OK;
	kind.name = as_arena_dup(&r->arena, name);
	return as_err_memory(r->rd->err, kind.name.p && as_vec_push(r->al, &r->kind, kind));
}

static bool jfr_plan_is_integer(const struct as_jfr_chunk *c, const struct as_jfr_field *f)
{
	enum as_jfr_form form =
		f->class == UINT32_MAX ? JFR_FORM_STRUCT : c->class.p[f->class].form;

	return !f->pool && !f->array && form >= JFR_FORM_BYTE && form <= JFR_FORM_LONG;
}

static bool jfr_plan_is_weight(const struct as_jfr_chunk *c, const struct as_jfr_field *f)
{
	if (!jfr_plan_is_integer(c, f))
		return false;
	return f->unit ? !as_slice_is_one_of(f->name, gauges) : as_slice_is_one_of(f->name, counts);
}

/* The weight of KIND that field F is, a new one if need be; false: there is no
 * room for it. */
static enum as_code jfr_plan_weight(struct as_jfr_chunk *c, uint32_t kind,
	const struct as_jfr_field *f, uint32_t *out, bool *has)
{
	struct as_jfr_kind *k = &c->r->kind.p[kind];
	enum as_jfr_unit unit = f->unit >= JFR_UNIT_NANOS ? JFR_UNIT_NANOS : f->unit;

	as_assert(kind < c->r->kind.n);
	*has = true;
	for (*out = 0; *out < k->n; ++*out)
		if (as_slice_eq(k->weight[*out].name, f->name) && k->weight[*out].unit == unit)
			return AS_OK;
	*has = k->n < JFR_WEIGHTS;
	if (!*has)
		return AS_OK;
	k->weight[k->n].unit = unit;
	k->weight[k->n].name = as_arena_dup(&c->r->arena, f->name);
	return as_err_memory(c->r->rd->err, k->weight[k->n++].name.p);
}

static bool jfr_plan_take(uint32_t *of, const struct as_jfr_field *f)
{
	bool first = *of == UINT32_MAX && f->pool && !f->array && f->class != UINT32_MAX;

	if (first)
		*of = f->class;
	return first;
}

/* What F is besides a weight. */
static enum as_jfr_op jfr_plan_op(
	const struct as_jfr_chunk *c, struct as_jfr_plan *plan, const struct as_jfr_field *f)
{
	switch (f->word) {
	case JFR_W_START:
		if (plan->has_start || !jfr_plan_is_integer(c, f) ||
			c->class.p[f->class].form != JFR_FORM_LONG)
			return JFR_OP_SKIP;
		plan->has_start = true;
		return JFR_OP_START;
	case JFR_W_STACK:
		return jfr_plan_take(&plan->stack, f) ? JFR_OP_STACK : JFR_OP_SKIP;
	case JFR_W_SAMPLED_THREAD:
	case JFR_W_EVENT_THREAD:
		return jfr_plan_take(&plan->thread, f) ? JFR_OP_THREAD : JFR_OP_SKIP;
	case JFR_W_STATE:
		return jfr_plan_take(&plan->state, f) ? JFR_OP_STATE : JFR_OP_SKIP;
	default:
		return JFR_OP_SKIP;
	}
}

static enum as_code jfr_plan_step(struct as_jfr_chunk *c, struct as_jfr_plan *plan, uint32_t field)
{
	const struct as_jfr_field *f = &c->field.p[field];
	struct as_jfr_step step = {.field = field, .op = jfr_plan_op(c, plan, f)};
	bool has = false;

	as_assert(field < c->field.n);
	if (!step.op && jfr_plan_is_weight(c, f))
		AS_TRY(jfr_plan_weight(c, plan->kind, f, &step.weight, &has));
	if (has)
		step.op = JFR_OP_WEIGHT;
	if (has && f->word == JFR_W_DURATION)
		plan->duration = step.weight;
	AS_TRY(as_err_memory(c->r->rd->err, as_vec_push(c->al, &c->step, step)));
	if (step.op)
		plan->n_steps = (uint32_t)c->step.n - plan->first_step;
	return AS_OK;
}

static bool jfr_plan_has_stack(const struct as_jfr_chunk *c, const struct as_jfr_class *class)
{
	for (uint32_t i = class->first; i < class->first + class->n; i++) {
		const struct as_jfr_field *f = &c->field.p[i];

		if (f->word == JFR_W_STACK && f->pool && !f->array && f->class != UINT32_MAX)
			return true;
	}
	return false;
}

static enum as_code jfr_plan_steps(struct as_jfr_chunk *c, struct as_jfr_plan *plan)
{
	const struct as_jfr_class *class = &c->class.p[plan->class];

	plan->first_step = (uint32_t)c->step.n;
	AS_TRY(jfr_plan_kind(c, class->name, &plan->kind));
	c->r->kind.p[plan->kind].is_marker = plan->fact == JFR_FACT_MARKER;
	for (uint32_t i = class->first; i < class->first + class->n; i++)
		AS_TRY(jfr_plan_step(c, plan, i));
	c->step.n = plan->first_step + plan->n_steps;
	return AS_OK;
}

/* Types of annotations and of values have no stack. */
enum as_code as_jfr_make_plans(struct as_jfr_chunk *c)
{
	for (uint32_t i = 0; i < c->class.n; i++) {
		struct as_jfr_class *class = &c->class.p[i];
		struct as_jfr_plan plan = {.class = i,
			.stack = UINT32_MAX,
			.thread = UINT32_MAX,
			.state = UINT32_MAX,
			.duration = UINT32_MAX};

		if (class->form != JFR_FORM_STRUCT)
			continue;
		plan.fact = jfr_plan_fact(class->name);
		if (!plan.fact && !jfr_plan_has_stack(c, class))
			continue;
		if (!plan.fact || plan.fact == JFR_FACT_MARKER)
			AS_TRY(jfr_plan_steps(c, &plan));
		AS_TRY(as_err_memory(c->r->rd->err, as_vec_push(c->al, &c->plan, plan)));
		class->plan = (uint32_t)c->plan.n;
	}
	return AS_OK;
}
