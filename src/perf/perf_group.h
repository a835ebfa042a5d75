/* SPDX-License-Identifier: Apache-2.0 */
/* What the path of a control group says. */
#ifndef AS_PERF_PERF_GROUP_H
#define AS_PERF_PERF_GROUP_H

#include "base/slice.h"

/* "nginx.service" of "/system.slice/nginx.service"; a user's program is of its own unit. */
struct as_slice as_perf_group_unit(struct as_slice path);
/* The container's id: 64 digits in hex, as Docker, Podman and containerd have in their groups. */
struct as_slice as_perf_group_container(struct as_slice path);

#endif
