/* SPDX-License-Identifier: Apache-2.0 */
/* Every call that a signal can end or cut short, and what a sandbox allows: what they return. */
#define _GNU_SOURCE
#include "scenes.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/aio_abi.h>
#include <linux/filter.h>
#include <linux/futex.h>
#include <linux/seccomp.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stddef.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/prctl.h>
#include <sys/select.h>
#include <sys/sem.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <threads.h>

enum { MS = 120, BIG = 1 << 20 };

int __poll_chk(struct pollfd *, nfds_t, int, size_t);
int __ppoll_chk(struct pollfd *, nfds_t, const struct timespec *, const sigset_t *, size_t);

static const struct timespec some = {0, MS * 1000000};
static char room[BIG];

/* What a call returned, and whether it came back before its time. */
#define CALL(name, expr)                                                                  \
	do {                                                                              \
		double before = seconds(CLOCK_MONOTONIC), after;                          \
		long got;                                                                 \
                                                                                          \
		errno = 0;                                                                \
		got = (long)(expr);                                                       \
		after = seconds(CLOCK_MONOTONIC);                                         \
		printf("%s = %ld %s%s\n", name, got, errno ? strerrorname_np(errno) : "", \
			after - before < MS * .99e-3 ? " early" : "");                    \
	} while (0)

/* A child that does something after the time. */
#define LATER(what)                        \
	do {                               \
		fflush(stdout);            \
		if (fork() == 0) {         \
			usleep(MS * 1100); \
			what;              \
			_exit(0);          \
		}                          \
	} while (0)

static struct timespec at_end(void)
{
	struct timespec t;

	clock_gettime(CLOCK_REALTIME, &t);
	t.tv_nsec += some.tv_nsec;
	if (t.tv_nsec >= 1000000000) {
		t.tv_sec++;
		t.tv_nsec -= 1000000000;
	}
	return t;
}

static void times(int fd)
{
	struct pollfd p = {fd, POLLIN, 0};
	struct timeval tv = {0, MS * 1000};
	struct timespec left = {0, 0}, end, t = some;
	struct epoll_event ev = {.events = EPOLLIN}, out;
	int ep = epoll_create1(0);
	uint32_t word = 0;
	sigset_t none;
	fd_set in;
	sem_t sem;

	sigemptyset(&none);
	epoll_ctl(ep, EPOLL_CTL_ADD, fd, &ev);
	CALL("poll", poll(&p, 1, MS));
	CALL("__poll_chk", __poll_chk(&p, 1, MS, sizeof(p)));
	CALL("ppoll", ppoll(&p, 1, &some, &none));
	CALL("__ppoll_chk", __ppoll_chk(&p, 1, &some, NULL, sizeof(p)));
	FD_ZERO(&in);
	FD_SET(fd, &in);
	CALL("select", select(fd + 1, &in, NULL, NULL, &tv));
	FD_SET(fd, &in);
	CALL("pselect", pselect(fd + 1, &in, NULL, NULL, &some, &none));
	CALL("epoll_wait", epoll_wait(ep, &out, 1, MS));
	CALL("epoll_pwait", epoll_pwait(ep, &out, 1, MS, &none));
	CALL("epoll_pwait2", epoll_pwait2(ep, &out, 1, &some, &none));
	CALL("nanosleep", nanosleep(&some, &left));
	CALL("clock_nanosleep", clock_nanosleep(CLOCK_MONOTONIC, 0, &some, &left));
	CALL("thrd_sleep", thrd_sleep(&some, &left));
	CALL("usleep", usleep(MS * 1000));
	CALL("SYS_poll", syscall(SYS_poll, &p, 1, MS));
	CALL("SYS_ppoll", syscall(SYS_ppoll, &p, 1, &t, &none, 8));
	CALL("SYS_epoll_wait", syscall(SYS_epoll_wait, ep, &out, 1, MS));
	CALL("SYS_nanosleep", syscall(SYS_nanosleep, &some, &left));
	CALL("SYS_futex", syscall(SYS_futex, &word, FUTEX_WAIT, 0, &some, NULL, 0));
	sem_init(&sem, 0, 0);
	end = at_end();
	CALL("sem_timedwait", sem_timedwait(&sem, &end));
	end = at_end();
	CALL("sem_clockwait", sem_clockwait(&sem, CLOCK_REALTIME, &end));
	close(ep);
}

