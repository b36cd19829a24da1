// libmicrohttpd as Swift can call it: its variadic functions and its enumerations have wrappers.
#include <microhttpd.h>
#include <stdlib.h>
#include <sys/socket.h>

// The two calls from the library; `context` is the first argument of both.
typedef struct {
    void *context;
    // Hears a request: first its head, then each part of its body, then its end. Returns 0 to close
    // the connection.
    int (*hear)(
        void *context, struct MHD_Connection *connection, const char *url, const char *method,
        const char *body, size_t *size, void **request);
    // Hears that a request is over.
    void (*end)(void *context, void *request);
} linnet_http_hooks;

static inline enum MHD_Result linnet_http_hear(
    void *hooks, struct MHD_Connection *connection, const char *url, const char *method,
    const char *version, const char *body, size_t *size, void **request) {
    const linnet_http_hooks *known = hooks;
    (void)version;
    return known->hear(known->context, connection, url, method, body, size, request) ? MHD_YES
                                                                                     : MHD_NO;
}

static inline void linnet_http_end(
    void *hooks, struct MHD_Connection *connection, void **request,
    enum MHD_RequestTerminationCode code) {
    const linnet_http_hooks *known = hooks;
    (void)connection;
    (void)code;
    if (*request) known->end(known->context, *request);
    *request = NULL;
}

// Starts a server without a socket and without a thread; `hooks` must outlive it.
static inline struct MHD_Daemon *linnet_http_start(
    linnet_http_hooks *hooks, unsigned int connections, size_t memory, unsigned int seconds) {
    return MHD_start_daemon(
        MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_NO_LISTEN_SOCKET, 0, NULL, NULL,
        linnet_http_hear, hooks, MHD_OPTION_NOTIFY_COMPLETED, linnet_http_end, hooks,
        MHD_OPTION_CONNECTION_LIMIT, connections, MHD_OPTION_CONNECTION_MEMORY_LIMIT, memory,
        MHD_OPTION_CONNECTION_TIMEOUT, seconds, MHD_OPTION_END);
}

// The descriptor that is readable when there is something to do; -1 when there is none.
static inline int linnet_http_descriptor(struct MHD_Daemon *daemon) {
    const union MHD_DaemonInfo *info = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_EPOLL_FD);
    return info ? info->epoll_fd : -1;
}

// The milliseconds after which the server must run again; -1 when it need not.
static inline long long linnet_http_wait(struct MHD_Daemon *daemon) {
    MHD_UNSIGNED_LONG_LONG milliseconds = 0;
    if (MHD_get_timeout(daemon, &milliseconds) != MHD_YES) return -1;
    return milliseconds > 60000 ? 60000 : (long long)milliseconds;
}

static inline void linnet_http_run(struct MHD_Daemon *daemon) { (void)MHD_run(daemon); }

// Hands a connection over, whose socket the library closes in any case.
static inline int linnet_http_add(
    struct MHD_Daemon *daemon, int socket, const struct sockaddr *address, socklen_t length) {
    return MHD_add_connection(daemon, socket, address, length) == MHD_YES;
}

// A response whose bytes are copied.
static inline struct MHD_Response *linnet_http_response(const void *bytes, size_t count) {
    return MHD_create_response_from_buffer(count, (void *)bytes, MHD_RESPMEM_MUST_COPY);
}

// A response without an end, whose bytes are read when the socket takes them.
static inline struct MHD_Response *linnet_http_stream(
    MHD_ContentReaderCallback read, void *context, MHD_ContentReaderFreeCallback free) {
    return MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, 8192, read, context, free);
}

static inline int linnet_http_header(
    struct MHD_Response *response, const char *name, const char *value) {
    return MHD_add_response_header(response, name, value) == MHD_YES;
}

// Queues a response and lets go of it.
static inline int linnet_http_queue(
    struct MHD_Connection *connection, unsigned int status, struct MHD_Response *response) {
    int done = MHD_queue_response(connection, status, response) == MHD_YES;
    MHD_destroy_response(response);
    return done;
}

// Calls `found` for each header, or for each part of the query when `isQuery`.
typedef void (*linnet_http_found)(
    void *context, const char *name, size_t name_count, const char *value, size_t value_count);

typedef struct {
    void *context;
    linnet_http_found found;
} linnet_http_search;

static inline enum MHD_Result linnet_http_each(
    void *search, enum MHD_ValueKind kind, const char *name, size_t name_count, const char *value,
    size_t value_count) {
    const linnet_http_search *known = search;
    (void)kind;
    known->found(known->context, name, name_count, value ? value : "", value ? value_count : 0);
    return MHD_YES;
}

static inline void linnet_http_values(
    struct MHD_Connection *connection, int isQuery, void *context, linnet_http_found found) {
    linnet_http_search search = {context, found};
    (void)MHD_get_connection_values_n(
        connection, isQuery ? MHD_GET_ARGUMENT_KIND : MHD_HEADER_KIND, linnet_http_each, &search);
}

// The value of a header, or of a part of the query; NULL where it is not there.
static inline const char *linnet_http_value(
    struct MHD_Connection *connection, int isQuery, const char *name) {
    return MHD_lookup_connection_value(
        connection, isQuery ? MHD_GET_ARGUMENT_KIND : MHD_HEADER_KIND, name);
}

// The socket of a connection; -1 where it has none.
static inline int linnet_http_socket(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    return info ? info->connect_fd : -1;
}

// The calls of a server for other machines, which hears of the end of each connection, too.
typedef struct {
    linnet_http_hooks requests;
    // Hears that a connection is about to be closed.
    void (*closed)(void *context, int socket);
} linnet_relay_hooks;

static inline void linnet_relay_notify(
    void *hooks, struct MHD_Connection *connection, void **context,
    enum MHD_ConnectionNotificationCode code) {
    const linnet_relay_hooks *known = hooks;
    (void)context;
    if (code == MHD_CONNECTION_NOTIFY_CLOSED)
        known->closed(known->requests.context, linnet_http_socket(connection));
}

// As linnet_http_start, with TLS where a certificate and its key are given, both in PEM.
static inline struct MHD_Daemon *linnet_relay_start(
    linnet_relay_hooks *hooks, unsigned int connections, size_t memory, unsigned int seconds,
    const char *certificate, const char *key) {
    struct MHD_OptionItem secure[] = {
        {MHD_OPTION_HTTPS_MEM_CERT, 0, (void *)certificate},
        {MHD_OPTION_HTTPS_MEM_KEY, 0, (void *)key},
        {MHD_OPTION_HTTPS_PRIORITIES, 0, (void *)"NORMAL:-VERS-ALL:+VERS-TLS1.3:+VERS-TLS1.2"},
        {MHD_OPTION_END, 0, NULL}};
    struct MHD_OptionItem plain[] = {{MHD_OPTION_END, 0, NULL}};
    unsigned int flags = MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_NO_LISTEN_SOCKET;
    return MHD_start_daemon(
        certificate ? flags | MHD_USE_TLS : flags, 0, NULL, NULL, linnet_http_hear,
        &hooks->requests, MHD_OPTION_NOTIFY_COMPLETED, linnet_http_end, &hooks->requests,
        MHD_OPTION_NOTIFY_CONNECTION, linnet_relay_notify, hooks, MHD_OPTION_CONNECTION_LIMIT,
        connections, MHD_OPTION_CONNECTION_MEMORY_LIMIT, memory, MHD_OPTION_CONNECTION_TIMEOUT,
        seconds, MHD_OPTION_ARRAY, certificate ? secure : plain, MHD_OPTION_END);
}
