import LinnetCRDT
import LinnetStorage
import LinnetWire
import Testing

@testable import LinnetReplication

/// Stores that lose, cut, swap, repeat and withhold what they were given.
@Suite struct LyingStoreTests {
    private let fleet = Fleet()
    private let shelf = Shelf()

    @Test func `objects that are cut, changed, swapped or foreign are told and stop nobody`()
        throws
    {
        let devices = try fleet.group(apart: ["a", "b"])
        try devices[0].set("tea", 1, .text("Tea"), at: fleet.now)
        try fleet.post(devices[0], shelf)
        let head = try #require(shelf.names(.head).first)
        let bytes = try #require(shelf.objects[head])
        let damaged: [[UInt8]] = [
            [], Array(bytes.prefix(39)), Array(bytes.dropLast()), bytes + [0],
            bytes.enumerated().map { $0.offset == 100 ? $0.element ^ 1 : $0.element },
            shelf.objects[try #require(shelf.names(.bridge).first)] ?? [],
            [UInt8](repeating: 7, count: Limits.mailObjectBytes),
        ]
        for wrong in damaged {
            shelf.objects[head] = wrong
            #expect(try fleet.facts(devices[1], shelf).contains(.unreadable(1)))
            #expect(try devices[1].value("tea", 1) == nil)
        }
        let stranger = MailName(.head, Bytes16(repeating: 3)).text
        shelf.objects[stranger] = bytes
        shelf.objects["h/conflict copy of \(head.dropFirst(2))"] = bytes
        shelf.objects[head] = bytes
        let fresh = try fleet.post(devices[0], shelf)
        #expect(fresh.last?.failure == nil)
        // A new head is found beside all that.
        try devices[0].set("milk", 1, .text("Milk"), at: fleet.now)
        try fleet.post(devices[0], shelf)
        let facts = try fleet.facts(devices[1], shelf)
        #expect(try devices[1].value("milk", 1) == .text("Milk"))
        #expect(facts.contains(.strangeNames(1)))
        #expect(facts.contains(.unreadable(1)))
    }

    @Test func `a put that is lost is found out by reading back`() throws {
        let devices = try fleet.group(apart: ["a", "b"])
        try devices[0].set("tea", 1, .text("Tea"), at: fleet.now)
        shelf.lie = { request in
            if case .put(let object) = request, object.name.kind == .head { return .done }
            return nil
        }
        let round = try #require(try fleet.post(devices[0], shelf).last)
        #expect(round.failure != nil)
        #expect(shelf.names(.head).isEmpty)
        shelf.lie = nil
        try fleet.post(devices[0], shelf)
        try fleet.post(devices[1], shelf)
        #expect(try devices[1].value("tea", 1) == .text("Tea"))
    }

    @Test func `a store that fails at any request leaves nothing lost`() throws {
        let devices = try fleet.group(apart: ["a", "b"])
        for step in 1...14 {
            try devices[0].set("r\(step)", 1, .text("R"), at: fleet.now)
            var left = step
            shelf.lie = { request in
                left -= 1
                // What fails may have been done.
                if left == 0, case .put(let object) = request, step % 2 == 0 {
                    self.shelf.objects[object.name.text] = object.bytes
                }
                return left == 0 ? .failed("503") : nil
            }
            try fleet.post(devices[0], shelf)
            shelf.lie = nil
        }
        try fleet.post(devices[0], shelf)
        try fleet.post(devices[1], shelf)
        for step in 1...14 { #expect(try devices[1].value("r\(step)", 1) == .text("R")) }
    }

    @Test func `a crash after any request loses nothing and gives no number twice`() throws {
        let devices = try fleet.group(apart: ["a", "b"])
        var numbers: [UInt64: String] = [:]
        for step in 1...14 {
            try devices[0].set("r\(step)", 1, .text("R"), at: fleet.now)
            _ = try fleet.post(devices[0], shelf, stoppingAfter: step)
            let found = devices[0].replica?.witnessMark
            let mark = try #require(found)
            devices[0].crash()
            devices[0].mails = []
            try devices[0].open(at: fleet.now, witness: .intact(mark), schema: fleet.schema)
            let keys = devices[0].replica?.mailKeys ?? []
            for name in shelf.names(.head) {
                let bytes = shelf.objects[name] ?? []
                let content = keys.lazy.compactMap { $0.open(bytes, .head) }.first
                guard let content else { continue }
                let head = try MailHead.decode(signed: content)
                guard head.device == devices[0].replica?.device else { continue }
                #expect(numbers[head.number] ?? name == name)
                numbers[head.number] = name
            }
        }
        try fleet.post(devices[0], shelf)
        try fleet.post(devices[1], shelf)
        for step in 1...14 { #expect(try devices[1].value("r\(step)", 1) == .text("R")) }
    }

    @Test func `a store that forgets everything is filled again`() throws {
        let devices = try fleet.group(apart: ["a", "b"])
        for index in 0..<30 {
            try devices[0].set("r\(index)", 1, .text(Noise.text(4_000, index)), at: fleet.now)
        }
        try fleet.post(devices[0], shelf)
        #expect(!shelf.names(.pack).isEmpty)
        shelf.objects = [:]
        let rounds = try fleet.post(devices[0], shelf)
        #expect(rounds.contains { $0.facts.contains(.lacking) })
        try fleet.post(devices[1], shelf)
        #expect(try devices[1].value("r29", 1) == devices[0].value("r29", 1))
    }

    @Test func `an old head that comes back says nothing, and is deleted again`() throws {
        let devices = try fleet.group(apart: ["a", "b"])
        try devices[0].set("tea", 1, .text("Old"), at: fleet.now)
        try fleet.post(devices[0], shelf)
        let old = try #require(shelf.names(.head).first)
        let bytes = shelf.objects[old]
        try devices[0].set("tea", 1, .text("New"), at: fleet.now)
        try fleet.post(devices[0], shelf)
        try fleet.post(devices[1], shelf)
        shelf.objects[old] = bytes
        try fleet.post(devices[1], shelf)
        #expect(try devices[1].value("tea", 1) == .text("New"))
        try fleet.post(devices[0], shelf)
        #expect(shelf.objects[old] == nil)
    }

    @Test func `a store that goes back to an older state is told, and gets the newer one again`()
        throws
    {
        let devices = try fleet.group(apart: ["a", "b"])
        try devices[0].set("tea", 1, .text("Old"), at: fleet.now)
        try fleet.post(devices[0], shelf)
        let old = shelf.objects
        try devices[0].set("tea", 1, .text("New"), at: fleet.now)
        try fleet.post(devices[0], shelf)
        shelf.objects = old
        let facts = try fleet.post(devices[0], shelf).flatMap(\.facts)
        #expect(facts.contains(.rolledBack))
        try fleet.post(devices[1], shelf)
        #expect(try devices[1].value("tea", 1) == .text("New"))
    }

    @Test func `a head that is withheld from one device is named by what others saw`() throws {
        let devices = try fleet.group(apart: ["a", "b", "c"])
        for _ in 1...2 { for device in devices { try fleet.post(device, shelf) } }
        let before = Set(shelf.names(.head))
        try devices[0].set("tea", 1, .text("Tea"), at: fleet.now)
        try fleet.post(devices[0], shelf)
        let hidden = Set(shelf.names(.head)).subtracting(before)
        try devices[1].set("milk", 1, .text("Milk"), at: fleet.now)
        try fleet.post(devices[1], shelf)
        shelf.lie = { request in
            guard request == .list(.head) else { return nil }
            return .names(self.shelf.names(.head).filter { !hidden.contains($0) })
        }
        var facts: [MailFact] = []
        for _ in 1...3 { facts += try fleet.facts(devices[2], shelf) }
        #expect(facts.contains(.withheld(try deviceID(of: devices[0]))))
        // A store that shows all of it withholds nothing.
        shelf.lie = nil
        #expect(try fleet.facts(devices[2], shelf).isEmpty)
    }

    @Test func `nothing is deleted while more than half is gone`() throws {
        let devices = try fleet.group(apart: ["a", "b", "c", "d"])
        for _ in 1...2 { for device in devices { try fleet.post(device, shelf) } }
        let own = devices[0].replica?.posts.posts.values.first?.state.head
        let kept = MailName(.head, try #require(own)).text
        shelf.objects = shelf.objects.filter { $0.key == kept || $0.key.hasPrefix("m/") }
        try devices[0].set("tea", 1, .text("Tea"), at: fleet.now)
        shelf.asked = []
        let rounds = try fleet.post(devices[0], shelf)
        #expect(rounds.first?.facts.contains(.lost) == true)
        let deletes = shelf.asked.filter { if case .delete = $0 { true } else { false } }
        #expect(deletes.isEmpty)
    }

    @Test(arguments: [MailKind.head, .pack, .bridge])
    func `what is damaged where it lies is left anew`(kind: MailKind) throws {
        let devices = try fleet.group(apart: ["a", "b"])
        for index in 0..<30 {
            try devices[0].set("r\(index)", 1, .text(Noise.text(4_000, index)), at: fleet.now)
        }
        try fleet.post(devices[0], shelf)
        try devices[0].set("tea", 1, .text("Tea"), at: fleet.now)
        try fleet.post(devices[0], shelf)
        let names = shelf.names(kind)
        #expect(!names.isEmpty)
        for name in names { shelf.objects[name]?.removeLast(1) }
        let spoiled = names.compactMap { shelf.objects[$0] }
        let facts = try fleet.post(devices[0], shelf).flatMap(\.facts)
        #expect(facts.contains(.lacking) == (kind != .bridge))
        // Nothing damaged is left, nor named.
        #expect(!shelf.objects.values.contains(where: spoiled.contains))
        try fleet.post(devices[1], shelf)
        #expect(try devices[1].value("tea", 1) == .text("Tea"))
        #expect(try devices[1].value("r29", 1) == devices[0].value("r29", 1))
        #expect(try fleet.facts(devices[1], shelf).isEmpty)
    }

    @Test(arguments: [MailKind.head, .pack])
    func `what others left is left anew by who holds it, when it is damaged`(
        kind: MailKind
    ) throws {
        let devices = try fleet.group(apart: ["a", "b", "c"])
        for index in 0..<30 where kind == .pack {
            try devices[0].set("r\(index)", 1, .text(Noise.text(4_000, index)), at: fleet.now)
        }
        try devices[0].set("tea", 1, .text("Tea"), at: fleet.now)
        try fleet.post(devices[0], shelf)
        let damaged = shelf.names(kind)
        try fleet.post(devices[1], shelf)
        for name in damaged { shelf.objects[name]?.removeLast(1) }
        // The first one is not heard of any more.
        try fleet.post(devices[1], shelf)
        try fleet.post(devices[2], shelf)
        #expect(try devices[2].value("tea", 1) == .text("Tea"))
    }
}