static void sockets(int fd)
{
	struct timeval tv = {0, MS * 1000};
	struct iovec v = {room, 64};
	struct msghdr m = {.msg_iov = &v, .msg_iovlen = 1};
	struct sockaddr_in any = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
	int listener = socket(AF_INET, SOCK_STREAM, 0);

	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &tv, sizeof(tv));
	CALL("recv", recv(fd, room, 64, 0));
	CALL("read", read(fd, room, 64));
	CALL("readv", readv(fd, &v, 1));
	CALL("recvfrom", recvfrom(fd, room, 64, 0, NULL, NULL));
	CALL("recvmsg", recvmsg(fd, &m, 0));
	bind(listener, (struct sockaddr *)&any, sizeof(any));
	listen(listener, 1);
	setsockopt(listener, SOL_SOCKET, SO_RCVTIMEO, &tv, sizeof(tv));
	CALL("accept", accept(listener, NULL, NULL));
	close(listener);
}

static void system_v(void)
{
	struct {
		long type;
		char text[8];
	} m = {1, ""};
	struct sembuf down = {0, -1, 0}, up = {0, 1, 0};
	int q = msgget(IPC_PRIVATE, 0600), s = semget(IPC_PRIVATE, 1, 0600);

	LATER(msgsnd(q, &m, 8, 0));
	CALL("msgrcv", msgrcv(q, &m, 8, 0, 0));
	LATER(semop(s, &up, 1));
	CALL("semop", semop(s, &down, 1));
	CALL("semtimedop", semtimedop(s, &down, 1, &some));
	msgctl(q, IPC_RMID, NULL);
	semctl(s, 0, IPC_RMID);
}

static void *slow_reader(void *arg)
{
	char buf[4096];

	usleep(MS * 1100);
	while (read(*(int *)arg, buf, sizeof(buf)) > 0)
		usleep(300);
	return NULL;
}

/* All of it, or the count is short. */
static void whole(void)
{
	int ends[2];
	pthread_t t;

	if (pipe(ends) || pthread_create(&t, NULL, slow_reader, &ends[0]))
		die("pipe");
	CALL("write", write(ends[1], room, BIG));
	close(ends[1]);
	pthread_join(t, NULL);
	if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) ||
		pthread_create(&t, NULL, slow_reader, &ends[0]))
		die("socketpair");
	CALL("send", send(ends[1], room, BIG, 0));
	close(ends[1]);
	pthread_join(t, NULL);
	if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends))
		die("socketpair");
	LATER(for (int i = 0; i < 10; i++) {
		if (write(ends[1], room, 10) != 10)
			_exit(1);
		usleep(9000);
	});
	CALL("MSG_WAITALL", recv(ends[0], room, 100, MSG_WAITALL));
}

static void taken_up_again(void)
{
	int ends[2], status;
	pid_t pid;

	if (pipe(ends))
		die("pipe");
	LATER(if (write(ends[1], "x", 1) != 1) _exit(1));
	CALL("read of a pipe", read(ends[0], room, 1));
	fflush(stdout);
	pid = fork();
	if (pid == 0) {
		usleep(MS * 1100);
		_exit(3);
	}
	CALL("waitpid", waitpid(pid, &status, 0) == pid);
}

/* A thread's first signal comes while it waits, without an end, for more than the second that such
 * a wait is made of. */
static struct first {
	const char *name;
	int fd;
	long got;
	int early;
} first[] = {{.name = "poll"}, {.name = "ppoll"}, {.name = "select"}, {.name = "epoll_wait"},
	{.name = "epoll_pwait"}, {.name = "a limited poll"}};

static void *wait_first(void *arg)
{
	struct first *f = arg;
	struct pollfd p = {f->fd, POLLIN, 0};
	struct epoll_event ev = {.events = EPOLLIN}, out;
	double before = seconds(CLOCK_MONOTONIC);
	int ep = epoll_create1(0);
	fd_set in;

	FD_ZERO(&in);
	FD_SET(f->fd, &in);
	epoll_ctl(ep, EPOLL_CTL_ADD, f->fd, &ev);
	f->got = f == first       ? poll(&p, 1, -1)
		 : f == first + 1 ? ppoll(&p, 1, NULL, NULL)
		 : f == first + 2 ? select(f->fd + 1, &in, NULL, NULL, NULL)
		 : f == first + 3 ? epoll_wait(ep, &out, 1, -1)
		 : f == first + 4 ? epoll_pwait(ep, &out, 1, -1, NULL)
				  : poll(&p, 0, 10 * MS);
	f->early = seconds(CLOCK_MONOTONIC) - before < 10 * MS * .99e-3;
	close(ep);
	return NULL;
}

