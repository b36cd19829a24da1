import LinnetCRDT
import LinnetCrypto
import LinnetMembership
import LinnetStorage
import LinnetWire
import Testing

@testable import LinnetReplication

/// Names, keys and contents of objects, and the state that a home keeps of a mailbox.
@Suite struct MailObjectTests {
    private func keys() throws -> MailKeys {
        let fleet = Fleet()
        let device = try fleet.device("a", seed: 1)
        try device.found(at: fleet.now)
        let keys = device.replica?.mailKeys.first
        return try #require(keys)
    }

    @Test func `MailName is read from what it wrote, and from nothing else`() {
        for kind in MailKind.allCases {
            let name = MailName(kind, Bytes16(repeating: 0xa7))
            #expect(MailName(text: name.text) == name)
            #expect(name.text.utf8.count == 28)
            for wrong in [
                name.text.uppercased(), name.text + "a", String(name.text.dropLast()),
                "x" + name.text.dropFirst(), name.text.replacing("/", with: ""),
                name.text + ".sync-conflict-20261126-101010-ABCDEFG", "/" + name.text, "",
                String(name.text.dropLast()) + "b",
            ] {
                #expect(MailName(text: wrong) == nil, "\(wrong)")
            }
        }
    }

    @Test func `MailKeys seals what is made twice as one object, in sizes that say little`()
        throws
    {
        let keys = try keys()
        for count in [0, 1, 100, 4_000, 5_000, 60_000, 200_000] {
            let content = [UInt8](repeating: 5, count: count)
            let object = try #require(keys.seal(content, .head))
            #expect(object == keys.seal(content, .head))
            #expect(keys.name(of: object.bytes, .head) == object.name)
            #expect(keys.name(of: object.bytes, .bridge).hash != object.name.hash)
            #expect(keys.open(object.bytes, .head) == content)
            #expect(keys.open(object.bytes, .bridge) == nil)
            #expect([4_096, 16_384, 65_536, 262_144].contains(object.bytes.count))
        }
        #expect(keys.seal([UInt8](repeating: 0, count: Limits.mailHeadBytes), .head) == nil)
        #expect(keys.seal([UInt8](repeating: 0, count: Limits.mailObjectBytes), .bridge) == nil)
        let most = [UInt8](repeating: 1, count: Limits.mailContentBytes + 64)
        let pack = try #require(keys.sealPack(most))
        #expect(pack.object.bytes.count <= Limits.mailObjectBytes)
        let group = DeviceID.zero
        #expect(MailKeys.openPack(pack.object.bytes, key: pack.key, group: group) == nil)
    }

