import CCurl
import LinnetWire
import Synchronization

/// A request to a store over HTTP.
struct StoreRequest: Sendable {
    /// The method, which is written as it is.
    var method: String
    var url: String
    /// The lines of the head, "Name: value", without line breaks.
    var headers: [String] = []
    var body: [UInt8]?
    /// The most bytes of an answer's body that are taken.
    var most = 0
}

/// The answer of a store over HTTP, none of which is trusted.
struct StoreResponse: Equatable, Sendable {
    var status: Int
    /// The store's clock in Unix seconds; nil where it did not tell it.
    var date: Int64?
    /// The seconds to wait before the next request; nil where the store did not ask for it.
    var retrySeconds: Int64?
    var body: [UInt8]
    /// True when the body was longer than was asked for, so that it was not taken to its end.
    var isTooLong = false
}

/// Makes requests over HTTP, one after the other, over a connection that it keeps open.
final class StoreConnection: Sendable {
    /// The times after which a request is given up, in seconds.
    struct Patience: Sendable {
        var connecting = 15
        var silence = 30
        var whole = 300
    }

    private static let isReady = linnet_curl_begin() != 0

    private let isPlain: Bool
    private let authority: [UInt8]
    private let patience: Patience
    private let handle: Mutex<CurlHandle>
    private let traffic = Mutex(StoreTraffic())

    /// - Parameter authority: the certificates that are trusted, in PEM; empty for the system's.
    init(isPlain: Bool, authority: [UInt8] = [], patience: Patience = Patience()) {
        (self.isPlain, self.authority, self.patience) = (isPlain, authority, patience)
        handle = Mutex(CurlHandle(isReady: Self.isReady))
    }

    /// Makes a request and waits for its answer, or until a flag is raised.
    func ask(
        _ request: StoreRequest, until stop: StopFlag? = nil
    ) throws(MailboxError) -> StoreResponse {
        // A store that hangs up amid a request must not end this process.
        HelperThread.ignoreBrokenPipes()
        let answer = StoreAnswer(upTo: request.most, until: stop)
        let outcome = handle.withLock { $0.perform(request, self, answer) }
        traffic.withLock {
            $0.requests += 1
            $0.bytes += (request.body?.count ?? 0) + answer.body.count
        }
        if answer.isTooLong {
            return answer.response(status: answer.status)
        }
        guard outcome.code == CURLE_OK else { throw Self.error(outcome) }
        return answer.response(status: outcome.status)
    }

    /// Returns what was asked and carried since this was called last.
    func takeTraffic() -> StoreTraffic {
        traffic.withLock { traffic in
            defer { traffic = StoreTraffic() }
            return traffic
        }
    }

    struct Outcome {
        var code: CURLcode
        var status: Int
        /// The library's words about a failure of TLS.
        var reason: String
    }

    private static func error(_ outcome: Outcome) -> MailboxError {
        let words = unsafe String(cString: curl_easy_strerror(outcome.code))
        switch outcome.code {
        case CURLE_OPERATION_TIMEDOUT: return .timedOut
        case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CERTPROBLEM,
            CURLE_SSL_CIPHER, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ISSUER_ERROR,
            CURLE_SSL_INVALIDCERTSTATUS:
            return .insecure(outcome.reason.isEmpty ? words : outcome.reason)
        default: return .unreachable(words)
        }
    }

    fileprivate func fill(
        _ request: StoreRequest, _ answer: StoreAnswer,
        _ body: (inout linnet_curl_request) -> Void
    ) {
        var all = unsafe linnet_curl_request()
        unsafe all.is_plain = isPlain ? 1 : 0
        unsafe all.connect_seconds = patience.connecting
        unsafe all.silence_seconds = patience.silence
        unsafe all.total_seconds = patience.whole
        unsafe all.context = Unmanaged.passUnretained(answer).toOpaque()
        unsafe all.take = { context, bytes, count in
            unsafe StoreAnswer.of(context).take(bytes, count) ? 1 : 0
        }
        unsafe all.hear = { context, bytes, count in
            unsafe StoreAnswer.of(context).hear(bytes, count)
        }
        if answer.canStop {
            unsafe all.stops = { unsafe StoreAnswer.of($0).isStopped ? 1 : 0 }
        }
        unsafe authority.withUnsafeBytes { pem in
            unsafe (request.body ?? []).withUnsafeBytes { content in
                if !authority.isEmpty {
                    unsafe (all.authority, all.authority_count) = (pem.baseAddress, pem.count)
                }
                if request.body != nil {
                    // An empty array has no address, and an empty body is one.
                    unsafe all.body = content.baseAddress ?? UnsafeRawPointer(all.context)
                    unsafe all.body_count = content.count
                }
                unsafe body(&all)
            }
        }
    }
}

