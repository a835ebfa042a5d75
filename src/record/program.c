/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "record/program.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#define SHELL "/bin/sh"

enum { SCRIPTS_MAX = 4, PHDRS_MAX = 64, SHDRS_MAX = 256, HEAD_MAX = 256 };
enum { TEXT_PART = 4096, TEXT_MAX = 32, TEXTS_MAX = 1 << 20 };

#if defined(__x86_64__)
#define MACHINE EM_X86_64
#elif defined(__aarch64__)
#define MACHINE EM_AARCH64
#else
#define MACHINE EM_NONE
#endif

static bool is_executable(const char *path)
{
	struct stat st;

	if (stat(path, &st) != 0)
		return false;
	if (S_ISREG(st.st_mode) && access(path, X_OK) == 0)
		return true;
	errno = EACCES;
	return false;
}

/* Into P->path; false: there is none. */
static bool program_find(struct as_program *p, const char *name, const char *search)
{
	int why = ENOENT;

	if (strchr(name, '/') || !search) {
		snprintf(p->path, sizeof(p->path), "%s", name);
		return is_executable(p->path);
	}
	while (*search) {
		size_t n = strcspn(search, ":");

		snprintf(p->path, sizeof(p->path), "%.*s/%s", (int)(n ? n : 1), n ? search : ".",
			name);
		if (is_executable(p->path))
			return true;
		if (errno == EACCES)
			why = EACCES;
		search += n + (search[n] == ':');
	}
	errno = why;
	return false;
}

/* Whether it names a dynamic linker. */
static enum as_program_kind kind_of_elf(int fd, const Elf64_Ehdr *eh)
{
	if (eh->e_ident[EI_CLASS] != ELFCLASS64 || eh->e_machine != MACHINE ||
		eh->e_phentsize != sizeof(Elf64_Phdr))
		return AS_PROGRAM_OTHER;
	for (unsigned i = 0; i < eh->e_phnum && i < PHDRS_MAX; i++) {
		Elf64_Phdr ph;

		if (pread(fd, &ph, sizeof(ph), (off_t)(eh->e_phoff + i * sizeof(ph))) !=
			(ssize_t)sizeof(ph))
			return AS_PROGRAM_OTHER;
		if (ph.p_type == PT_INTERP)
			return AS_PROGRAM_DYNAMIC;
	}
	return AS_PROGRAM_STATIC;
}

/* ---- whose stacks ---- */

static bool read_at(int fd, uint64_t off, void *to, size_t n)
{
	return off <= INT64_MAX && pread(fd, to, n, (off_t)off) == (ssize_t)n;
}

/* The text that strings of the file are in: names of sections, or of libraries. */
static bool program_has_text(int fd, const Elf64_Shdr *sh, const char *text)
{
	char part[TEXT_PART + TEXT_MAX];
	size_t n = strlen(text);

	for (uint64_t at = 0; at < sh->sh_size && at < TEXTS_MAX; at += TEXT_PART) {
		uint64_t left = sh->sh_size - at;
		size_t size = left < sizeof(part) ? (size_t)left : sizeof(part);

		if (!read_at(fd, sh->sh_offset + at, part, size))
			return false;
		if (memmem(part, size, text, n))
			return true;
	}
	return false;
}

/* Go's linker leaves its tables in programs that are stripped, too; Java's launchers have a library
 * of their own. */
static enum as_program_runtime runtime_of_elf(int fd, const Elf64_Ehdr *eh)
{
	Elf64_Shdr sh;

	if (eh->e_shentsize != sizeof(sh))
		return AS_RUNTIME_NATIVE;
	for (unsigned i = 0; i < eh->e_shnum && i < SHDRS_MAX; i++) {
		if (!read_at(fd, eh->e_shoff + i * sizeof(sh), &sh, sizeof(sh)))
			return AS_RUNTIME_NATIVE;
		if (sh.sh_type != SHT_STRTAB)
			continue;
		if (i == eh->e_shstrndx && (program_has_text(fd, &sh, "gopclntab") ||
						   program_has_text(fd, &sh, ".note.go.buildid")))
			return AS_RUNTIME_GO;
		if (i != eh->e_shstrndx && sh.sh_flags & SHF_ALLOC &&
			program_has_text(fd, &sh, "libjli.so"))
			return AS_RUNTIME_JAVA;
	}
	return AS_RUNTIME_NATIVE;
}

