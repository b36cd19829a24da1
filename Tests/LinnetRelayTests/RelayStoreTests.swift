import LinnetStorage
import Testing

@testable import LinnetRelay

/// Accounts, places and objects in the file.
struct RelayStoreTests {
    private let fixture = RelayFixture()
    private let name = RelayFixture.name(1)
    private let other = RelayFixture.name(2)

    private func access(
        _ store: RelayStore, _ name: String, at place: String = "home", quota: Int64 = 10_000
    ) throws -> RelayAccess {
        let password = try store.add(name, place: place, quota: quota)
        return try #require(try store.access(name, password: Array(password.utf8)))
    }

    @Test func `RelayPassword draws passwords and keeps hashes of them`() {
        let password = RelayPassword.draw()
        let hash = RelayPassword.hash(Array(password.utf8))
        #expect(password.utf8.count == 52 && hash.count == 32 && password != RelayPassword.draw())
        #expect(RelayPassword.isRight(Array(password.utf8), for: hash))
        #expect(!RelayPassword.isRight(Array(password.utf8.dropLast()), for: hash))
        #expect(!RelayPassword.isRight([], for: nil) && !RelayPassword.isRight(hash, for: hash))
    }

    @Test func `RelayStore lets an account in by its password alone`() throws {
        defer { fixture.remove() }
        #expect(throws: RelayError.absent(path: fixture.path)) { try RelayStore(at: fixture.path) }
        let store = try RelayStore(at: fixture.path, isMade: true)
        let password = try store.add("phone", place: "home")
        #expect(password.utf8.count == 52)
        #expect(try store.add("laptop", place: "home") != password)
        #expect(try store.access("phone", password: Array(password.utf8)) != nil)
        for (name, tried) in [
            ("phone", ""), ("phone", password + "a"), ("laptop", password), ("nobody", password),
        ] {
            #expect(try store.access(name, password: Array(tried.utf8)) == nil)
        }
        #expect(throws: RelayError.known("phone")) { try store.add("phone", place: "other") }
        for wrong in ["", "a:b", "a b", "ä", String(repeating: "a", count: 65)] {
            #expect(throws: RelayError.badName(wrong)) { try store.add(wrong, place: "home") }
            #expect(throws: RelayError.badName(wrong)) { try store.add("new", place: wrong) }
        }
        #expect(try store.accounts().map(\.name) == ["laptop", "phone"])
    }

    @Test func `what is put counts for its account, once and until it goes`() throws {
        defer { fixture.remove() }
        let store = try RelayStore(at: fixture.path, isMade: true)
        let (one, two) = (try access(store, "one"), try access(store, "two"))
        let put = { (bytes: [UInt8], name: String, access: RelayAccess) throws in
            try store.put(bytes, name, by: access, room: 12_000, at: 1)
        }
        let bytes = [UInt8](repeating: 1, count: 4_000)
        #expect(try put(bytes, name, one) == .changed)
        #expect(try put(bytes, name, one) == .unchanged)
        #expect(try put(bytes, name, two) == .unchanged)
        #expect(try put(bytes, other, one) == .changed)
        #expect(try put(bytes, RelayFixture.name(3), one) == .overQuota)
        #expect(try put(bytes, RelayFixture.name(3), two) == .noRoom)
        #expect(try store.accounts().map(\.used) == [8_512, 0])
        // Other bytes under the name belong to whoever put them last.
        #expect(try put([2], name, two) == .changed)
        #expect(try store.accounts().map(\.used) == [4_256, 257])
        #expect(try store.get(name, in: one.place) == [2] && store.size(of: name, in: 1) == 1)
        try store.delete(name, in: one.place)
        try store.delete(name, in: one.place)
        #expect(try store.accounts().map(\.objects) == [1, 0])
        #expect(try store.get(name, in: one.place) == nil)
        #expect(try put([], name, two) == .changed)
        #expect(try store.get(name, in: one.place) == [])
    }

