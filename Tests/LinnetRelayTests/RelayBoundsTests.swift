import LinnetDiscovery
import LinnetSystem
import Testing

@testable import LinnetRelay

/// The bounds that keep one client from taking what others need.
struct RelayBoundsTests {
    @Test func `RelayLedger gives one account its part of the memory, and all no more than all`() {
        var ledger = RelayLedger(most: 100, ofOne: 60)
        func takes(_ bytes: Int, _ account: Int64) -> Bool { ledger.take(bytes, for: account) }
        #expect(
            [takes(60, 1), takes(1, 1), takes(40, 2), takes(1, 3)] == [true, false, true, false])
        ledger.give(60, for: 1)
        #expect([takes(60, 3), takes(1, 1)] == [true, false])
        ledger.give(60, for: 3)
        ledger.give(40, for: 2)
        #expect([takes(61, 1), takes(60, 1)] == [false, true])
    }

    @Test func `RelayWaits ends the oldest wait of an account that has too many`() {
        var waits = RelayWaits(most: 3, ofOne: 2)
        func add(_ ticket: UInt64, _ id: Int64, _ place: Int64 = 1) -> RelayWaits.Adding {
            waits.add(ticket, of: RelayAccess(id: id, place: place))
        }
        let outcomes = [add(1, 1), add(2, 1), add(3, 1), add(4, 2), add(5, 3, 2)]
        #expect(outcomes == [.waits, .waits, .inPlaceOf(1), .waits, .tooMany])
        #expect(waits.tickets(in: 1, but: 2) == [2, 3] && waits.tickets(in: 1, but: 1) == [4])
        #expect(waits.tickets(in: 2, but: 9).isEmpty)
        waits.remove(2)
        let later = add(6, 3, 2)
        #expect(later == .waits)
    }

    @Test func `RelayDoor counts the connections of an address, and ends those that are late`()
        throws
    {
        var door = RelayDoor(ofOne: 2)
        func admits(_ descriptor: Int32, _ text: String, until deadline: Int64) throws -> Bool {
            door.admit(descriptor, from: try #require(IPAddress(text)), until: deadline)
        }
        let far = "203.0.113.7"
        let first = [
            try admits(3, far, until: 10), try admits(4, far, until: 20),
            try admits(5, far, until: 20),
        ]
        #expect(first == [true, true, false])
        for _ in 1...2 { door.leave(3) }
        let second = [try admits(5, far, until: 30), try admits(6, far, until: 30)]
        #expect(second == [true, false])
        // One customer has 64 bits of addresses, and this machine speaks for others.
        var descriptor: Int32 = 100
        for (text, isIn) in [
            ("2001:db8::1", true), ("2001:db8::2", true), ("2001:db8::3", false),
            ("2001:db8:0:1::1", true), ("127.0.0.1", true), ("127.0.0.1", true),
            ("127.0.0.1", true), ("::1", true),
        ] {
            descriptor += 1
            let isAdmitted = try admits(descriptor, text, until: 90)
            #expect(isAdmitted == isIn, "\(text)")
        }
        #expect(door.late(at: 20) == [4])
        door.extend(4, until: 40)
        #expect(door.late(at: 29).isEmpty && Set(door.late(at: 40)) == [4, 5])
    }

    @Test func `RelayRoute takes what the interface has, and nothing else`() {
        func read(
            _ method: String, _ path: String, length: Int? = nil, isChunked: Bool = false,
            after: String? = nil, since: String? = nil
        ) -> Result<RelayRoute, RelayAnswer> {
            RelayRoute.read(
                RelayHead(
                    method: method, path: path, authorization: nil, length: length,
                    isChunked: isChunked, after: after, since: since))
        }
        let name = RelayFixture.name(1)
        #expect(read("GET", "/v1/\(name)") == .success(.get(name)))
        #expect(read("PUT", "/v1/\(name)", length: 0) == .success(.put(name, bytes: 0)))
        #expect(read("DELETE", "/v1/\(name)") == .success(.delete(name)))
        #expect(read("GET", "/v1/h/", after: name) == .success(.list(letter: "h", after: name)))
        #expect(read("GET", "/v1/wait", since: "7") == .success(.wait(since: 7)))
        #expect(read("PUT", "/v1/\(name)") == .failure(.noLength))
        #expect(read("PUT", "/v1/\(name)", length: 1, isChunked: true) == .failure(.noLength))
        #expect(read("PUT", "/v1/\(name)", length: 4 << 20 | 1) == .failure(.tooLarge))
        for method in ["POST", "HEAD", "", "get"] {
            guard case .failure(let answer) = read(method, "/v1/\(name)") else {
                Issue.record("\(method) is taken")
                continue
            }
            #expect(answer.status == 405)
        }
        for path in ["", "/", "/v1", "/v1/", "/v2/h/", "v1/h/", "/v1/h", "/v1/a/b/c", "//v1/h/"] {
            #expect(read("GET", path) == .failure(.notFound), "\(path)")
        }
        for path in [
            "/v1/H/", "/v1/hh/", "/v1/1/", "/v1//", "/v1/h/..", "/v1/h/\(name.dropFirst(3))",
            "/v1/\(name)a", "/v1/\(name.uppercased())",
            "/v1/h/" + String(repeating: "é", count: 13),
        ] {
            #expect(read("GET", path) == .failure(.badName), "\(path)")
        }
        for mark in ["", "h/", RelayFixture.name(1, "p"), "' OR 1=1"] {
            #expect(read("GET", "/v1/h/", after: mark) == .failure(.badName))
        }
        for number in ["", "-1", "+1", "a", "9223372036854775808", "00000000000000000000"] {
            #expect(read("GET", "/v1/wait", since: number) == .failure(.badNumber))
        }
    }

    @Test func `RelayCredentials reads the line of an account, and no other`() {
        let line = { (text: String) in "Basic " + Base64.text(of: Array(text.utf8)) }
        let read = RelayCredentials(line("ada:pass:word"))
        #expect(read?.name == "ada" && read?.password == Array("pass:word".utf8))
        #expect(RelayCredentials(line(":"))?.name == "")
        #expect(RelayCredentials(line("a:").replacing("Basic", with: "bASIC"))?.name == "a")
        for wrong in [
            nil, "", "Basic", "Basic ", "Bearer YTpi", "Basic YTpi!", "Basic YTp", "Basic YTpj=",
            "Basic =", "Basic 4pc6", line("nocolon"), "Basic " + Base64.text(of: [0xff, 0x3a]),
            line(String(repeating: "a", count: 2_000) + ":"),
        ] {
            #expect(RelayCredentials(wrong) == nil, "\(wrong ?? "nil")")
        }
        for count in 0..<70 {
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 * 37) }
            #expect(Base64.bytes(of: Base64.text(of: bytes)) == bytes)
        }
    }
}