static void first_in_a_thread(void)
{
	enum { N = sizeof(first) / sizeof(*first) };
	pthread_t t[N];
	int ends[2];

	if (pipe(ends))
		die("pipe");
	for (int i = 0; i < N; i++) {
		first[i].fd = ends[0];
		if (pthread_create(&t[i], NULL, wait_first, &first[i]))
			die("pthread_create");
	}
	usleep(11 * MS * 1000);
	if (write(ends[1], "x", 1) != 1)
		die("write");
	for (int i = 0; i < N; i++) {
		pthread_join(t[i], NULL);
		printf("first %s = %ld%s\n", first[i].name, first[i].got,
			first[i].early ? " early" : "");
	}
}

void scene_calls(const char *arg)
{
	int ends[2];

	(void)arg;
	if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends))
		die("socketpair");
	first_in_a_thread();
	times(ends[0]);
	taken_up_again();
	sockets(ends[0]);
	system_v();
	whole();
	while (wait(NULL) > 0)
		;
}

/* --- within a sandbox --------------------------------------------------------------------- */

/* What a program of libc's needs here, and nothing that a sampler would. */
static void enter(void)
{
	static const unsigned allowed[] = {SYS_read, SYS_write, SYS_exit, SYS_exit_group,
		SYS_rt_sigreturn, SYS_futex, SYS_madvise, SYS_munmap, SYS_mmap, SYS_mprotect,
		SYS_brk, SYS_poll, SYS_clock_nanosleep, SYS_clone, SYS_clone3, SYS_set_robust_list,
		SYS_rseq, SYS_rt_sigprocmask, SYS_close, SYS_fstat, SYS_newfstatat,
		SYS_rt_sigaction, SYS_getrandom};
	struct sock_filter f[64] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr))};
	struct sock_fprog prog = {1, f};

	for (unsigned i = 0; i < sizeof(allowed) / sizeof(*allowed); i++) {
		f[prog.len++] =
			(struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, allowed[i], 0, 1);
		f[prog.len++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
	}
	f[prog.len++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS);
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
		syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &prog))
		die("seccomp");
}

static void spin(void)
{
	for (unsigned i = 0; i < 150000000; i++)
		sink += i;
}

static pthread_barrier_t both;

static void *before_and_within(void *arg)
{
	(void)arg;
	pthread_barrier_wait(&both);
	pthread_barrier_wait(&both);
	spin();
	return NULL;
}

static void *only_within(void *arg)
{
	(void)arg;
	spin();
	return NULL;
}

/* ARG: what the program does in its sandbox. */
void scene_confined(const char *arg)
{
	struct pollfd none = {0, 0, 0};
	void *library = NULL;
	pthread_t t;

	pthread_barrier_init(&both, NULL, 2);
	if (strcmp(arg, "ends") == 0) {
		pthread_create(&t, NULL, before_and_within, NULL);
		pthread_barrier_wait(&both);
	} else if (strcmp(arg, "unloads") == 0) {
		library = dlopen("libm.so.6", RTLD_NOW);
	}
	if (strcmp(arg, "first") != 0)
		burn(50);
	if (strcmp(arg, "strict") == 0) {
		prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT, 0, 0, 0);
		spin();
		if (write(1, "through\n", 8) == 8)
			syscall(SYS_exit, 0);
	}
	enter();
	if (strcmp(arg, "ends") == 0) {
		pthread_barrier_wait(&both);
		pthread_join(t, NULL);
	} else if (strcmp(arg, "makes") == 0) {
		pthread_create(&t, NULL, only_within, NULL);
		pthread_join(t, NULL);
	} else if (strcmp(arg, "polls") == 0) {
		poll(&none, 0, 50);
	} else if (strcmp(arg, "unloads") == 0 && library) {
		dlclose(library);
	}
	spin();
	printf("through\n");
}

/* ARG threads that sleep, beside some work. */
static void *asleep(void *arg)
{
	(void)arg;
	sleep(100);
	return NULL;
}

void scene_idle(const char *arg)
{
	pthread_attr_t attr;
	pthread_t t;

	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, 65536);
	for (int i = atoi(arg); i > 0; i--)
		if (pthread_create(&t, &attr, asleep, NULL))
			die("pthread_create");
	usleep(100000);
	burn(200);
	printf("cpu %.3f\n", seconds(CLOCK_PROCESS_CPUTIME_ID));
	exit(0);
}

/* Before there is a profile. */
void scene_stack(const char *arg)
{
	int (*take)(void **, int, int, const void *) = NULL;
	void *pc[64], *p = dlsym(RTLD_DEFAULT, "ProfilerGetStackTrace");

	(void)arg;
	memcpy(&take, &p, sizeof(take));
	printf("frames %d\n", take ? take(pc, 64, 0, NULL) : 0);
}
