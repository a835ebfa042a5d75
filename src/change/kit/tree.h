/* SPDX-License-Identifier: Apache-2.0 */
/* Walks over the tree of paths. */
#ifndef AS_CHANGE_KIT_TREE_H
#define AS_CHANGE_KIT_TREE_H

#include "model/profile.h"

/* LIVE[node] becomes 1 for every node that leads to a sample, LIVE[0] only for samples without
 * a stack. */
void as_tree_live(const struct as_profile *prof, uint8_t *live);

/* OUTER[node] becomes 1 where no node above it, the root apart, has the same KEY (< N_KEYS);
 * nodes that are not live are left out. False if out of memory. */
AS_NODISCARD bool as_tree_outermost(const struct as_profile *prof, const uint8_t *live,
	const uint32_t *key, size_t n_keys, uint8_t *outer);

#endif
