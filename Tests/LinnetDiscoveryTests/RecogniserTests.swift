import LinnetDiscovery
import LinnetWire
import Testing

struct RecogniserTests {
    private let name = Samples.name(1)

    private func recogniser(_ seeds: UInt8...) -> Recogniser {
        var recogniser = Recogniser()
        recogniser.setKeys(seeds.map(Samples.key))
        return recogniser
    }

    @Test(arguments: [Samples.hour - 1, Samples.hour, Samples.hour + 1])
    func `a member is known an hour early and an hour late`(hour: UInt64) {
        var recogniser = recogniser(1)
        let heard = Samples.announcement(name, keys: [Samples.key(1)], hour: hour)
        #expect(recogniser.recognise(heard, at: Samples.now) == .member(Bytes32(repeating: 1)))
    }

    @Test func `a member that slept through a rotation is known by its old epoch`() {
        var recogniser = recogniser(8, 7, 6, 5, 4, 3, 2, 1)
        let heard = Samples.announcement(name, keys: [Samples.key(1)])
        #expect(recogniser.recognise(heard, at: Samples.now) == .member(Bytes32(repeating: 1)))
    }

    @Test func `a stranger and a removed device see strangers`() {
        var recogniser = recogniser(1)
        let heard = Samples.announcement(name, keys: [Samples.key(2)])
        #expect(recogniser.recognise(heard, at: Samples.now) == .stranger)
        #expect(recogniser.takeDial(name) == false)
    }

    @Test func `a copy under another name or on another port matches nothing`() {
        var recogniser = recogniser(1)
        let heard = Samples.announcement(name, keys: [Samples.key(1)])
        let renamed = Samples.instance(Samples.name(2), txt: heard.txt)
        let moved = Samples.instance(name, port: 4_001, txt: heard.txt)
        #expect(recogniser.recognise(renamed, at: Samples.now) == .stranger)
        #expect(recogniser.recognise(moved, at: Samples.now) == .stranger)
    }

    @Test(arguments: [-87_600, -2, 2, 87_600])
    func `a member with a wrong clock is known by the hour it says`(hours: Int64) {
        var recogniser = recogniser(1)
        let hour = UInt64(Int64(Samples.hour) + hours)
        let heard = Samples.announcement(name, keys: [Samples.key(1)], hour: hour)
        #expect(
            recogniser.recognise(heard, at: Samples.now)
                == .memberWithSkew(Bytes32(repeating: 1), hours: hours))
    }

    @Test func `a tag for another hour than the one in clear matches nothing`() {
        var recogniser = recogniser(1)
        var entropy = Samples.entropy()
        let tag = DiscoveryTag.tag(
            key: Samples.key(1), name: name, port: 4_000, hour: Samples.hour + 50)
        let record = TXTRecord(tags: [tag], hour: Samples.hour + 60, entropy: &entropy)
        let heard = Samples.instance(name, txt: record.encoded)
        #expect(recogniser.recognise(heard, at: Samples.now) == .stranger)
    }

    @Test func `an instance is dialled three times unless it proved itself`() {
        var recogniser = recogniser(1)
        let heard = Samples.announcement(name, keys: [Samples.key(1)], hour: Samples.hour + 500)
        #expect(recogniser.hasDialsLeft(name))
        _ = recogniser.recognise(heard, at: Samples.now)
        #expect(recogniser.epoch(of: name) == Samples.key(1).epoch)
        for _ in 0..<3 {
            #expect(recogniser.hasDialsLeft(name))
            #expect(recogniser.takeDial(name) == true)
        }
        #expect(!recogniser.hasDialsLeft(name))
        #expect(recogniser.takeDial(name) == false)
        _ = recogniser.recognise(heard, at: Samples.now)
        #expect(!recogniser.hasDialsLeft(name))
        recogniser.dialSucceeded(name)
        #expect(recogniser.hasDialsLeft(name))
        for _ in 0..<30 { #expect(recogniser.takeDial(name) == true) }
    }

    @Test func `a proof does not cover other claims under the same name`() {
        var recogniser = recogniser(1)
        let proven = Samples.announcement(name, keys: [Samples.key(1)])
        _ = recogniser.recognise(proven, at: Samples.now)
        recogniser.dialSucceeded(name)
        let moved = Samples.announcement(name, port: 4_001, keys: [Samples.key(1)])
        _ = recogniser.recognise(moved, at: Samples.now)
        for _ in 0..<3 { #expect(recogniser.takeDial(name) == true) }
        #expect(recogniser.takeDial(name) == false)
        recogniser.dialSucceeded(Samples.name(2))
        #expect(recogniser.takeDial(Samples.name(2)) == false)
    }

    @Test func `hearing an instance again gives no new dials`() {
        var recogniser = recogniser(1)
        let key = Samples.key(1)
        let first = Samples.announcement(name, keys: [key], hour: Samples.hour)
        let second = Samples.announcement(name, keys: [key], hour: Samples.hour + 1)
        for heard in [first, second, first] {
            #expect(recogniser.recognise(heard, at: Samples.now) != .stranger)
            #expect(recogniser.takeDial(name) == true)
        }
        #expect(recogniser.recognise(second, at: Samples.now) != .stranger)
        recogniser.setKeys([key])
        #expect(recogniser.recognise(second, at: Samples.now) != .stranger)
        #expect(recogniser.takeDial(name) == false)
    }

    @Test func `new keys and a new hour make a stranger known`() {
        var recogniser = recogniser(1)
        let heard = Samples.announcement(name, keys: [Samples.key(2)])
        #expect(recogniser.recognise(heard, at: Samples.now) == .stranger)
        recogniser.setKeys([Samples.key(2), Samples.key(1)])
        #expect(recogniser.recognise(heard, at: Samples.now) == .member(Bytes32(repeating: 2)))
        recogniser.setKeys([])
        #expect(recogniser.recognise(heard, at: Samples.now) == .stranger)
    }

    @Test func `what is not an announcement is a stranger`() {
        var recogniser = recogniser(1)
        let member = Samples.announcement(name, keys: [Samples.key(1)])
        let heard = [
            Samples.instance(name, txt: []), Samples.instance(name, txt: TXTRecord.pairing),
            Samples.instance(name, txt: [UInt8](repeating: 0xff, count: 256)),
            Samples.instance(name, txt: member.txt, type: .pairing),
        ]
        for heard in heard { #expect(recogniser.recognise(heard, at: Samples.now) == .stranger) }
    }

    @Test func `a thousand instances leave a bounded table and the members in it`() {
        var recogniser = recogniser(1)
        let member = Samples.announcement(name, keys: [Samples.key(1)])
        _ = recogniser.recognise(member, at: Samples.now)
        for _ in 0..<3 { #expect(recogniser.takeDial(name) == true) }
        for number in 2..<1_002 {
            let stranger = Samples.instance(Samples.name(UInt64(number)), txt: TXTRecord.pairing)
            #expect(recogniser.recognise(stranger, at: Samples.now) == .stranger)
        }
        #expect(recogniser.count == Limits.discoveryInstances)
        #expect(recogniser.takeDial(name) == false)
    }

    @Test func `a clock at either end of time does no harm`() {
        var recogniser = recogniser(1)
        let heard = Samples.announcement(name, keys: [Samples.key(1)])
        for wall in [Int64.min, -1, 0, Int64.max] {
            let now = Moment(wallMilliseconds: wall, uptimeMilliseconds: 0)
            guard case .memberWithSkew = recogniser.recognise(heard, at: now) else {
                Issue.record("not recognised at \(wall)")
                continue
            }
        }
    }
}
