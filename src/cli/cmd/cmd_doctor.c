/* SPDX-License-Identifier: Apache-2.0 */
/* assay doctor: may I record here? */
#define _POSIX_C_SOURCE 200809L
#include <stdlib.h>

#include "cli/env.h"
#include "cli/view_cmd.h"
#include "record/doctor.h"
#include "record/program.h"
#include "recording/recording.h"

static const char *const state_text[] = {"ok", "note", "no"};

static void doctor_print_text(
	struct as_out *out, const struct as_style *style, const struct as_doctor *d)
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

enum { ABOUT, STATE, FOUND, ADVICE };

static const struct as_column columns[] = {
	{AS_COL_WORD, AS_IN_DATA, ABOUT, "about"},
	{AS_COL_WORD, AS_IN_DATA, STATE, "state"},
	{AS_COL_WORD, AS_IN_DATA, FOUND, "found"},
	{AS_COL_WORD, AS_IN_DATA, ADVICE, "advice"},
	{0},
};

static enum as_code doctor_data(
	const struct as_alloc *al, const struct as_sheet_to *to, const struct as_doctor *d)
{
	struct as_sheet s;

	as_sheet_init_plain(&s, to, al, columns);
	as_sheet_begin(&s, "assay.doctor/1", NULL);
	if (as_sheet_is(&s, AS_FORM_JSON))
		as_json_bool(&s.json, "can_record", d->can_record);
	as_sheet_rows(&s, "checks");
	for (size_t i = 0; i < d->n; i++) {
		const struct as_doctor_line *l = &d->line[i];

		as_sheet_text(&s, ABOUT, as_slice_of(l->about));
		as_sheet_text(&s, STATE, as_slice_of(state_text[l->state]));
		as_sheet_text(&s, FOUND, as_slice_of(l->found));
		as_sheet_text_or_null(&s, ADVICE, as_slice_of(l->advice));
		as_sheet_row(&s, NULL);
	}
	as_sheet_list_end(&s);
	return as_sheet_finish(&s);
}

static enum as_exit doctor_run(struct as_cli *cli, const void *argp)
{
	char library[PATH_MAX];
	bool there = as_recording_library(library, sizeof(library));
	struct as_program valgrind;
	struct as_doctor d;
	struct as_sheet_to to;
	enum as_code rc = AS_OK;

	(void)argp;
	as_program_find(&valgrind, "valgrind", getenv("PATH"));
	as_doctor_look(&d, there ? library : NULL,
		valgrind.kind != AS_PROGRAM_NONE ? valgrind.path : NULL, as_env("DEBUGINFOD_URLS"),
		getenv("PATH"));
	AS_DO(as_cli_sheet(cli, &to));
	if (to.form == AS_FORM_TEXT)
		doctor_print_text(to.out, to.style, &d);
	else
		rc = doctor_data(cli->ses.al, &to, &d);
	AS_DO(as_say_code(&cli->ses, rc, NULL));
	return d.can_record ? AS_EXIT_OK : AS_EXIT_NO;
}

const struct as_cmd as_cmd_doctor = {
	AS_COMMAND(doctor, "", 0, 0, doctor_run),
	.brief = "may I record here, with which clock and which stacks",
	.about = "Tries what recording needs, changes nothing, and says what to do where something "
		 "is\n"
		 "missing. The exit status is 1 if there is no way to record at all.\n",
	.examples = "assay doctor\twhat works here\nassay doctor -f json\tfor programs",
	.groups = AS_GROUP_FORMAT,
};
