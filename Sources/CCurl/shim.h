// libcurl as Swift can call it: one request, whose options are all set here, since the functions of
// the library that set them are variadic.
#include <curl/curl.h>
#include <fcntl.h>
#include <stddef.h>
#include <string.h>
#include <sys/socket.h>

typedef struct {
    const char *url;
    const char *method;
    // Lines of the head, "Name: value", each with a zero behind it.
    const char *headers;
    size_t header_bytes;
    // The body; NULL where there is none.
    const void *body;
    size_t body_count;
    // Certificates of the authorities that are trusted, in PEM; NULL for those of the system.
    const void *authority;
    size_t authority_count;
    // True to speak without TLS, without a proxy.
    int is_plain;
    long connect_seconds;
    long silence_seconds;
    long total_seconds;
    // Takes a part of the answer's body; returns 0 to end the request.
    void *context;
    int (*take)(void *context, const char *bytes, size_t count);
    // Hears a line of the answer's head.
    void (*hear)(void *context, const char *bytes, size_t count);
    // Is asked about once a second, and returns 1 to end the request; NULL to ask nobody.
    int (*stops)(void *context);
} linnet_curl_request;

static inline int linnet_curl_begin(void) { return curl_global_init(CURL_GLOBAL_ALL) == CURLE_OK; }

static inline size_t linnet_curl_take(char *bytes, size_t size, size_t count, void *context) {
    const linnet_curl_request *request = context;
    return request->take(request->context, bytes, size * count) ? size * count : 0;
}

static inline size_t linnet_curl_hear(char *bytes, size_t size, size_t count, void *context) {
    const linnet_curl_request *request = context;
    request->hear(request->context, bytes, size * count);
    return size * count;
}

static inline int linnet_curl_stops(
    void *context, curl_off_t down, curl_off_t received, curl_off_t up, curl_off_t sent) {
    const linnet_curl_request *request = context;
    (void)down;
    (void)received;
    (void)up;
    (void)sent;
    return request->stops(request->context);
}

// No program that is started meanwhile inherits the socket.
static inline curl_socket_t linnet_curl_socket(
    void *context, curlsocktype purpose, struct curl_sockaddr *address) {
    (void)context;
    (void)purpose;
    int made = socket(address->family, address->socktype, address->protocol);
    if (made >= 0) (void)fcntl(made, F_SETFD, FD_CLOEXEC);
    return made;
}

// Makes a request over a connection that may be open already. `error` has CURL_ERROR_SIZE bytes.
static inline CURLcode linnet_curl_perform(
    CURL *handle, linnet_curl_request *request, char *error, long *status) {
    struct curl_slist *headers = NULL;
    *error = 0;
    const char *end = request->headers + request->header_bytes;
    for (const char *line = request->headers; line < end; line += strlen(line) + 1) {
        struct curl_slist *longer = curl_slist_append(headers, line);
        if (!longer) {
            curl_slist_free_all(headers);
            return CURLE_OUT_OF_MEMORY;
        }
        headers = longer;
    }
    curl_easy_reset(handle);
    CURLcode code = CURLE_OK;
#define LINNET_SET(option, value) \
    if (code == CURLE_OK) code = curl_easy_setopt(handle, option, value)
    LINNET_SET(CURLOPT_ERRORBUFFER, error);
    LINNET_SET(CURLOPT_NOSIGNAL, 1L);
    LINNET_SET(CURLOPT_URL, request->url);
    LINNET_SET(CURLOPT_PATH_AS_IS, 1L);
    LINNET_SET(CURLOPT_PROTOCOLS_STR, request->is_plain ? "http" : "https");
    LINNET_SET(CURLOPT_FOLLOWLOCATION, 0L);
    LINNET_SET(CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1);
    LINNET_SET(CURLOPT_SSLVERSION, (long)CURL_SSLVERSION_TLSv1_2);
    LINNET_SET(CURLOPT_SSL_VERIFYPEER, 1L);
    LINNET_SET(CURLOPT_SSL_VERIFYHOST, 2L);
    if (request->is_plain) {
        LINNET_SET(CURLOPT_PROXY, "");
    }
    if (request->authority) {
        struct curl_blob blob = {
            (void *)request->authority, request->authority_count, CURL_BLOB_COPY};
        LINNET_SET(CURLOPT_CAINFO_BLOB, &blob);
        LINNET_SET(CURLOPT_CAPATH, NULL);
    }
    LINNET_SET(CURLOPT_HEADEROPT, (long)CURLHEADER_SEPARATE);
    LINNET_SET(CURLOPT_HTTPHEADER, headers);
    if (request->body) {
        LINNET_SET(CURLOPT_POSTFIELDS, (const char *)request->body);
        LINNET_SET(CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)request->body_count);
    }
    LINNET_SET(CURLOPT_CUSTOMREQUEST, request->method);
    LINNET_SET(CURLOPT_OPENSOCKETFUNCTION, linnet_curl_socket);
    LINNET_SET(CURLOPT_CONNECTTIMEOUT, request->connect_seconds);
    LINNET_SET(CURLOPT_LOW_SPEED_LIMIT, 1L);
    LINNET_SET(CURLOPT_LOW_SPEED_TIME, request->silence_seconds);
    LINNET_SET(CURLOPT_TIMEOUT, request->total_seconds);
    LINNET_SET(CURLOPT_WRITEFUNCTION, linnet_curl_take);
    LINNET_SET(CURLOPT_WRITEDATA, request);
    LINNET_SET(CURLOPT_HEADERFUNCTION, linnet_curl_hear);
    LINNET_SET(CURLOPT_HEADERDATA, request);
    if (request->stops) {
        LINNET_SET(CURLOPT_NOPROGRESS, 0L);
        LINNET_SET(CURLOPT_XFERINFOFUNCTION, linnet_curl_stops);
        LINNET_SET(CURLOPT_XFERINFODATA, request);
    }
#undef LINNET_SET
    if (code == CURLE_OK) code = curl_easy_perform(handle);
    if (code == CURLE_OK) code = curl_easy_getinfo(handle, CURLINFO_RESPONSE_CODE, status);
    // Nothing of this call may be used by the next one.
    curl_easy_setopt(handle, CURLOPT_ERRORBUFFER, NULL);
    curl_easy_setopt(handle, CURLOPT_HTTPHEADER, NULL);
    curl_slist_free_all(headers);
    return code;
}
