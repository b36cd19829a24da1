import LinnetMembership
import LinnetWire
import Testing

struct MemberPayloadTests {
    private let founder = TestDevice(1)
    private let newcomer = TestDevice(2)

    private func add(role: UInt64, box: Int, epoch: EpochID = .zero) -> [UInt8] {
        var writer = CBORWriter()
        writer.array(4)
        writer.raw(newcomer.certificate.encoded)
        writer.unsigned(role)
        writer.bytes(epoch)
        writer.bytes([UInt8](repeating: 0, count: box))
        return writer.bytes
    }

    private func epoch(number: UInt64 = 2, boxes: [DeviceID], wrapped: [EpochID]) -> [UInt8] {
        var writer = CBORWriter()
        writer.array(5)
        writer.unsigned(number)
        writer.bytes(Bytes32.zero)
        writer.bytes(Bytes32.zero)
        writer.array(boxes.count)
        for device in boxes {
            writer.array(2)
            writer.bytes(device)
            writer.bytes([UInt8](repeating: 0, count: Role.admin.boxBytes))
        }
        writer.array(wrapped.count)
        for epoch in wrapped {
            writer.array(3)
            writer.bytes(epoch)
            writer.bytes([UInt8](repeating: 0, count: 24))
            writer.bytes([UInt8](repeating: 0, count: WrappedKey.ciphertextBytes))
        }
        return writer.bytes
    }

    @Test func `the founder's records hold what founding means`() throws {
        let records = try founder.found().records
        guard case .genesis(let genesis) = records[0].payload,
            case .epoch(let epoch) = records[1].payload
        else {
            Issue.record("a group begins with genesis and epoch")
            return
        }
        #expect(genesis.creator == founder.certificate)
        #expect(genesis.recovery == nil)
        #expect(!genesis.hasPolicy)
        #expect(epoch.number == 1)
        #expect(epoch.boxes.keys == [founder.device])
        #expect(epoch.wrapped.isEmpty)
    }

    @Test func `a box has the size that its role needs`() throws {
        let log = try founder.found()
        for (role, size) in [(0, 80), (1, 80), (2, 112), (0, 0), (0, 111)] as [(UInt64, Int)] {
            #expect(throws: MembershipError.badRecipients) {
                _ = try founder.record(kind: 1, payload: add(role: role, box: size), in: log)
            }
        }
    }

    @Test func `a role of a later version makes the record unknown, not wrong`() throws {
        let log = try founder.found()
        let record = try founder.record(kind: 1, payload: add(role: 4, box: 5), in: log)
        #expect(record.payload == .laterAdd(newcomer.certificate))
    }

    @Test func `boxes and wrapped keys stand in order, once each`() throws {
        let log = try founder.found()
        let (low, high) = (Bytes32(repeating: 1), Bytes32(repeating: 2))
        for payload in [
            epoch(boxes: [high, low], wrapped: []), epoch(boxes: [low, low], wrapped: []),
            epoch(boxes: [], wrapped: [high, low]), epoch(boxes: [], wrapped: [low, low]),
        ] {
            #expect(throws: MembershipError.malformed(.nonCanonical)) {
                _ = try founder.record(kind: 4, payload: payload, in: log)
            }
        }
    }

    @Test func `an epoch has a bounded number of boxes and wrapped keys`() throws {
        let log = try founder.found()
        let many = (0..<65).map { Bytes32(repeating: $0) }
        for payload in [
            epoch(boxes: Array(many.prefix(34)), wrapped: []), epoch(boxes: [], wrapped: many),
        ] {
            #expect(throws: MembershipError.malformed(.tooLarge)) {
                _ = try founder.record(kind: 4, payload: payload, in: log)
            }
        }
    }

    @Test(arguments: [0, 1, 4] as [UInt8])
    func `a payload of another shape is refused`(kind: UInt8) throws {
        let log = try founder.found()
        for payload in [[0xf6], [0x80], [0x84, 0x01, 0x02, 0x03, 0x04], [0x05]] as [[UInt8]] {
            let error = membershipError {
                _ = try founder.record(kind: kind, payload: payload, in: log)
            }
            guard case .malformed = error else {
                Issue.record("kind \(kind): \(String(describing: error))")
                continue
            }
        }
    }

    @Test func `a policy asks for an upgrade`() throws {
        var payload = CBORWriter()
        payload.array(4)
        payload.raw(founder.certificate.encoded)
        payload.raw(newcomer.certificate.encoded)
        payload.map(1)
        payload.unsigned(1)
        payload.bool(true)
        payload.bytes(Bytes32.zero)
        let genesis = try MemberRecord(
            signing: payload.bytes, kind: 0, group: .zero, lamport: 1, parents: [],
            keys: founder.keys)
        let log = try MembershipLog(genesis: genesis)
        #expect(log.state.upgradeNeeded)
        #expect(log.state.recovery == newcomer.certificate)
    }
}
