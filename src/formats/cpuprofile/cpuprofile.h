/* SPDX-License-Identifier: Apache-2.0 */
/* Profiles of V8: what the driver's files share. docs/formats/cpuprofile.md. */
#ifndef AS_FORMATS_CPUPROFILE_H
#define AS_FORMATS_CPUPROFILE_H

#include "formats/json_in.h"
#include "formats/v8.h"

/* cpuprofile_read.c, cpuprofile_write.c */
enum as_code as_cpuprofile_read(struct as_rd *rd) AS_NODISCARD;
enum as_code as_cpuprofile_write(struct as_wr *wr, const struct as_profile *prof) AS_NODISCARD;

#endif
