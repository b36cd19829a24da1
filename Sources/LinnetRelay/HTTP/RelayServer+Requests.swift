import CMicroHTTPD
import LinnetSystem

extension RelayServer {
    /// The calls from the library, without their context.
    static var calls: linnet_relay_hooks {
        unsafe linnet_relay_hooks(
            requests: linnet_http_hooks(
                context: nil,
                hear: { context, connection, url, method, body, size, request in
                    guard let context = unsafe context, let connection = unsafe connection,
                        let url = unsafe url, let method = unsafe method,
                        let size = unsafe size, let request = unsafe request
                    else { return 0 }
                    let server = unsafe Unmanaged<RelayServer>.fromOpaque(context)
                        .takeUnretainedValue()
                    let part = unsafe UnsafeRawBufferPointer(start: body, count: size.pointee)
                    unsafe size.pointee = 0
                    guard let known = unsafe request.pointee else {
                        let words = unsafe (String(cString: method), String(cString: url))
                        let exchange = unsafe RelayExchange(on: connection)
                        unsafe request.pointee = Unmanaged.passRetained(exchange).toOpaque()
                        return server.begin(exchange, words) ? 1 : 0
                    }
                    let exchange = unsafe Unmanaged<RelayExchange>.fromOpaque(known)
                        .takeUnretainedValue()
                    if unsafe !part.isEmpty { return unsafe exchange.take(part) ? 1 : 0 }
                    return server.finish(exchange) ? 1 : 0
                },
                end: { context, request in
                    guard let context = unsafe context, let request = unsafe request else { return }
                    let server = unsafe Unmanaged<RelayServer>.fromOpaque(context)
                        .takeUnretainedValue()
                    server.end(
                        unsafe Unmanaged<RelayExchange>.fromOpaque(request).takeRetainedValue())
                }),
            closed: { context, descriptor in
                guard let context = unsafe context else { return }
                unsafe Unmanaged<RelayServer>.fromOpaque(context).takeUnretainedValue()
                    .door.leave(descriptor)
            })
    }

    /// Hears the head of a request.
    private func begin(_ exchange: RelayExchange, _ words: (method: String, path: String)) -> Bool {
        if isClosing { return queue(.stopping, on: exchange) }
        let length = Self.value("Content-Length", of: exchange)
        let head = RelayHead(
            method: words.method, path: words.path,
            authorization: Self.value("Authorization", of: exchange),
            length: length.map { Int($0) ?? .max },
            isChunked: Self.value("Transfer-Encoding", of: exchange) != nil,
            after: Self.value("after", of: exchange, isQuery: true),
            since: Self.value("since", of: exchange, isQuery: true))
        extend(exchange, by: RelayLimits.requestMilliseconds)
        switch desk.admit(head) {
        case .success(let call):
            exchange.call = call
            return true
        case .failure(let answer):
            // A client that sends its body already would not read what is said before its end.
            let isSending =
                (1...RelayLimits.objectBytes).contains(head.length ?? 0)
                && Self.value("Expect", of: exchange) == nil
            guard isSending else { return queue(answer, on: exchange) }
            exchange.answer = answer
            return true
        }
    }

    /// Hears that the body of a request is whole, or that its wait is over.
    private func finish(_ exchange: RelayExchange) -> Bool {
        if let answer = exchange.answer { return queue(answer, on: exchange) }
        if isClosing { return queue(.stopping, on: exchange) }
        guard var call = exchange.call, exchange.ticket == nil else { return false }
        let reply = desk.reply(to: &call, exchange.takeBody())
        exchange.call = call
        switch reply {
        case .answer(let answer): return queue(answer, on: exchange)
        case .news(let answer):
            front?.tell(of: call.access)
            return queue(answer, on: exchange)
        case .wait:
            return isRetiring
                ? queue(desk.newsAnswer(for: call), on: exchange) : wait(exchange, call)
        }
    }

    /// Ends the waits for what an account put.
    func endWaits(for access: RelayAccess) {
        for ticket in waits.tickets(in: access.place, but: access.id) { endWait(ticket) }
    }

    private func wait(_ exchange: RelayExchange, _ call: RelayCall) -> Bool {
        lastTicket += 1
        let ticket = lastTicket
        switch waits.add(ticket, of: call.access) {
        case .tooMany: return queue(.tooMany, on: exchange)
        case .inPlaceOf(let oldest): endWait(oldest)
        case .waits: break
        }
        exchange.ticket = ticket
        waiting[ticket] = exchange
        unsafe MHD_suspend_connection(exchange.connection)
        let deadline = SystemClock.uptimeMilliseconds() + RelayLimits.waitMilliseconds
        exchange.timer = loop.schedule(at: deadline) { [weak self] in self?.endWait(ticket) }
        return true
    }

    /// Answers a wait, with the number of the last change where nothing else is to be said.
    func endWait(_ ticket: UInt64, _ answer: RelayAnswer? = nil) {
        waits.remove(ticket)
        guard let exchange = waiting.removeValue(forKey: ticket), let call = exchange.call else {
            return
        }
        if let timer = exchange.timer { loop.cancel(timer) }
        exchange.answer = answer ?? desk.newsAnswer(for: call)
        unsafe MHD_resume_connection(exchange.connection)
        run()
    }

    /// Hears that a request is over.
    private func end(_ exchange: RelayExchange) {
        if let call = exchange.call { desk.ended(call) }
        if let ticket = exchange.ticket {
            waits.remove(ticket)
            waiting[ticket] = nil
        }
        if let timer = exchange.timer { loop.cancel(timer) }
        extend(exchange, by: RelayLimits.idleMilliseconds)
    }

    private func extend(_ exchange: RelayExchange, by milliseconds: Int64) {
        door.extend(
            unsafe linnet_http_socket(exchange.connection),
            until: SystemClock.uptimeMilliseconds() + milliseconds)
    }

    private func queue(_ answer: RelayAnswer, on exchange: RelayExchange) -> Bool {
        let made = unsafe answer.body.withUnsafeBytes {
            unsafe linnet_http_response($0.baseAddress, $0.count)
        }
        guard let response = unsafe made else { return false }
        let type = answer.isText ? "text/plain; charset=utf-8" : "application/octet-stream"
        let common = [
            RelayAnswer.Header(name: "Content-Type", value: type),
            RelayAnswer.Header(name: "Cache-Control", value: "no-store"),
            RelayAnswer.Header(name: "X-Content-Type-Options", value: "nosniff"),
        ]
        let last =
            isRetiring ? [RelayAnswer.Header(name: "Connection", value: "close")] : []
        for header in common + answer.headers + last {
            _ = unsafe linnet_http_header(response, header.name, header.value)
        }
        return unsafe linnet_http_queue(exchange.connection, answer.status, response) != 0
    }

    private static func value(
        _ name: String, of exchange: RelayExchange, isQuery: Bool = false
    ) -> String? {
        let found = unsafe linnet_http_value(exchange.connection, isQuery ? 1 : 0, name)
        return unsafe found.map { unsafe String(cString: $0) }
    }
}
