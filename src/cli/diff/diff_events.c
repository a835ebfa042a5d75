/* SPDX-License-Identifier: Apache-2.0 */
/* assay diff: which events are compared and shown. */
#include "cli/diff/diff_cmd.h"

static struct as_events events_of(const struct as_diff_job *j)
{
	return (struct as_events){.diff = j->d};
}

static enum as_exit choose_events(struct as_diff_job *j)
{
	j->event_size = (j->d->n_events + 1) * sizeof(*j->event);
	j->event = as_alloc_new(j->cli->al, j->event_size);
	if (!j->event)
		return as_cli_no_memory(j->cli);
	return as_cli_events(j->cli, events_of(j), j->args->events, j->event, &j->n_events);
}

/* The event that rows are sorted by, once it is known which can be compared. */
static enum as_exit choose_order(struct as_diff_job *j, uint32_t *event, bool *inclusive)
{
	const char *sort = j->args->sort;

	*event = j->n_events ? j->event[0] : UINT32_MAX;
	*inclusive = false;
	if (!sort || strcmp(sort, "self") == 0)
		return AS_EXIT_OK;
	*inclusive =
		strcmp(sort, "inclusive") == 0 || as_slice_starts(as_slice_of(sort), "inclusive:");
	if (*inclusive && !sort[strlen("inclusive")])
		return AS_EXIT_OK;
	if (*inclusive)
		sort += strlen("inclusive:");
	return as_cli_event(j->cli, events_of(j), sort, event);
}

uint32_t as_diff_event_asked(const struct as_diff_job *j)
{
	const char *sort = j->args->sort ? j->args->sort : "";
	struct as_slice name = as_slice_of(j->args->events ? j->args->events : "");
	uint32_t event = 0;
	bool is_order = strcmp(sort, "inclusive") == 0 || strcmp(sort, "self") == 0;

	if (as_slice_starts(as_slice_of(sort), "inclusive:"))
		name = as_slice_of(sort + strlen("inclusive:"));
	else if (*sort && !is_order)
		name = as_slice_of(sort);
	else
		name.len = as_slice_find(name, ',');
	as_diff_find_event(j->d, name, &event);
	return event;
}

/* Without --event programs get all events, people the one that rows are sorted by. */
static void default_events(struct as_diff_job *j, uint32_t sort_event)
{
	if (j->n_events)
		return;
	if (j->args->format != AS_DIFF_JSON && j->args->format != AS_DIFF_CSV) {
		j->event[j->n_events++] = sort_event;
		return;
	}
	for (uint32_t e = 0; e < j->d->n_events; e++)
		j->event[j->n_events++] = e;
}

enum as_exit as_diff_compare(struct as_diff_job *j)
{
	struct as_err err;
	uint32_t event = 0;
	bool inclusive;
	enum as_exit rc = choose_events(j);

	as_err_clear(&err);
	if (rc == AS_EXIT_OK)
		rc = choose_order(j, &event, &inclusive);
	if (rc != AS_EXIT_OK)
		return rc;
	if (as_diff_scale_and_sort(
		    j->d, (enum as_norm)j->args->normalize, event, inclusive, &err) != AS_OK)
		return err.code == AS_E_NOMEM ? as_cli_no_memory(j->cli)
					      : as_diff_cannot(j->cli, &err);
	if (j->args->drop_negative && as_diff_less_last(j->d, &j->n_less, &err) != AS_OK)
		return as_cli_no_memory(j->cli);
	default_events(j, j->d->sort_event);
	return AS_EXIT_OK;
}
