import Foundation
import Linnet
import LinnetControl
import LinnetMedication
import Testing

@testable import LinnetDashboard

/// The live events of pages.
@Suite(.timeLimit(.minutes(3)))
struct EventTests {
    /// A stream of events as a browser reads it.
    private final class Reader: @unchecked Sendable {
        private let connection: RawHTTP.Connection
        private var raw: [UInt8] = []
        private var text = ""
        private var hasHead = false
        /// The identifier of the last event.
        private(set) var lastID = ""

        init(_ page: PageSession, lastID: String? = nil) throws {
            connection = try RawHTTP.Connection(page.port)
            let last = lastID.map { ["Last-Event-ID: \($0)"] } ?? []
            connection.send(
                RawHTTP.get("/events", page.host, ["Cookie: \(page.cookie)"] + last))
        }

        /// Returns the next event's name and data; nil when the stream has ended.
        func next() async throws -> (name: String, data: JSON)? {
            try await RawHTTP.blocking { [self] in try read() }
        }

        private func read() throws -> (name: String, data: JSON)? {
            while true {
                if let end = text.range(of: "\n\n") {
                    let lines = text[..<end.lowerBound].split(separator: "\n")
                    text = String(text[end.upperBound...])
                    var (name, data) = ("", JSON.null)
                    for line in lines {
                        let parts = line.split(separator: ":", maxSplits: 1).map(String.init)
                        let value = String((parts.dropFirst().first ?? "").drop { $0 == " " })
                        switch parts.first {
                        case "event": name = value
                        case "data": data = try JSONReader.read(Array(value.utf8))
                        case "id": lastID = value
                        default: break
                        }
                    }
                    if !name.isEmpty { return (name, data) }
                    continue
                }
                let bytes = connection.read()
                if bytes.isEmpty { return nil }
                raw += bytes
                takeHead()
                while let chunk = nextChunk() { text += String(decoding: chunk, as: UTF8.self) }
            }
        }

        private func takeHead() {
            guard !hasHead else { return }
            let end = raw.indices.first { raw[$0...].starts(with: [13, 10, 13, 10]) }
            guard let end else { return }
            raw.removeFirst(end + 4)
            hasHead = true
        }

        /// Takes the next chunk that is here whole (RFC 9112, section 7.1).
        private func nextChunk() -> [UInt8]? {
            guard hasHead, let end = raw.firstIndex(of: 13), end + 2 <= raw.count,
                let size = Int(String(decoding: raw[..<end], as: UTF8.self), radix: 16),
                end + 2 + size + 2 <= raw.count
            else { return nil }
            let chunk = Array(raw[(end + 2)..<(end + 2 + size)])
            raw.removeFirst(end + 2 + size + 2)
            return chunk
        }

        /// Returns the next event that tells of a record; nil when the stream has ended before.
        func next(telling id: String) async throws -> (name: String, data: JSON)? {
            while let event = try await next() {
                if event.data["places"]?.line.contains("\"\(id)\"") == true { return event }
            }
            return nil
        }
    }

    @Test func `a new stream begins with a reset, and tells the records that change`() async throws
    {
        let open = try await OpenDashboard()
        let page = try await open.enter()
        let reader = try Reader(page)
        #expect(try await reader.next()?.name == "reset")
        _ = try await page.ask(
            "write",
            "{\"collection\":\"medication\",\"record\":\"m1\",\"fields\":{\"name\":\"Tea\"}}")
        let event = try await reader.next(telling: "m1")
        #expect(event?.name == "dirty")
        #expect(event?.data["places"]?.line.contains("[\"medication\",\"m1\"]") == true)
        await open.close()
    }

    @Test func `a stream that missed nothing resumes, and any other is reset`() async throws {
        let open = try await OpenDashboard()
        let page = try await open.enter()
        let first = try Reader(page)
        #expect(try await first.next()?.name == "reset")
        let last = first.lastID
        #expect(try await Reader(page, lastID: last).next()?.name == "resume")
        #expect(try await Reader(page, lastID: "other-0").next()?.name == "reset")
        await open.close()
    }

    @Test func `past a thousand records a slow page is told to read everything`() async throws {
        let loop = try #require(EventLoop())
        let names: [String] = await withCheckedContinuation { continuation in
            loop.post {
                let feed = LiveFeed(loop: loop, run: "run")
                let stream = feed.open(session: 1, lastID: "run-0")
                func places(_ range: Range<Int>) -> [RecordPlace] {
                    range.map { RecordPlace(collection: "a", id: "\($0)") }
                }
                feed.note(places(0..<LiveFeed.placeLimit))
                let first = Self.take(stream)
                feed.note(places(0..<LiveFeed.placeLimit))
                feed.note(places(0..<LiveFeed.placeLimit))
                let second = Self.take(stream)
                feed.note(places(0..<LiveFeed.placeLimit + 1))
                let third = Self.take(stream)
                feed.end(reason: "done")
                continuation.resume(returning: [first, second, third].map(Self.names))
            }
        }
        loop.stop()
        #expect(names == ["resume dirty", "dirty", "reset"])
    }

    /// Reads what a stream says at once, as the library does.
    private static func take(_ stream: EventStream) -> String {
        var all: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 20)
        let count = unsafe buffer.withUnsafeMutableBytes { unsafe stream.read(into: $0) }
        if count > 0 { all += buffer.prefix(count) }
        return String(decoding: all, as: UTF8.self)
    }

    private static func names(_ text: String) -> String {
        text.split(separator: "\n").filter { $0.hasPrefix("event: ") }
            .map { String($0.dropFirst(7)) }.joined(separator: " ")
    }

    @Test func `fifty streams hear one change, and the node stops under them`() async throws {
        let open = try await OpenDashboard()
        let page = try await open.enter()
        let readers = try (0..<50).map { _ in try Reader(page) }
        for reader in readers { #expect(try await reader.next()?.name == "reset") }
        _ = try await page.ask(
            "write",
            "{\"collection\":\"medication\",\"record\":\"m1\",\"fields\":{\"name\":\"Tea\"}}")
        for reader in readers {
            #expect(try await reader.next(telling: "m1")?.name == "dirty")
        }
        await open.close()
        for reader in readers {
            var last: String?
            while let event = try await reader.next() { last = event.name }
            #expect(last == "end")
        }
    }

    @Test func `a page that does not read holds nobody up`() async throws {
        let open = try await OpenDashboard()
        let page = try await open.enter()
        // These never read, until the sockets' buffers are full and longer.
        let stalled = try (0..<20).map { _ in
            let connection = try RawHTTP.Connection(page.port)
            connection.send(
                RawHTTP.get("/events", page.host, ["Cookie: \(page.cookie)"]))
            return connection
        }
        for number in 0..<200 {
            _ = try await page.ask(
                "write",
                "{\"collection\":\"medication\",\"record\":\"m\(number)\","
                    + "\"fields\":{\"name\":\"Tea\"}}")
        }
        let counted = try await page.ask("count", "{\"collection\":\"medication\"}")
        #expect(counted["count"] == .number("200"))
        #expect(stalled.count == 20)
        await open.close()
    }

    @Test func `the streams of a session end with it`() async throws {
        let open = try await OpenDashboard()
        let mine = try await open.enter()
        let other = try await open.enter()
        let reader = try Reader(other)
        #expect(try await reader.next()?.name == "reset")
        _ = try await mine.ask("session-end", "{\"session\":2}")
        var last: String?
        while let event = try await reader.next() { last = event.name }
        #expect(last == "end")
        await open.close()
    }
}
