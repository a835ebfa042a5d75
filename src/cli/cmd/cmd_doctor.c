/* SPDX-License-Identifier: Apache-2.0 */
/* assay doctor: may I record here? */
#define _POSIX_C_SOURCE 200809L
#include <stdlib.h>

#include "cli/cli.h"
#include "record/doctor.h"
#include "record/program.h"
#include "recording/recording.h"
#include "report/kit/csv.h"
#include "report/kit/json.h"

static const char *const state_text[] = {"ok", "note", "no"};

static void print_text(struct as_out *out, const struct as_style *style, const struct as_doctor *d)
{
	for (size_t i = 0; i < d->n; i++) {
		const struct as_doctor_line *l = &d->line[i];

		as_out_printf(out, "%-5s %-12s %s\n", state_text[l->state], l->about, l->found);
		if (l->advice[0])
			as_out_printf(out, "%-5s %-12s %s %s\n", "", "", style->utf8 ? "→" : "->",
				l->advice);
	}
	as_out_printf(out, "\n%s\n",
		d->can_record ? "Programs can be recorded here: assay record PROGRAM"
			      : "Nothing can be recorded here.");
}

static void print_json(struct as_out *out, const struct as_doctor *d)
{
	struct as_json j;

	as_json_init(&j, out);
	as_json_object(&j, NULL);
	as_json_text(&j, "schema", as_slice_of("assay.doctor/1"));
	as_json_bool(&j, "can_record", d->can_record);
	as_json_array(&j, "checks");
	for (size_t i = 0; i < d->n; i++) {
		const struct as_doctor_line *l = &d->line[i];

		as_json_object(&j, NULL);
		as_json_text(&j, "about", as_slice_of(l->about));
		as_json_text(&j, "state", as_slice_of(state_text[l->state]));
		as_json_text(&j, "found", as_slice_of(l->found));
		as_json_text_or_null(&j, "advice", as_slice_of(l->advice));
		as_json_object_end(&j);
	}
	as_json_array_end(&j);
	as_json_object_end(&j);
	as_json_finish(&j);
}

static void print_csv(struct as_out *out, const struct as_doctor *d)
{
	static const char *const head[] = {"about", "state", "found", "advice"};
	struct as_csv c;

	as_csv_init(&c, out);
	for (size_t i = 0; i < AS_ARRAY_LEN(head); i++)
		as_csv_text(&c, as_slice_of(head[i]));
	as_csv_end(&c);
	for (size_t i = 0; i < d->n; i++) {
		const struct as_doctor_line *l = &d->line[i];

		as_csv_text(&c, as_slice_of(l->about));
		as_csv_text(&c, as_slice_of(state_text[l->state]));
		as_csv_text(&c, as_slice_of(l->found));
		as_csv_text(&c, as_slice_of(l->advice));
		as_csv_end(&c);
	}
}

static enum as_exit doctor_run(struct as_cli *cli, const void *argp)
{
	char library[PATH_MAX];
	bool there = as_recording_library(library, sizeof(library));
	struct as_program valgrind;
	struct as_doctor d;
	struct as_out *out;

	(void)argp;
	as_program_find(&valgrind, "valgrind", getenv("PATH"));
	as_doctor_look(&d, there ? library : NULL,
		valgrind.kind != AS_PROGRAM_NONE ? valgrind.path : NULL);
	if (as_cli_out(cli, &out) != AS_OK)
		return as_say_no_memory(&cli->ses);
	if (cli->ses.opt.format == AS_FORMAT_JSON)
		print_json(out, &d);
	else if (cli->ses.opt.format == AS_FORMAT_CSV)
		print_csv(out, &d);
	else
		print_text(out, &cli->style, &d);
	return d.can_record ? AS_EXIT_OK : AS_EXIT_NO;
}

const struct as_cmd as_cmd_doctor = {
	.name = "doctor",
	.args = "",
	.brief = "may I record here, with which clock and which stacks",
	.about = "Tries what recording needs, changes nothing, and says what to do where something "
		 "is\n"
		 "missing. The exit status is 1 if there is no way to record at all.\n",
	.examples = "assay doctor\twhat works here\nassay doctor -f json\tfor programs",
	.groups = AS_GROUP_FORMAT,
	.run = doctor_run,
};
