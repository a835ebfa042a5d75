/* SPDX-License-Identifier: Apache-2.0 */
/* Roots, powers and logarithms without a library: the same on every machine. About 13 digits. */
#ifndef AS_BASE_REAL_H
#define AS_BASE_REAL_H

#include "base/base.h"

double as_sqrt(double x); /* x >= 0 */
double as_exp(double x);
double as_log(double x); /* x > 0 */

#endif
