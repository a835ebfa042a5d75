/* SPDX-License-Identifier: Apache-2.0 */
/* pack IN OUT: IN as a member of gzip that is as small as it gets. For tools/page.py. */
#include <stdio.h>
#include <stdlib.h>

#include "io/gzip_best.h"

enum { MOST = 64 << 20 };

static int pack_write(const char *path, const struct as_gzip_best *gz)
{
	FILE *out = fopen(path, "wb");

	if (!out)
		return 1;
	if (fwrite(gz->p, 1, gz->n, out) != gz->n) {
		fclose(out);
		return 1;
	}
	return fclose(out) != 0;
}

int main(int argc, char **argv)
{
	char *data = malloc(MOST);
	FILE *in = argc == 3 ? fopen(argv[1], "rb") : NULL;
	struct as_gzip_best gz = {0};
	struct as_err err = AS_ERR_NONE;
	int rc = 1;

	if (data && in) {
		size_t n = fread(data, 1, MOST, in);

		if (!ferror(in) && n < MOST &&
			as_gzip_best(&gz, &as_alloc_libc, (struct as_slice){data, n}, &err) ==
				AS_OK)
			rc = pack_write(argv[2], &gz);
		as_gzip_best_release(&gz, &as_alloc_libc);
	}
	if (in)
		fclose(in);
	free(data);
	if (rc)
		fprintf(stderr, "pack: cannot pack it\n");
	return rc;
}
