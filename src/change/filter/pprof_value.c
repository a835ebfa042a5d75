/* SPDX-License-Identifier: Apache-2.0 */
#include "change/filter/pprof_value.h"

#include "base/utf8_len.h"

/* ---- sample types ---- */

struct as_slice as_pprof_meta(const struct as_profile *prof, const char *key)
{
	for (size_t i = 0; i < prof->meta.n; i++)
		if (as_slice_is(as_str_get(prof, prof->meta.p[i].key), key))
			return as_str_get(prof, prof->meta.p[i].text);
	return (struct as_slice){NULL, 0};
}

/* Nanoseconds that a count of the only event stands for, where that is how pprof's own reader has
 * it; else 0. What writes profile.proto goes by the same rule. */
static uint64_t sample_nanos(const struct as_profile *prof)
{
	const struct as_event *ev = prof->event.p;
	struct as_slice unit;
	uint64_t nanos;

	if (prof->event.n != 1 || !ev->period || as_pprof_meta(prof, "period_type").p)
		return 0;
	unit = as_str_get(prof, ev->unit);
	nanos = as_unit_nanos(as_str_get(prof, ev->period_unit));
	if (!nanos || (unit.len && !as_slice_is(unit, "count")) || ev->period > INT64_MAX / nanos)
		return 0;
	return ev->period * nanos;
}

uint32_t as_pprof_n_columns(const struct as_profile *prof)
{
	return sample_nanos(prof) ? 2 : as_n_events(prof);
}

struct as_pprof_column as_pprof_column(const struct as_profile *prof, uint32_t i)
{
	uint64_t nanos = sample_nanos(prof);
	uint32_t event = nanos ? 0 : as_event_in_column(prof, i);

	if (nanos && i)
		return (struct as_pprof_column){
			as_slice_of("cpu"), as_slice_of("nanoseconds"), 0, nanos};
	return (struct as_pprof_column){.type = as_event_name(prof, event),
		.unit = nanos ? as_slice_of("count") : as_str_get(prof, prof->event.p[event].unit),
		.event = event,
		.each = 1};
}

bool as_pprof_find_column(
	const struct as_profile *prof, struct as_slice name, struct as_pprof_column *out)
{
	static const char prefix[] = "inuse_";
	uint32_t n = as_pprof_n_columns(prof);
	struct as_slice bare = name;
	uint64_t number;

	if (!n)
		return false;
	if (!name.len) {
		*out = as_pprof_column(prof, sample_nanos(prof)       ? 1
					     : prof->first_column < n ? prof->first_column
								      : 0);
		return true;
	}
	if (as_slice_dec(name, &number)) {
		*out = as_pprof_column(prof, number < n ? (uint32_t)number : 0);
		return number < n;
	}
	if (as_slice_starts(name, prefix))
		bare = as_slice_skip(name, strlen(prefix));
	for (uint32_t i = 0; i < n; i++) {
		*out = as_pprof_column(prof, i);
		if (as_slice_eq(out->type, name) || as_slice_eq(out->type, bare))
			return true;
	}
	return false;
}

as_val as_pprof_cost(
	const struct as_profile *prof, const struct as_pprof_column *column, size_t sample)
{
	return prof->sample.cost.p[sample * prof->event.n + column->event] * (as_val)column->each;
}

/* What `pprof -diff_base` marks the samples of the base with. */
static bool pprof_value_is_base(const struct as_profile *prof, uint32_t part)
{
	uint32_t n;
	const struct as_label *l = as_part_labels(prof, part, &n);

	for (uint32_t i = 0; i < n; i++)
		if (as_slice_is(as_str_get(prof, l[i].key), "pprof::base") &&
			as_slice_is(as_str_get(prof, l[i].text), "true"))
			return true;
	return false;
}

bool as_pprof_sum(const struct as_profile *prof, const struct as_pprof_column *column, as_val *out)
{
	as_val all = 0, base = 0;

	for (size_t i = 0; i < prof->sample.node.n; i++) {
		as_val v = prof->sample.cost.p[i * prof->event.n + column->event];

		v = v < 0 ? -v : v;
		all += v;
		if (prof->label.n && pprof_value_is_base(prof, prof->sample.part.p[i]))
			base += v;
	}
	return !__builtin_mul_overflow(base ? base : all, (as_val)column->each, out) &&
	       *out <= AS_PPROF_MOST;
}

/* ---- units ---- */

struct unit {
	const char *name;     /* as it is written */
	const char *alias[3]; /* as profiles call it, without the "s" at the end */
	double factor;
};

enum { UNITS = 9 };

