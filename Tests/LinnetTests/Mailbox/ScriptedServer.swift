import Glibc
import LinnetDiscovery
import Synchronization

@testable import LinnetSystem

/// A server on loopback that answers each request with the bytes that a test gives, to do what no
/// real store does when it is asked to.
final class ScriptedServer: Sendable {
    struct Request: Sendable {
        var method: String
        var target: String
        var head: String
        var body: [UInt8]
    }

    /// Returns the bytes that answer a request; nil hangs up.
    typealias Answer = @Sendable (Request) -> [UInt8]?

    let port: UInt16
    private let listener: Int32
    private let answer: Answer
    private let greeting: [UInt8]
    private let seen = Mutex<[Request]>([])

    /// - Parameter greeting: what is said to everybody who connects, before he asks anything.
    init(greeting: [UInt8] = [], _ answer: @escaping Answer) {
        (self.greeting, self.answer) = (greeting, answer)
        let listener = socket(
            AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        self.listener = listener
        var storage = sockaddr_in()
        storage.sin_family = sa_family_t(AF_INET)
        storage.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let status = unsafe withUnsafeMutablePointer(to: &storage) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                unsafe bind(listener, address, length) + listen(listener, 16)
                    + getsockname(listener, address, &length)
            }
        }
        precondition(status == 0, "no socket on loopback")
        port = UInt16(bigEndian: storage.sin_port)
        let started = HelperThread.start { [listener, self] in
            while true {
                let connection = accept(listener, nil, nil)
                guard connection >= 0 else { return }
                _ = HelperThread.start { [self] in serve(connection) }
            }
        }
        precondition(started, "no thread for a server")
    }

    /// Takes no connections any more.
    func close() { shutdown(listener, Int32(SHUT_RDWR)) }

    /// The requests that came so far.
    var requests: [Request] { seen.withLock { $0 } }

    static func text(
        _ status: Int, _ body: String = "", _ headers: [String] = []
    ) -> [UInt8] {
        let lines = ["HTTP/1.1 \(status) Status", "Content-Length: \(body.utf8.count)"] + headers
        return Array((lines.joined(separator: "\r\n") + "\r\n\r\n" + body).utf8)
    }

    static func bytes(_ status: Int, _ body: [UInt8]) -> [UInt8] {
        Array("HTTP/1.1 \(status) Status\r\nContent-Length: \(body.count)\r\n\r\n".utf8) + body
    }

    private func serve(_ connection: Int32) {
        HelperThread.ignoreBrokenPipes()
        defer { Glibc.close(connection) }
        var buffer: [UInt8] = []
        if !greeting.isEmpty { _ = unsafe send(connection, greeting, greeting.count, 0) }
        while let request = Self.next(connection, &buffer) {
            seen.withLock { $0.append(request) }
            guard let bytes = answer(request) else { return }
            var sent = 0
            while sent < bytes.count {
                let count = unsafe bytes[sent...].withUnsafeBytes {
                    unsafe send(connection, $0.baseAddress, $0.count, 0)
                }
                guard count > 0 else { return }
                sent += count
            }
        }
    }

    private static func next(_ connection: Int32, _ buffer: inout [UInt8]) -> Request? {
        let mark = Array("\r\n\r\n".utf8)
        var end = buffer.firstRange(of: mark)
        while end == nil {
            guard fill(connection, &buffer) else { return nil }
            end = buffer.firstRange(of: mark)
        }
        guard let end else { return nil }
        let head = String(decoding: buffer[..<end.lowerBound], as: UTF8.self)
        let words = head.split(separator: " ", maxSplits: 2).map(String.init)
        let length =
            head.split(separator: "\r\n").first { $0.lowercased().hasPrefix("content-length:") }
            .flatMap { Int($0.dropFirst(15).filter(\.isNumber)) } ?? 0
        if head.lowercased().contains("expect: 100-continue") {
            let go = Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)
            _ = unsafe send(connection, go, go.count, 0)
        }
        while buffer.count < end.upperBound + length {
            guard fill(connection, &buffer) else { return nil }
        }
        let body = Array(buffer[end.upperBound..<end.upperBound + length])
        buffer.removeFirst(end.upperBound + length)
        return Request(method: words[0], target: words[1], head: head, body: body)
    }

    private static func fill(_ connection: Int32, _ buffer: inout [UInt8]) -> Bool {
        var part = [UInt8](repeating: 0, count: 1 << 16)
        let count = unsafe recv(connection, &part, part.count, 0)
        buffer += part.prefix(max(0, count))
        return count > 0
    }
}

/// A collection in memory behind a server that speaks as much WebDAV as a mailbox asks for.
final class MemoryCollection: Sendable {
    let resources = Mutex<[String: [UInt8]]>([:])
    private let collections = Mutex<Set<String>>(["/box/"])
    let authorization: Mutex<String>

    init(authorization: String) { self.authorization = Mutex(authorization) }

    func answer(_ request: ScriptedServer.Request) -> [UInt8]? {
        let account = authorization.withLock { $0 }
        guard (request.head + "\r\n").contains("Authorization: \(account)\r\n") else {
            return ScriptedServer.text(401)
        }
        let target = request.target
        let parent = target.split(separator: "/").dropLast().map { "/\($0)" }.joined() + "/"
        switch request.method {
        case "MKCOL":
            guard collections.withLock({ $0.contains(parent) }) else {
                return ScriptedServer.text(409)
            }
            let isNew = collections.withLock { $0.insert(target).inserted }
            return ScriptedServer.text(isNew ? 201 : 405)
        case "PUT":
            guard collections.withLock({ $0.contains(parent) }) else {
                return ScriptedServer.text(409)
            }
            resources.withLock { $0[target] = request.body }
            return ScriptedServer.text(201)
        case "GET":
            return resources.withLock { $0[target] }.map { ScriptedServer.bytes(200, $0) }
                ?? ScriptedServer.text(404)
        case "DELETE":
            let old = resources.withLock { $0.removeValue(forKey: target) }
            return ScriptedServer.text(old == nil ? 404 : 200)
        case "PROPFIND": return list(target)
        default: return ScriptedServer.text(501)
        }
    }

    private func list(_ target: String) -> [UInt8]? {
        let all = collections.withLock { $0 }
        guard all.contains(target) else { return ScriptedServer.text(404) }
        let found = (Array(all) + resources.withLock { Array($0.keys) }).filter { path in
            let rest = path.dropFirst(target.count)
            return path.hasPrefix(target) && !rest.dropLast().contains("/")
        }
        let body = found.map { "<response><href>\($0)</href></response>" }.joined()
        return ScriptedServer.text(207, "<multistatus xmlns='DAV:'>\(body)</multistatus>")
    }
}
