import LinnetStorage
import LinnetSystem
import Testing

@testable import LinnetRelay

/// A real relay on loopback, asked by libcurl as a device asks it.
@Suite(.timeLimit(.minutes(3)))
struct RelayServerTests {
    private let fixture = RelayFixture()
    private let name = RelayFixture.name(1)

    private func failure<Value>(_ outcome: Result<Value, MailboxError>) -> MailboxError? {
        if case .failure(let error) = outcome { error } else { nil }
    }

    @Test func `RelayMailbox puts, gets, lists and deletes, and nobody sees another place`()
        async throws
    {
        let (phone, laptop) = (try fixture.add("phone"), try fixture.add("laptop"))
        let other = try fixture.add("other", at: "elsewhere")
        try await fixture.serving { relay in
            let one = try #require(try RelayFixture.store(relay, "phone", phone) as? RelayMailbox)
            let two = try RelayFixture.store(relay, "laptop", laptop)
            let far = try RelayFixture.store(relay, "other", other)
            let large = (0..<4 << 20).map { UInt8(truncatingIfNeeded: $0 &* 31) }
            let answers = try await blocking { () -> Result<[String], MailboxError> in
                do throws(MailboxError) {
                    for (name, bytes) in [(name, []), (RelayFixture.name(2, "p"), large)] {
                        guard try one.get(name, upTo: 4 << 20) == nil else { return .success([]) }
                        for _ in 1...2 { try one.put(bytes, name) }
                        guard try two.get(name, upTo: 4 << 20) == bytes,
                            try far.get(name, upTo: 4 << 20) == nil,
                            try two.list(String(name.prefix(1)), upTo: 10) == [name],
                            try far.list(String(name.prefix(1)), upTo: 10) == []
                        else { return .success([]) }
                    }
                    try far.delete(name)
                    let before = try one.list("h", upTo: 10)
                    for _ in 1...2 { try two.delete(name) }
                    return .success(before + (try one.list("h", upTo: 10)))
                } catch {
                    return .failure(error)
                }
            }.get()
            #expect(answers == [name])
            let traffic = one.takeTraffic()
            #expect(traffic.requests == 8 && traffic.bytes > 8 << 20)
            let tooLarge = await outcome { () throws(MailboxError) in
                try one.put([UInt8](repeating: 0, count: 4 << 20 + 1), name)
            }
            #expect(failure(tooLarge) == .tooLarge)
        }
    }

