import CMicroHTTPD
import LinnetSystem

/// Speaks HTTP/1.1 on connections that it is handed, on the loop's thread: libmicrohttpd without a
/// thread and without a socket to listen at.
///
/// The library's descriptor is edge-triggered: after each run it is asked when it wants to run
/// again, and 0 is an answer.
@safe
final class HTTPServer: @unchecked Sendable {
    /// The calls to the site.
    struct Site: Sendable {
        /// Returns the refusal of a request by its head alone; nil to hear its body.
        let refusal: @Sendable (HTTPRequest) -> HTTPAnswer?
        /// Returns the reply to a request and its body.
        let reply: @Sendable (HTTPRequest, [UInt8]) -> HTTPReply
    }

    /// The most connections; each event stream of a browser is one of them.
    static let connectionLimit: UInt32 = 128
    /// The memory of a connection, which bounds the head of a request.
    private static let connectionBytes = 16 << 10
    /// The seconds after which a connection that says nothing is closed.
    private static let silenceSeconds: UInt32 = 60
    private static let stopping = HTTPAnswer.refusal(503, "busy", "the node is stopping")

    private let loop: EventLoop
    private let site: Site
    private let hooks: UnsafeMutablePointer<linnet_http_hooks>
    // The state below belongs to the loop's thread; `watch` traps on any other.
    private var daemon: OpaquePointer?
    private var timer: TimerID?
    private var isRunning = false
    private var runsAgain = false
    private var isClosing = false
    private var waiting: [ObjectIdentifier: HTTPExchange] = [:]

    /// Starts; nil when the system has no descriptor or memory left.
    init?(loop: EventLoop, site: Site) {
        self.loop = loop
        self.site = site
        unsafe hooks = .allocate(capacity: 1)
        unsafe hooks.initialize(
            to: linnet_http_hooks(
                context: nil,
                hear: { context, connection, url, method, body, size, request in
                    guard let context = unsafe context, let connection = unsafe connection,
                        let url = unsafe url, let method = unsafe method,
                        let size = unsafe size, let request = unsafe request
                    else { return 0 }
                    let server = unsafe Unmanaged<HTTPServer>.fromOpaque(context)
                        .takeUnretainedValue()
                    let words = unsafe (String(cString: method), String(cString: url))
                    let part = unsafe UnsafeRawBufferPointer(start: body, count: size.pointee)
                    unsafe size.pointee = 0
                    return unsafe server.hear(connection, words, part, request) ? 1 : 0
                },
                end: { context, request in
                    guard let context = unsafe context, let request = unsafe request else { return }
                    let server = unsafe Unmanaged<HTTPServer>.fromOpaque(context)
                        .takeUnretainedValue()
                    let exchange = unsafe Unmanaged<HTTPExchange>.fromOpaque(request)
                        .takeRetainedValue()
                    server.end(exchange)
                }))
        unsafe hooks.pointee.context = Unmanaged.passUnretained(self).toOpaque()
        unsafe daemon = linnet_http_start(
            hooks, Self.connectionLimit, Self.connectionBytes, Self.silenceSeconds)
        guard let daemon = unsafe daemon else { return nil }
        let descriptor = unsafe linnet_http_descriptor(daemon)
        loop.watch(descriptor, for: .read) { [weak self] _ in self?.run() }
    }

    deinit {
        unsafe hooks.deinitialize(count: 1)
        unsafe hooks.deallocate()
    }

    /// Takes a connection over, and closes it in any case.
    func adopt(_ descriptor: Int32, from remote: SocketAddress) {
        loop.checkIsolated()
        guard let daemon = unsafe daemon, !isClosing else { return SystemCall.close(descriptor) }
        _ = unsafe remote.withSocketAddress { pointer, length in
            unsafe linnet_http_add(daemon, descriptor, pointer, length)
        }
        run()
    }

    /// Answers what waits, ends the streams, and closes all connections.
    func close() {
        loop.checkIsolated()
        guard let running = unsafe daemon, !isClosing else { return }
        isClosing = true
        for exchange in waiting.values {
            exchange.stream?.end()
            if exchange.isSuspended {
                exchange.answer = Self.stopping
                resume(exchange)
            }
        }
        // The library aborts the process when it stops while a connection is suspended.
        for _ in 0..<3 { unsafe linnet_http_run(running) }
        if let timer { loop.cancel(timer) }
        loop.unwatch(unsafe linnet_http_descriptor(running))
        unsafe MHD_stop_daemon(running)
        unsafe daemon = nil
    }
}

// The library's turn.
extension HTTPServer {
    /// Lets the library do what there is to do.
    func run() {
        loop.checkIsolated()
        guard let daemon = unsafe daemon, !isClosing else { return }
        if isRunning {
            runsAgain = true
            return
        }
        isRunning = true
        runsAgain = false
        unsafe linnet_http_run(daemon)
        isRunning = false
        plan(unsafe linnet_http_wait(daemon))
    }

    private func plan(_ wait: Int64) {
        if let timer { loop.cancel(timer) }
        timer = nil
        let milliseconds = runsAgain ? 0 : wait
        guard milliseconds >= 0 else { return }
        // Even what is due at once waits for the loop's next round: others have their turn.
        let deadline = SystemClock.uptimeMilliseconds() + milliseconds
        timer = loop.schedule(at: deadline) { [weak self] in
            self?.timer = nil
            self?.run()
        }
    }
}

