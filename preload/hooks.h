/* SPDX-License-Identifier: Apache-2.0 */
#ifndef AS_PRELOAD_HOOKS_H
#define AS_PRELOAD_HOOKS_H

/* A function that the program finds in this library before libc's. */
#define AS_HOOK __attribute__((visibility("default")))

#endif
