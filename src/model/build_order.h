/* SPDX-License-Identifier: Apache-2.0 */
/* The order of nodes; private to src/model. */
#ifndef AS_MODEL_BUILD_ORDER_H
#define AS_MODEL_BUILD_ORDER_H

#include "model/build.h"

/* Bring the nodes into depth-first order, children as they came, so that a subtree is a stretch of
 * them. False if out of memory; then nothing has changed. */
AS_NODISCARD bool as_build_order_nodes(struct as_profile *prof);

#endif