    @Test func `a place shows nothing of another one, and goes with its last account`() throws {
        defer { fixture.remove() }
        let store = try RelayStore(at: fixture.path, isMade: true)
        let (here, there) = (try access(store, "a"), try access(store, "b", at: "there"))
        _ = try store.put([1], name, by: here, room: 10_000, at: 1)
        #expect(try store.get(name, in: there.place) == nil)
        #expect(try store.names("h", after: nil, in: there.place) == [])
        #expect(try store.names("h", after: nil, in: here.place) == [name])
        #expect(try !store.isThere(RelayAccess(id: 99, place: 1)) && store.isThere(here))
        #expect(throws: RelayError.unknown("c")) { try store.remove("c") }
        #expect(try store.remove("a"))
        #expect(try store.put([1], name, by: here, room: 10_000, at: 1) == .removed)
        #expect(try store.accounts().map(\.name) == ["b"])
        // The name of the place is free, and nothing of before lies there.
        let again = try access(store, "a")
        #expect(again.place != here.place)
        #expect(try store.names("h", after: nil, in: again.place) == [])
    }

    @Test func `what a removed account put stays while others share the place`() throws {
        defer { fixture.remove() }
        let store = try RelayStore(at: fixture.path, isMade: true)
        let (lost, kept) = (try access(store, "lost"), try access(store, "kept"))
        _ = try store.put([1], name, by: lost, room: 600, at: 1)
        #expect(try !store.remove("lost") && store.get(name, in: kept.place) == [1])
        // It takes room, and its name can be taken again.
        #expect(try store.put([1, 2], other, by: kept, room: 513, at: 1) == .noRoom)
        #expect(try access(store, "lost").id != lost.id)
        try store.delete(name, in: kept.place)
        #expect(try store.put([1, 2], other, by: kept, room: 513, at: 1) == .changed)
    }

    @Test func `changes are numbered, and an account's own are no news for it`() throws {
        defer { fixture.remove() }
        let store = try RelayStore(at: fixture.path, isMade: true)
        let (one, two) = (try access(store, "one"), try access(store, "two"))
        func news(_ number: Int64, _ access: RelayAccess) throws -> [Int64] {
            let found = try store.news(since: number, for: access)
            return [found.number, found.isNews ? 1 : 0]
        }
        #expect(try news(0, one) == [0, 0])
        _ = try store.put([1], name, by: one, room: 10_000, at: 1)
        _ = try store.put([1], name, by: one, room: 10_000, at: 1)
        #expect(try news(0, one) == [1, 0] && news(0, two) == [1, 1] && news(1, two) == [1, 0])
        // A number of a state that is lost is news, too.
        #expect(try news(7, one) == [1, 1])
        #expect(try RelayStore(at: fixture.path).news(since: 0, for: two).isNews)
    }

    @Test func `names come in their order and in parts`() throws {
        defer { fixture.remove() }
        let store = try RelayStore(at: fixture.path, isMade: true)
        let one = try access(store, "one", quota: 1 << 20)
        let names = (1...5).map { RelayFixture.name($0) }
        for name in names.reversed() + ["p/" + String(repeating: "a", count: 26)] {
            _ = try store.put([1], name, by: one, room: 1 << 20, at: 1)
        }
        #expect(try store.names("h", after: nil, in: one.place) == names)
        #expect(try store.names("h", after: names[2], in: one.place) == Array(names[3...]))
        #expect(try store.names("m", after: nil, in: one.place) == [])
    }

    @Test func `a file that is damaged or of a newer release is told`() throws {
        defer { fixture.remove() }
        _ = try fixture.add("one")
        do {
            let file = try Connection.open(
                path: fixture.path + "/relay.sqlite", isShared: true, vfs: nil)
            try file.execute("PRAGMA user_version = 9")
        }
        #expect(throws: RelayError.fromTheFuture) { try RelayStore(at: fixture.path) }
        for error in [
            RelayError.fromTheFuture, .storage(.diskFull), .storage(.busy), .storage(.notOurs),
            .storage(.io(code: 1)), .storage(.readOnly), .noResources, .badCertificate,
            .served(path: "a"), .badAddress("a"), .notLoopback("a"), .unknown("a"),
            .cannotListen(address: "a", reason: "b"), .system(path: "a", reason: "b"),
        ] {
            #expect(error.description.contains(" "))
        }
    }
}