    @Test func `MailHead, MailPack and MailBridge refuse what is cut at any place`() throws {
        let fleet = Fleet()
        let device = try fleet.device("a", seed: 1)
        try device.found(at: fleet.now)
        var head = MailHead(
            group: .zero, device: try deviceID(of: device), incarnation: .zero, number: 1,
            previous: .zero)
        let key = ChainKey(scope: .zero, chain: .zero)
        head.ranges = [MailRange(key: key, first: 1, last: 2, prefix: .zero)]
        head.batches = [[1, 2, 3]]
        head.memberHeads = [.zero]
        var entropy = Device.entropy(1)
        let signed = head.signed(
            by: DeviceKeys(createdMilliseconds: 1, entropy: &entropy).signing)
        #expect(try MailHead.decode(signed: signed) == head)
        for count in 0..<signed.count {
            #expect(throws: MailFault.self) {
                _ = try MailHead.decode(signed: Array(signed.prefix(count)))
            }
        }
        var changed = signed
        changed[40] ^= 1
        #expect(throws: MailFault.self) { _ = try MailHead.decode(signed: changed) }
        let pack = MailPack.encode([[1], [2, 3]])
        #expect(try MailPack.decode(pack) == [[1], [2, 3]])
        let bridge = MailBridge.encode([[0x81, 0x01]], of: .zero)
        #expect(try MailBridge.decode(bridge, of: .zero) == [[0x81, 0x01]])
        #expect(throws: MailFault.malformed) {
            _ = try MailBridge.decode(bridge, of: GroupID(repeating: 1))
        }
        for content in [pack, bridge] {
            for count in 0..<content.count {
                #expect(throws: MailFault.self) {
                    _ = try MailPack.decode(Array(content.prefix(count)))
                }
                #expect(throws: MailFault.self) {
                    _ = try MailBridge.decode(Array(content.prefix(count)), of: .zero)
                }
            }
        }
    }

    @Test func `PostBook and PostState come back as they were kept`() throws {
        var book = PostBook()
        let id = book.add("folder:/a")
        _ = book.nextHead(isDry: false)
        let key = ChainKey(scope: ScopeID(repeating: 1), chain: AuthorID(repeating: 2))
        let range = MailRange(key: key, first: 1, last: 2, prefix: .zero)
        var state = PostState(address: "folder:/a")
        (state.number, state.isConfirmed, state.areNamed) = (1, true, false)
        state.inline = [range]
        state.packs = [
            PostState.OwnPack(
                reference: PackReference(
                    hash: Bytes16(repeating: 3), key: .zero, generation: 4, ranges: [range]),
                bytes: 77)
        ]
        state.replaced = [MailHead.ReplacedPack(old: .zero, new: Bytes16(repeating: 3))]
        book[id]?.state = state
        var again = try PostBook(kept: book.encoded)
        #expect(again[id]?.state == state)
        #expect(again.nextHead(isDry: false) == 2 && !again.neverWrote(2) && again.neverWrote(3))
        #expect(again.add("folder:/b") > id)
        for count in 0..<book.encoded.count {
            #expect(throws: WireError.self) {
                _ = try PostBook(kept: Array(book.encoded.prefix(count)))
            }
        }
    }

    @Test func `PostBook keeps an account, and what went over the network in the last day`()
        throws
    {
        var book = PostBook()
        let (id, other) = (book.add("dav+https://a/"), book.add("folder:/a"))
        let hour: Int64 = 3_600_000
        var now = Moment(wallMilliseconds: 500_000 * hour, uptimeMilliseconds: 0)
        book.setAccess([1, 2], of: id)
        book.note(MailTraffic(), of: other)
        for _ in 1...30 {
            for _ in 1...2 { book.note(MailTraffic(requests: 1, bytes: 10), of: id) }
            book.ended(id, MailRound(), random: 0, at: now)
            now.wallMilliseconds += hour
        }
        let last = now.wallMilliseconds - 1
        let again = try PostBook(kept: book.encoded)
        for book in [book, again] {
            let place = try #require(book.places[id])
            #expect(place.access == [1, 2])
            #expect(place.lastDay(at: last) == MailTraffic(requests: 48, bytes: 480))
            #expect(place.lastDay(at: last + 23 * hour) == MailTraffic(requests: 2, bytes: 20))
            #expect(place.lastDay(at: last + 24 * hour) == MailTraffic())
            #expect(place != MailPlace() && book.places[other] == nil)
        }
        for count in 0..<book.encoded.count {
            #expect(throws: WireError.self) {
                _ = try PostBook(kept: Array(book.encoded.prefix(count)))
            }
        }
        book.remove(id)
        #expect(book.places[id] == nil)
    }

    @Test func `PostBook waits as long as a store asks, and for ever where it refuses`() {
        var book = PostBook()
        let id = book.add("dav+https://a/")
        let now = Moment(wallMilliseconds: 1_800_000_000_000, uptimeMilliseconds: 1_000)
        book.isRunning = true
        var round = MailRound()
        (round.failure, round.pause) = ("503", .atLeast(milliseconds: 400_000))
        book.ended(id, round, random: 0, at: now)
        #expect(book.nextDeadline == 401_000)
        round.pause = .stopped
        book.ended(id, round, random: 0, at: now)
        #expect(book.nextDeadline == nil)
        book.changed(at: now)
        #expect(book.nextDeadline == nil)
        // Another account is tried at once.
        book.setAccess([1], of: id)
        #expect(book.dueNow(at: now) == [id])
    }

    @Test func `PostBook looks soon after news, later without, and waits longer after failures`() {
        var book = PostBook()
        let id = book.add("folder:/a")
        var now = Moment(wallMilliseconds: 1_800_000_000_000, uptimeMilliseconds: 1_000)
        #expect(book.nextDeadline == nil)
        book.isRunning = true
        #expect(book.dueNow(at: now) == [id])
        func wait(_ round: MailRound, random: UInt32) -> Int64 {
            book.ended(id, round, random: random, at: now)
            return (book.nextDeadline ?? 0) - now.uptimeMilliseconds
        }
        #expect(wait(MailRound(), random: 0) == 1_440_000)
        var news = MailRound()
        news.batches = 1
        #expect(wait(news, random: 0) == 24_000)
        #expect((24_000..<36_000).contains(wait(MailRound(), random: 123_456_789)))
        now.uptimeMilliseconds += 700_000
        #expect(wait(MailRound(), random: 0) == 240_000)
        var failed = MailRound()
        failed.failure = "503"
        for _ in 1...30 { #expect((1...900_000).contains(wait(failed, random: 899_999))) }
        // A change waits for the end of a failure, and is left soon else.
        book.changed(at: now)
        #expect((book.nextDeadline ?? 0) > now.uptimeMilliseconds + 2_000)
        _ = wait(MailRound(), random: 0)
        book.changed(at: now)
        #expect(book.nextDeadline == now.uptimeMilliseconds + 2_000)
    }

    @Test func `MailListing counts strange names, and forgets what is not there any more`() {
        var listing = MailListing()
        let name = MailName(.head, .zero)
        listing.begin()
        listing.take([name.text, "h/other", "h/.stfolder"], of: .head)
        listing.take((0..<Limits.mailNames + 5).map { "p/\($0)" }, of: .pack)
        #expect(listing.strange == Limits.mailNames + 2)
        #expect(listing.toRead == [name])
        listing.read.insert(name)
        #expect(listing.toRead.isEmpty)
        for _ in 1...2 {
            listing.begin()
            for kind in MailKind.allCases { listing.take([], of: kind) }
        }
        #expect(listing.read.isEmpty && listing.lacksAgain(name))
    }

    @Test func `MadeBridges lead from each epoch to the next one that is usable`() throws {
        let fleet = Fleet()
        let devices = try fleet.group(["a", "b", "c"])
        for device in devices.dropFirst() { fleet.connect(devices[0], device) }
        for gone in [2, 1] {
            let effects = try devices[0].replica?.remove(
                try deviceID(of: devices[gone]), reason: .lost, with: [], at: fleet.now)
            devices[0].perform(effects ?? [])
        }
        let held = devices[0].replica?.group
        let group = try #require(held)
        var bridges = MadeBridges()
        bridges.update(group)
        let newestFirst = group.ring.epochs.map(\.id)
        #expect(newestFirst.count == 3)
        for (index, epoch) in newestFirst.enumerated().dropFirst() {
            let bridge = try #require(bridges.all.first { $0.epoch == epoch })
            let next = try #require(group.log.record(newestFirst[index - 1]))
            #expect(bridge.records.isSuperset(of: MadeBridges.names(of: [next.encoded])))
            // Nothing that follows the next epoch is there.
            if index == 2 {
                let last = try #require(group.log.record(newestFirst[0]))
                #expect(!bridge.records.isSuperset(of: MadeBridges.names(of: [last.encoded])))
            }
        }
    }
}

extension OrderedSet {
    fileprivate func isSuperset(of other: OrderedSet) -> Bool {
        other.elements.allSatisfy(contains)
    }
}