static const struct family {
	const struct unit *usual; /* where no other fits */
	struct unit unit[UNITS];
} families[] = {
	{&families[0].unit[0], {{"B", {"b", "byte"}, 1}, {"kB", {"kb", "kbyte", "kilobyte"}, 1024},
				       {"MB", {"mb", "mbyte", "megabyte"}, 1048576},
				       {"GB", {"gb", "gbyte", "gigabyte"}, 1073741824},
				       {"TB", {"tb", "tbyte", "terabyte"}, 1099511627776},
				       {"PB", {"pb", "pbyte", "petabyte"}, 1125899906842624}}},
	{&families[1].unit[3],
		{{"ns", {"ns", "nanosecond"}, 1}, {"us", {"us", "microsecond"}, 1e3},
			{"ms", {"ms", "millisecond"}, 1e6}, {"s", {"s", "sec", "second"}, 1e9},
			{"hrs", {"hour", "hr"}, 3600e9}}},
	{&families[2].unit[3], {{"n*GCU", {"nanogcu"}, 1e-9}, {"u*GCU", {"microgcu"}, 1e-6},
				       {"m*GCU", {"milligcu"}, 1e-3}, {"GCU", {"gcu"}, 1},
				       {"k*GCU", {"kilogcu"}, 1e3}, {"M*GCU", {"megagcu"}, 1e6},
				       {"G*GCU", {"gigagcu"}, 1e9}, {"T*GCU", {"teragcu"}, 1e12},
				       {"P*GCU", {"petagcu"}, 1e15}}},
};

static bool is_alias(const struct unit *u, const char *text)
{
	for (size_t i = 0; i < AS_ARRAY_LEN(u->alias) && u->alias[i]; i++)
		if (strcmp(u->alias[i], text) == 0)
			return true;
	return false;
}

/* "Bytes", "byte", "B": case and a plural do not matter. NULL if FAMILY has no such unit. */
static const struct unit *find_unit(const struct family *family, struct as_slice name)
{
	char text[16];
	size_t n = name.len;

	if (n > 2 && (name.p[n - 1] == 's' || name.p[n - 1] == 'S'))
		n--;
	if (n >= sizeof(text))
		return NULL;
	for (size_t i = 0; i < n; i++)
		text[i] = (char)(name.p[i] >= 'A' && name.p[i] <= 'Z' ? name.p[i] + 32 : name.p[i]);
	text[n] = '\0';
	for (size_t i = 0; i < UNITS && family->unit[i].name; i++)
		if (is_alias(&family->unit[i], text))
			return &family->unit[i];
	return NULL;
}

/* The largest unit that V has one of. */
static const struct unit *pprof_value_fitting(const struct family *family, double v)
{
	const struct unit *best = NULL;

	for (size_t i = 0; i < UNITS && family->unit[i].name; i++)
		if (v / family->unit[i].factor >= 1)
			best = &family->unit[i];
	return best ? best : family->usual;
}

double as_pprof_scale(as_val v, struct as_slice from, struct as_slice to, struct as_slice *unit)
{
	static const char *const silent[] = {"count", "sample", "unit", "minimum", "auto"};
	double size = v < 0 ? -(double)v : (double)v, sign = v < 0 ? -1 : 1;

	for (size_t i = 0; i < AS_ARRAY_LEN(families); i++) {
		const struct unit *u = find_unit(&families[i], from), *target;

		if (!u)
			continue;
		size *= u->factor;
		target = as_slice_is(to, "minimum") || as_slice_is(to, "auto")
				 ? pprof_value_fitting(&families[i], size)
				 : find_unit(&families[i], to);
		target = target ? target : families[i].usual;
		*unit = as_slice_of(target->name);
		return sign * (size / target->factor);
	}
	*unit = to;
	if (as_slice_is_one_of(to, silent))
		unit->len = 0;
	return sign * size;
}

/* ---- text ---- */

void as_pprof_format(
	struct as_pprof_value *text, as_val v, struct as_slice from, struct as_slice to)
{
	double scaled = as_pprof_scale(v, from, to, &text->unit);
	size_t n;

	snprintf(text->number, sizeof(text->number), "%.2f", scaled);
	n = strlen(text->number);
	if (n > 3 && strcmp(text->number + n - 3, ".00") == 0)
		text->number[n - 3] = '\0';
	if (strcmp(text->number, "0") != 0 && strcmp(text->number, "-0") != 0)
		return;
	snprintf(text->number, sizeof(text->number), "0");
	text->unit.len = 0;
}

void as_pprof_put(struct as_out *out, const struct as_pprof_value *text, unsigned width)
{
	size_t n = strlen(text->number) + as_utf8_columns(text->unit);

	for (; n < width; n++)
		as_out_char(out, ' ');
	as_out_text(out, text->number);
	as_out_slice(out, text->unit);
}

const char *as_pprof_percent(as_val part, as_val whole, char text[AS_PPROF_NUMBER])
{
	double ratio = whole ? (double)part / (double)whole * 100 : 0;

	ratio = ratio < 0 ? -ratio : ratio + 0.0; /* -0 is 0 */
	if (ratio >= 99.95 && ratio <= 100.05)
		return "  100%";
	snprintf(text, AS_PPROF_NUMBER, ratio >= 1 ? "%5.2f%%" : "%5.2g%%", ratio);
	return text;
}
