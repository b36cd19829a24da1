import LinnetCrypto
import LinnetDiscovery
import LinnetWire
import Testing

struct TXTRecordTests {
    private func strings(_ texts: String...) -> [UInt8] {
        texts.flatMap { [UInt8($0.utf8.count)] + Array($0.utf8) }
    }

    private let tagText = "t=AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8"

    @Test func `a record is what was announced`() throws {
        var entropy = Samples.entropy()
        let tag = try #require(Bytes8([1, 2, 3, 4, 5, 6, 7, 8]))
        let record = TXTRecord(tags: [tag], hour: 489_888, entropy: &entropy)
        #expect(record.tags.count == 4)
        #expect(record.tags.contains(tag))
        #expect(TXTRecord(heard: record.encoded) == record)
    }

    @Test func `a record holds the version, the tags and the hour, and nothing else`() throws {
        var entropy = Samples.entropy()
        let record = TXTRecord(tags: [], hour: 5, entropy: &entropy)
        let tags = TextAlphabet.base64URL.encode(record.tags.flatMap(\.array))
        #expect(tags.utf8.count == 43)
        #expect(record.encoded == strings("v=1", "t=\(tags)", "h=5"))
        #expect(TXTRecord.pairing == strings("v=1"))
    }

    @Test func `the place of a true tag tells nothing`() throws {
        var entropy = Samples.entropy()
        let tag = try #require(Bytes8([9, 9, 9, 9, 9, 9, 9, 9]))
        var places = [0, 0, 0, 0]
        for _ in 0..<400 {
            let record = TXTRecord(tags: [tag], hour: 1, entropy: &entropy)
            places[try #require(record.tags.firstIndex(of: tag))] += 1
        }
        #expect(places.allSatisfy { (60...140).contains($0) })
    }

    @Test func `filler is fresh in each record`() {
        var entropy = Samples.entropy()
        let first = TXTRecord(tags: [], hour: 1, entropy: &entropy)
        let second = TXTRecord(tags: [], hour: 1, entropy: &entropy)
        #expect(OrderedSet(first.tags + second.tags).count == 8)
    }

    @Test func `unknown keys, empty strings and repeated keys do not matter`() throws {
        let plain = try #require(TXTRecord(heard: strings("v=1", tagText, "h=77")))
        #expect(plain.hour == 77)
        let noisy = TXTRecord(
            heard: strings("", "x=1", "V=1", "=y", "H=77", "t", tagText, "h=99", "v=2", "vv=3"))
        #expect(noisy == plain)
    }

    @Test func `a record that is not ours is refused`() {
        let tags = tagText
        let bad: [[UInt8]] = [
            [], strings("v=1"), strings("v=2", tags, "h=1"), strings("v=1", tags),
            strings("v=1", "h=1"), strings("v=1", tags + "AA", "h=1"),
            strings("v=1", String(tags.dropLast()), "h=1"), strings("v=1", tags, "h=01"),
            strings("v=1", tags, "h="), strings("v=1", tags, "h=-1"),
            strings("v=1", tags, "h=1099511627776"),
            strings("v=1", tags, "h=99999999999999999999999999"),
            strings("v=1", String(tags.dropLast()) + "+", "h=1"),
            strings("v=1", tags, "h=1") + [200, 1, 2], [255], [1],
            strings("v=1", "t=\u{fffd}\u{0}", "h=1"),
            strings("v=1", tags, "h=1") + [UInt8](repeating: 0, count: 256),
        ]
        for bytes in bad { #expect(TXTRecord(heard: bytes) == nil, "\(bytes)") }
    }

    @Test func `a record as long as the limit is read, and a longer one is not`() {
        let plain = strings("v=1", tagText, "h=1")
        let room = Limits.discoveryTextBytes - plain.count
        for (count, isRead) in [(room, true), (room + 1, false)] {
            let filler = strings(String(repeating: "x", count: count - 1))
            #expect((TXTRecord(heard: plain + filler) != nil) == isRead)
        }
    }

    @Test func `the longest hour is read`() throws {
        let record = try #require(
            TXTRecord(heard: strings("v=1", tagText, "h=1099511627775")))
        #expect(record.hour == 1 << 40 - 1)
    }

    @Test func `random bytes are refused without harm`() {
        var entropy = Samples.entropy()
        for _ in 0..<2_000 {
            let count = Int(entropy.uniform(below: 300))
            #expect(TXTRecord(heard: entropy.bytes(count)) == nil)
        }
    }

    @Test func `a true record with one changed bit is never misread`() {
        let whole = strings("v=1", tagText, "h=77")
        for index in whole.indices {
            for bit in 0..<8 {
                var bytes = whole
                bytes[index] ^= 1 << UInt8(bit)
                guard let record = TXTRecord(heard: bytes) else { continue }
                #expect(record.tags.count == 4)
            }
        }
    }

    @Test func `a pairing record is its version`() {
        #expect(TXTRecord.isPairing(heard: TXTRecord.pairing))
        #expect(!TXTRecord.isPairing(heard: []))
        #expect(!TXTRecord.isPairing(heard: strings("v=2")))
    }
}