/* ---- scripts ---- */

/* "#! /usr/bin/env python3": NAME gets the interpreter, or what env will look for. */
static bool program_interpreter(const char *line, size_t n, char *name, size_t size)
{
	char text[HEAD_MAX + 1], *words[2] = {NULL, NULL}, *save;

	if (n < 2 || line[0] != '#' || line[1] != '!')
		return false;
	snprintf(text, sizeof(text), "%.*s", (int)(n - 2), line + 2);
	text[strcspn(text, "\n")] = '\0';
	words[0] = strtok_r(text, " \t", &save);
	words[1] = words[0] ? strtok_r(NULL, " \t", &save) : NULL;
	if (!words[0])
		return false;
	if (words[1] && words[1][0] != '-' && strcmp(words[0], "/usr/bin/env") == 0)
		words[0] = words[1];
	snprintf(name, size, "%s", words[0]);
	return true;
}

/* A first line without a NUL, as shells judge: no program of another kind. */
static bool program_is_text(const char *head, size_t n)
{
	const char *eol = memchr(head, '\n', n);

	return !memchr(head, '\0', eol ? (size_t)(eol - head) : n);
}

/* Finds the kind of P's file; NEXT: the interpreter's name if it is a script. */
static void program_look(struct as_program *p, const char *path, char *next, size_t size)
{
	union {
		Elf64_Ehdr eh;
		char text[HEAD_MAX];
	} head = {.text = {0}};
	enum as_program_kind kind = AS_PROGRAM_OTHER;
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : read(fd, &head, sizeof(head));
	struct stat st;

	next[0] = '\0';
	p->runtime = AS_RUNTIME_NATIVE;
	p->kind = access(path, X_OK) == 0 ? AS_PROGRAM_RIGHTS : AS_PROGRAM_NONE;
	if (fd < 0)
		return;
	if (fstat(fd, &st) == 0 && (st.st_mode & (S_ISUID | S_ISGID)) &&
		(st.st_uid != geteuid() || st.st_mode & S_ISGID))
		kind = AS_PROGRAM_RIGHTS;
	else if (n >= (ssize_t)sizeof(head.eh) && memcmp(head.eh.e_ident, ELFMAG, SELFMAG) == 0)
		kind = kind_of_elf(fd, &head.eh);
	else if (n > 0 && program_interpreter(head.text, (size_t)n, next, size))
		kind = AS_PROGRAM_DYNAMIC;
	else if (n >= 0 && program_is_text(head.text, (size_t)n)) {
		kind = AS_PROGRAM_DYNAMIC;
		snprintf(next, size, SHELL);
	}
	p->kind = kind;
	if (kind == AS_PROGRAM_DYNAMIC && !next[0])
		p->runtime = runtime_of_elf(fd, &head.eh);
	close(fd);
}

/* "/usr/bin/python3.11"; not "python3-config". */
static bool program_is_python(const char *path)
{
	static const char name[] = "python";
	const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;

	return strncmp(base, name, strlen(name)) == 0 &&
	       strspn(base + strlen(name), "0123456789.") == strlen(base + strlen(name));
}

void as_program_find(struct as_program *p, const char *name, const char *search)
{
	struct as_program inner;
	char next[PATH_MAX];

	p->kind = AS_PROGRAM_NONE;
	p->runtime = AS_RUNTIME_NATIVE;
	p->python = program_is_python(name);
	if (!program_find(p, name, search))
		return;
	program_look(p, p->path, next, sizeof(next));
	for (unsigned i = 0; next[0] && i < SCRIPTS_MAX; i++) {
		char name_of_inner[PATH_MAX];

		snprintf(name_of_inner, sizeof(name_of_inner), "%s", next);
		next[0] = '\0';
		if (!program_find(&inner, name_of_inner, search))
			return;
		p->python |= program_is_python(inner.path);
		program_look(p, inner.path, next, sizeof(next));
	}
}