// One request.
extension HTTPServer {
    private func hear(
        _ connection: OpaquePointer, _ words: (method: String, path: String),
        _ part: UnsafeRawBufferPointer, _ place: UnsafeMutablePointer<UnsafeMutableRawPointer?>
    ) -> Bool {
        guard let known = unsafe place.pointee else {
            let request = HTTPRequest(
                method: words.method, path: words.path,
                headers: unsafe Self.pairs(of: connection, isQuery: false),
                query: unsafe Self.pairs(of: connection, isQuery: true))
            let exchange = unsafe HTTPExchange(request, on: connection)
            unsafe place.pointee = Unmanaged.passRetained(exchange).toOpaque()
            let refusal = isClosing ? Self.stopping : site.refusal(request)
            if let refusal { return queue(refusal, on: exchange) }
            return true
        }
        let exchange = unsafe Unmanaged<HTTPExchange>.fromOpaque(known).takeUnretainedValue()
        if unsafe !part.isEmpty { return unsafe exchange.take(part) }
        return answer(exchange)
    }

    private func answer(_ exchange: HTTPExchange) -> Bool {
        if let answer = exchange.answer { return queue(answer, on: exchange) }
        if exchange.isTooLong {
            return queue(
                .refusal(413, "size", "the body is longer than 1 MiB"), on: exchange)
        }
        if isClosing { return queue(Self.stopping, on: exchange) }
        guard !exchange.isAsked else { return false }
        exchange.isAsked = true
        switch site.reply(exchange.request, exchange.body) {
        case .now(let answer): return queue(answer, on: exchange)
        case .stream(let stream): return begin(stream, on: exchange)
        case .later(let work):
            exchange.isSuspended = true
            waiting[ObjectIdentifier(exchange)] = exchange
            unsafe MHD_suspend_connection(exchange.connection)
            Task { [weak self, loop] in
                let answer = await work()
                loop.perform { self?.finish(exchange, answer) }
            }
            return true
        }
    }

    private func finish(_ exchange: HTTPExchange, _ answer: HTTPAnswer) {
        guard exchange.isSuspended, !isClosing else { return }
        exchange.answer = answer
        resume(exchange)
        run()
    }

    private func resume(_ exchange: HTTPExchange) {
        exchange.isSuspended = false
        waiting[ObjectIdentifier(exchange)] = nil
        unsafe MHD_resume_connection(exchange.connection)
    }

    private func end(_ exchange: HTTPExchange) {
        exchange.isOver = true
        exchange.stream?.close()
        waiting[ObjectIdentifier(exchange)] = nil
    }

    private func queue(_ answer: HTTPAnswer, on exchange: HTTPExchange) -> Bool {
        let made = unsafe answer.body.withUnsafeBytes {
            unsafe linnet_http_response($0.baseAddress, $0.count)
        }
        guard let response = unsafe made else { return false }
        let own = answer.headers + [HTTPRequest.Pair(name: "Content-Type", value: answer.type)]
        unsafe Self.add(own, to: response)
        return unsafe linnet_http_queue(exchange.connection, answer.status, response) != 0
    }

    private func begin(_ stream: EventStream, on exchange: HTTPExchange) -> Bool {
        exchange.stream = stream
        waiting[ObjectIdentifier(exchange)] = exchange
        unsafe stream.begin(on: exchange.connection) { [weak self] in self?.run() }
        let made = unsafe linnet_http_stream(
            { context, _, buffer, count in
                guard let context = unsafe context, let buffer = unsafe buffer else { return -1 }
                let stream = unsafe Unmanaged<EventStream>.fromOpaque(context)
                    .takeUnretainedValue()
                return unsafe stream.read(
                    into: UnsafeMutableRawBufferPointer(start: buffer, count: count))
            }, Unmanaged.passRetained(stream).toOpaque(),
            { context in
                if let context = unsafe context {
                    unsafe Unmanaged<EventStream>.fromOpaque(context).release()
                }
            })
        guard let response = unsafe made else { return false }
        let type = HTTPRequest.Pair(name: "Content-Type", value: "text/event-stream")
        unsafe Self.add([type], to: response)
        return unsafe linnet_http_queue(exchange.connection, 200, response) != 0
    }

    private static func add(_ own: [HTTPRequest.Pair], to response: OpaquePointer) {
        let names = own.map(\.name)
        for pair in own + HTTPAnswer.commonHeaders.filter({ !names.contains($0.name) }) {
            _ = unsafe linnet_http_header(response, pair.name, pair.value)
        }
    }

    private static func pairs(of connection: OpaquePointer, isQuery: Bool) -> [HTTPRequest.Pair] {
        var pairs: [HTTPRequest.Pair] = []
        unsafe withUnsafeMutablePointer(to: &pairs) { pointer in
            unsafe linnet_http_values(connection, isQuery ? 1 : 0, pointer) {
                context, name, nameCount, value, valueCount in
                let list = unsafe context?.assumingMemoryBound(to: [HTTPRequest.Pair].self)
                let words = unsafe (
                    HTTPServer.text(name, nameCount), HTTPServer.text(value, valueCount)
                )
                unsafe list?.pointee.append(
                    HTTPRequest.Pair(name: words.0.lowercased(), value: words.1))
            }
        }
        return pairs
    }

    private static func text(_ start: UnsafePointer<CChar>?, _ count: Int) -> String {
        let bytes = unsafe UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count)
        return unsafe String(decoding: bytes, as: UTF8.self)
    }
}