/// A handle of libcurl with its open connection, which one thread at a time may use.
@safe
private struct CurlHandle: ~Copyable, @unchecked Sendable {
    private let handle: UnsafeMutableRawPointer?

    init(isReady: Bool) { unsafe handle = isReady ? curl_easy_init() : nil }

    deinit {
        if let handle = unsafe handle { unsafe curl_easy_cleanup(handle) }
    }

    mutating func perform(
        _ request: StoreRequest, _ connection: StoreConnection, _ answer: StoreAnswer
    ) -> StoreConnection.Outcome {
        guard let handle = unsafe handle else {
            return .init(code: CURLE_OUT_OF_MEMORY, status: 0, reason: "")
        }
        var outcome = StoreConnection.Outcome(code: CURLE_OK, status: 0, reason: "")
        let headers = request.headers.flatMap { Array($0.utf8) + [0] }
            .map { CChar(bitPattern: $0) }
        var error = [CChar](repeating: 0, count: Int(CURL_ERROR_SIZE))
        var status = 0
        unsafe connection.fill(request, answer) { all in
            unsafe headers.withUnsafeBufferPointer { lines in
                unsafe request.url.withCString { url in
                    unsafe request.method.withCString { method in
                        unsafe (all.url, all.method) = (url, method)
                        unsafe (all.headers, all.header_bytes) = (lines.baseAddress, lines.count)
                        outcome.code = unsafe linnet_curl_perform(
                            handle, &all, &error, &status)
                    }
                }
            }
        }
        outcome.status = status
        let bytes = error.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        outcome.reason = String(decoding: bytes, as: UTF8.self)
        return outcome
    }
}

/// The answer to a request as it comes in; libcurl calls it on the thread that asks.
private final class StoreAnswer {
    private let most: Int
    private let stop: StopFlag?
    private(set) var body: [UInt8] = []
    private(set) var isTooLong = false
    private(set) var status = 0
    private var date: Int64?
    private var retry: String?

    init(upTo most: Int, until stop: StopFlag?) { (self.most, self.stop) = (most, stop) }

    var canStop: Bool { stop != nil }

    var isStopped: Bool { stop?.isRaised == true }

    static func of(_ context: UnsafeMutableRawPointer?) -> StoreAnswer {
        guard let context = unsafe context else { preconditionFailure("a request has an answer") }
        return unsafe Unmanaged<StoreAnswer>.fromOpaque(context).takeUnretainedValue()
    }

    func take(_ bytes: UnsafePointer<CChar>?, _ count: Int) -> Bool {
        guard count <= most - body.count else {
            isTooLong = true
            return false
        }
        unsafe body.append(contentsOf: UnsafeRawBufferPointer(start: bytes, count: count))
        return true
    }

    func hear(_ bytes: UnsafePointer<CChar>?, _ count: Int) {
        let raw = unsafe UnsafeRawBufferPointer(start: bytes, count: count)
        let line = unsafe String(decoding: raw, as: UTF8.self)
        if line.hasPrefix("HTTP/") {
            // A provisional answer counts for nothing.
            (date, retry) = (nil, nil)
            status = line.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
            return
        }
        let parts = line.split(separator: ":", maxSplits: 1)
        guard parts.count == 2 else { return }
        let value = String(parts[1].drop { $0 == " " }.prefix { !$0.isNewline })
        switch parts[0].lowercased() {
        case "date": date = HTTPDate.seconds(value)
        case "retry-after": retry = value
        default: break
        }
    }

    func response(status: Int) -> StoreResponse {
        StoreResponse(
            status: status, date: date,
            retrySeconds: retry.flatMap {
                HTTPDate.wait($0, now: date ?? SystemClock.now().wallMilliseconds / 1_000)
            },
            body: isTooLong ? [] : body, isTooLong: isTooLong)
    }
}
