/* SPDX-License-Identifier: Apache-2.0 */
/* Functions that assay does not use, turned into compile errors. */
#ifndef AS_BASE_BANNED_H
#define AS_BASE_BANNED_H

/* The system headers that declare them come first, or they would not parse. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#if defined(__GNUC__) && !defined(__cplusplus) && !defined(AS_NO_BANNED)
#pragma GCC poison strcpy strcat strncpy strncat sprintf vsprintf strtok gets
#pragma GCC poison atoi atol atoll atof gmtime localtime ctime asctime
#endif

#endif
