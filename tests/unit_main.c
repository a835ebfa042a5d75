/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The program of a floor's unit tests: NAME runs the group in NAME_test.c, by its function
 * NAME_tests(). Meson writes the list of the names (UNITS_H), and runs a process for each, so that
 * one that crashes takes no other with it.
 */
#include <stdio.h>
#include <string.h>

#include UNITS_H

#define DECLARE(name) int name##_tests(void);
#define ROW(name) {#name, name##_tests},

AS_UNITS(DECLARE)

static const struct {
	const char *name;
	int (*run)(void);
} units[] = {AS_UNITS(ROW)};

int main(int argc, char **argv)
{
	for (size_t i = 0; i < sizeof(units) / sizeof(*units); i++) {
		if (argc != 2)
			puts(units[i].name);
		else if (strcmp(argv[1], units[i].name) == 0)
			return units[i].run();
	}
	if (argc == 2)
		fprintf(stderr, "%s: no tests are called '%s'\n", argv[0], argv[1]);
	return argc == 1 ? 0 : 2;
}
