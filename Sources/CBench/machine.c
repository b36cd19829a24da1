#include "cbench.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

double bench_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

double bench_thread_seconds(void) {
    struct timespec used;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
    return (double)used.tv_sec + (double)used.tv_nsec * 1e-9;
}

int64_t bench_wall_milliseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

int64_t bench_peak_kib(void) {
    int64_t peak = 0;
    FILE *status = fopen("/proc/self/status", "r");
    if (!status) {
        struct rusage usage;
        return getrusage(RUSAGE_SELF, &usage) == 0 ? usage.ru_maxrss / 1024 : 0;
    }
    char line[256];
    while (fgets(line, sizeof line, status)) {
        long value;
        if (sscanf(line, "VmHWM: %ld", &value) == 1) peak = value;
    }
    fclose(status);
    return peak;
}

int bench_commits(const char *path, int full, int count, double *seconds) {
    bench_reference *r = bench_reference_open(BENCH_CELLS, path, 1, 1, full);
    if (!r) return -1;
    for (int i = 0; i < count; i++) {
        uint32_t cell = (uint32_t)i;
        double start = bench_now();
        bench_reference_update(r, &cell, 1, (uint64_t)i, 1);
        seconds[i] = bench_now() - start;
    }
    int failed = bench_reference_failed(r);
    bench_reference_close(r);
    return failed ? -1 : 0;
}

// ---- Sockets ----

static struct sockaddr_in loopback(int port) {
    struct sockaddr_in address;
    memset(&address, 0, sizeof address);
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.sin_port = htons((uint16_t)port);
    return address;
}

static int ready(int descriptor) {
    int on = 1;
    setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    fcntl(descriptor, F_SETFD, FD_CLOEXEC);
    signal(SIGPIPE, SIG_IGN);
    return descriptor;
}

int bench_tcp_listen(int *port) {
    struct sockaddr_in address = loopback(0);
    socklen_t length = sizeof address;
    int listener = socket(AF_INET, SOCK_STREAM, 0);
    if (listener < 0) return -1;
    fcntl(listener, F_SETFD, FD_CLOEXEC);
    if (bind(listener, (struct sockaddr *)&address, length) == 0 && listen(listener, 1) == 0
        && getsockname(listener, (struct sockaddr *)&address, &length) == 0) {
        *port = ntohs(address.sin_port);
        return listener;
    }
    close(listener);
    return -1;
}

int bench_tcp_accept(int listener) {
    struct pollfd ask = {listener, POLLIN, 0};
    if (poll(&ask, 1, 20000) != 1) return -1;
    int descriptor = accept(listener, 0, 0);
    return descriptor < 0 ? -1 : ready(descriptor);
}

int bench_tcp_connect(int port) {
    struct sockaddr_in address = loopback(port);
    int descriptor = socket(AF_INET, SOCK_STREAM, 0);
    if (descriptor < 0) return -1;
    if (connect(descriptor, (struct sockaddr *)&address, sizeof address) == 0) {
        return ready(descriptor);
    }
    close(descriptor);
    return -1;
}

int bench_tcp_pair(int ends[2]) {
    int port = 0, listener = bench_tcp_listen(&port);
    if (listener < 0) return -1;
    ends[0] = bench_tcp_connect(port);
    ends[1] = ends[0] < 0 ? -1 : bench_tcp_accept(listener);
    close(listener);
    if (ends[0] < 0 || ends[1] < 0) return -1;
    for (int i = 0; i < 2; i++) {
        fcntl(ends[i], F_SETFL, fcntl(ends[i], F_GETFL) | O_NONBLOCK);
    }
    return 0;
}

int bench_wait(int first, int second, int milliseconds) {
    struct pollfd ask[2] = {{first, POLLIN, 0}, {second, POLLIN, 0}};
    if (poll(ask, 2, milliseconds) < 0) return errno == EINTR ? 0 : -1;
    return (ask[0].revents ? 1 : 0) | (ask[1].revents ? 2 : 0);
}

static int transfer(int descriptor, unsigned char *bytes, int count, int writes) {
    for (int done = 0; done < count;) {
        ssize_t moved = writes ? write(descriptor, bytes + done, (size_t)(count - done))
                               : read(descriptor, bytes + done, (size_t)(count - done));
        if (moved <= 0) return -1;
        done += (int)moved;
    }
    return 0;
}

int bench_round_trips(int count, double *seconds) {
    unsigned char bytes[256] = {7};
    const int size = (int)sizeof bytes;
    int port = 0, listener = bench_tcp_listen(&port);
    if (listener < 0) return -1;
    pid_t child = fork();
    if (child == 0) {
        int far = bench_tcp_connect(port);
        while (far >= 0 && transfer(far, bytes, size, 0) == 0
               && transfer(far, bytes, size, 1) == 0) {}
        _exit(0);
    }
    int near = child < 0 ? -1 : bench_tcp_accept(listener);
    close(listener);
    int result = near < 0 ? -1 : 0;
    for (int i = 0; i < count && result == 0; i++) {
        double start = bench_now();
        if (transfer(near, bytes, size, 1) || transfer(near, bytes, size, 0)) result = -1;
        seconds[i] = bench_now() - start;
    }
    if (near >= 0) close(near);
    if (child > 0) waitpid(child, 0, 0);
    return result;
}

// ---- Processes ----

extern char **environ;

int bench_spawn(char *const arguments[], int *output) {
    int ends[2];
    if (pipe(ends) != 0) return -1;
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], 1);
    posix_spawn_file_actions_addclose(&actions, ends[1]);
    pid_t process = -1;
    int code = posix_spawn(&process, arguments[0], &actions, 0, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    if (code == 0) {
        *output = ends[0];
        return process;
    }
    close(ends[0]);
    return -1;
}

int bench_reap(int process) {
    int status = 0;
    while (waitpid(process, &status, 0) < 0) {
        if (errno != EINTR) return -1;
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}
