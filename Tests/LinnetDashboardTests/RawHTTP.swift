import Foundation
import Glibc
import Linnet
import LinnetDiscovery
import LinnetSystem
import Testing

/// Requests written byte by byte, as an attacker writes them too.
enum RawHTTP {
    /// An answer as it came.
    struct Answer: Sendable {
        let status: Int
        let headers: [(name: String, value: String)]
        let body: [UInt8]

        var text: String { String(decoding: body, as: UTF8.self) }

        func header(_ name: String) -> String? {
            headers.first { $0.name.lowercased() == name }?.value
        }

        func json() throws -> JSON { try JSONReader.read(body) }

        var code: String? {
            guard let json = try? json() else { return nil }
            return json["error"]?["code"]?.string
        }
    }

    /// A connection.
    final class Connection: Sendable {
        let descriptor: Int32

        /// Connects; reads give up after twenty seconds.
        init(_ port: UInt16) throws {
            let ip = try #require(IPAddress("127.0.0.1"))
            descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            var patience = timeval(tv_sec: 20, tv_usec: 0)
            _ = unsafe setsockopt(
                descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience,
                socklen_t(MemoryLayout<timeval>.size))
            let result = unsafe SocketAddress(ip: ip, port: port).withSocketAddress {
                unsafe Glibc.connect(descriptor, $0, $1)
            }
            try #require(result == 0)
        }

        deinit { Glibc.close(descriptor) }

        func send(_ text: String) {
            let bytes = Array(text.utf8)
            var done = 0
            while done < bytes.count {
                let count = unsafe bytes[done...].withUnsafeBytes {
                    unsafe Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
                }
                if count <= 0 { return }
                done += count
            }
        }

        /// Reads what is there; empty at the end, or when nothing comes.
        func read() -> [UInt8] {
            var buffer = [UInt8](repeating: 0, count: 64 << 10)
            let count = unsafe recv(descriptor, &buffer, buffer.count, 0)
            return count > 0 ? Array(buffer.prefix(count)) : []
        }

        /// Reads until the other side closes.
        func rest() -> [UInt8] {
            var all: [UInt8] = []
            while true {
                let part = read()
                if part.isEmpty { return all }
                all += part
            }
        }
    }

    /// Returns a GET as a page of the dashboard sends it.
    static func get(
        _ path: String, _ host: String, _ more: [String] = [], site: String = "same-origin"
    ) -> String {
        let lines = ["GET \(path) HTTP/1.1", "Host: \(host)", "Sec-Fetch-Site: \(site)"]
        return (lines + more + ["Connection: close", "", ""]).joined(separator: "\r\n")
    }

    /// Returns a POST as a page of the dashboard sends it.
    static func post(
        _ path: String, _ host: String, _ body: String, _ more: [String] = []
    ) -> String {
        request(
            "POST \(path) HTTP/1.1",
            [
                "Host: \(host)", "Origin: http://\(host)", "Sec-Fetch-Site: same-origin",
                "Content-Type: application/json", "Content-Length: \(body.utf8.count)",
            ] + more, body)
    }

    static func request(_ line: String, _ headers: [String], _ body: String = "") -> String {
        ([line] + headers + ["Connection: close", "", body]).joined(separator: "\r\n")
    }

    /// Sends a request and reads its answer to the end.
    static func ask(_ port: UInt16, _ request: String) async throws -> Answer {
        try await blocking {
            let connection = try Connection(port)
            connection.send(request)
            return try answer(connection.rest())
        }
    }

    /// Runs what waits for bytes on a thread of its own: the few threads of tasks are the node's.
    static func blocking<Result: Sendable>(
        _ body: @escaping @Sendable () throws -> Result
    ) async throws -> Result {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread { continuation.resume(with: Swift.Result { try body() }) }
        }
    }

    static func answer(_ bytes: [UInt8]) throws -> Answer {
        let end = bytes.indices.first { bytes[$0...].starts(with: [13, 10, 13, 10]) }
        guard let end else { throw NoAnswer(bytes: bytes) }
        let lines = String(decoding: bytes[..<end], as: UTF8.self).split(separator: "\r\n")
        guard let status = lines.first?.split(separator: " ").dropFirst().first else {
            throw NoAnswer(bytes: bytes)
        }
        let headers = lines.dropFirst().map { line in
            let parts = line.split(separator: ":", maxSplits: 1)
            return (String(parts[0]), String(parts.dropFirst().first ?? "").trimmed)
        }
        return Answer(
            status: Int(status) ?? 0, headers: headers, body: Array(bytes[(end + 4)...]))
    }
}

/// The connection ended before there was an answer.
struct NoAnswer: Error, CustomStringConvertible {
    let bytes: [UInt8]

    var description: String {
        "no answer: \(String(decoding: bytes.prefix(200), as: UTF8.self))"
    }
}

extension String {
    fileprivate var trimmed: String { String(drop { $0 == " " }) }
}
