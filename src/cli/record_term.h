/* SPDX-License-Identifier: Apache-2.0 */
/* What a recording needs of the program: signals, and a line on the terminal. */
#ifndef AS_CLI_RECORD_TERM_H
#define AS_CLI_RECORD_TERM_H

#include "cli/cli.h"
#include "recording/recording.h"

extern const struct as_recording_around as_record_term;
/* Nobody else writes to the terminal while process PID is recorded, and somebody may look. */
bool as_record_line_fits(const struct as_cli *cli, uint64_t pid);

#endif