    @Test func `an account that is wrong or removed is refused, and removing counts at once`()
        async throws
    {
        let (phone, laptop) = (try fixture.add("phone"), try fixture.add("laptop"))
        let access = [("phone", laptop), ("phone", "x"), ("nobody", phone), ("", phone)]
        try await fixture.serving { relay in
            for (name, password) in access where !name.isEmpty {
                let store = try RelayFixture.store(relay, name, password)
                for refused in [
                    failure(
                        await outcome { () throws(MailboxError) in try store.put([1], self.name) }),
                    failure(
                        await outcome { () throws(MailboxError) in try store.list("h", upTo: 1) }),
                ] {
                    #expect(refused == .unauthorised(status: 401, code: ""))
                }
            }
            #expect(throws: MailboxError.self) {
                _ = try MailboxAddress.open(RelayFixture.address(of: relay))
            }
            let (one, two) = (
                try RelayFixture.store(relay, "phone", phone),
                try RelayFixture.store(relay, "laptop", laptop)
            )
            _ = try await outcome { () throws(MailboxError) in try one.put([1], name) }.get()
            // Another process would do the same.
            try RelayStore(at: fixture.path).remove("phone")
            let refused = await outcome { () throws(MailboxError) in
                try one.get(name, upTo: 9)
            }
            #expect(failure(refused) == .unauthorised(status: 401, code: ""))
            #expect(
                try await outcome { () throws(MailboxError) in try two.get(name, upTo: 9) }.get()
                    == [1])
            // An account that is new counts at once, too.
            let tablet = try RelayFixture.store(relay, "tablet", try fixture.add("tablet"))
            #expect(
                try await outcome { () throws(MailboxError) in try tablet.list("h", upTo: 9) }
                    .get() == [name])
        }
    }

    @Test func `a quota and a room that are full are told, and heal by deleting`() async throws {
        let small = try fixture.add("small", quota: 3_000)
        let large = try fixture.add("large")
        try await fixture.serving(room: 6_000) { relay in
            let one = try RelayFixture.store(relay, "small", small)
            let two = try RelayFixture.store(relay, "large", large)
            let bytes = [UInt8](repeating: 1, count: 2_000)
            func put(_ store: any Mailbox, _ number: Int) async -> MailboxError? {
                failure(
                    await outcome { () throws(MailboxError) in
                        try store.put(bytes, RelayFixture.name(number))
                    })
            }
            #expect(await put(one, 1) == nil)
            #expect(await put(one, 2) == .full)
            #expect(await put(two, 2) == nil)
            #expect(await put(two, 3) == .full)
            let name = RelayFixture.name(1)
            _ = try await outcome { () throws(MailboxError) in try two.delete(name) }.get()
            #expect(await put(one, 3) == nil)
        }
    }

    @Test func `what was put is there after a start anew, and one process serves at a time`()
        async throws
    {
        let phone = try fixture.add("phone")
        try await fixture.serving(isLast: false) { relay in
            let store = try RelayFixture.store(relay, "phone", phone)
            _ = try await outcome { () throws(MailboxError) in try store.put([7], name) }.get()
            await #expect(throws: RelayError.served(path: fixture.path)) {
                _ = try await Relay.serve(fixture.path, at: "127.0.0.1:0")
            }
        }
        try await fixture.serving { relay in
            let store = try RelayFixture.store(relay, "phone", phone)
            #expect(
                try await outcome { () throws(MailboxError) in try store.get(name, upTo: 9) }.get()
                    == [7])
            let used = try #require(try RelayStore(at: fixture.path).accounts().first)
            #expect(used.objects == 1 && used.used == 257 && used.lastUseMilliseconds != nil)
        }
    }

    @Test func `a listing goes on part after part`() async throws {
        let phone = try fixture.add("phone")
        let count = RelayLimits.pageNames + 3
        do {
            let store = try RelayStore(at: fixture.path)
            try store.transaction { () throws(StorageError) in
                for number in 0..<count {
                    try store.connection.prepare(
                        """
                        INSERT INTO objects (place, name, account, change, made, size, bytes)
                        VALUES (1, ?, 1, 1, 1, 0, zeroblob(0))
                        """, place: "objects"
                    ).run(.text(RelayFixture.name(number)))
                }
            }
        }
        try await fixture.serving { relay in
            let store = try RelayFixture.store(relay, "phone", phone)
            let names = try await outcome { () throws(MailboxError) in
                try store.list("h", upTo: 20_000)
            }.get()
            #expect(names == (0..<count).map { RelayFixture.name($0) })
            let few = try await outcome { () throws(MailboxError) in
                try store.list("h", upTo: 7)
            }.get()
            #expect(few.count == 7 && store.takeTraffic().requests == 3)
        }
    }

    @Test func `without a certificate a relay listens on this machine alone`() async throws {
        _ = try fixture.add("phone")
        defer { fixture.remove() }
        for (text, error) in [
            ("0.0.0.0:0", RelayError.notLoopback("0.0.0.0:0")), ("[::]:0", .notLoopback("[::]:0")),
            ("example.org:80", .badAddress("example.org:80")), ("8443", .badAddress("8443")),
        ] {
            await #expect(throws: error) { _ = try await Relay.serve(fixture.path, at: text) }
        }
        let identity = RelayIdentity(certificate: "no certificate", key: "no key")
        await #expect(throws: RelayError.badCertificate) {
            _ = try await Relay.serve(fixture.path, at: "127.0.0.1:0", identity: identity)
        }
        await #expect(throws: RelayError.absent(path: "/nowhere/at/all")) {
            _ = try await Relay.serve("/nowhere/at/all", at: "localhost:0")
        }
    }
}
