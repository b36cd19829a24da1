import LinnetWire
import Testing

@testable import LinnetCompanion

@Suite struct LaneFrameTests {
    static let installation = Bytes8(repeating: 7)
    static let id = TransferID(installation: installation, number: 5)

    static let frames: [LaneFrame] = [
        .state(
            StateFrame(
                installation: installation, app: .highPriority, complication: .activeFace,
                isLocked: true, isReachable: false)),
        .part(
            PartFrame(
                id: id, lane: .userInfo, floor: 2, flags: [.complication, .wantsProcessed],
                total: 4, offset: 1, bytes: [1, 2, 3])),
        .part(
            PartFrame(
                id: id, lane: .file, floor: 5, flags: [], total: 0, offset: 0, bytes: [],
                file: PartFrame.File(contentHash: .zero, metadata: [0xa0]))),
        .receipt(
            ReceiptFrame(
                installation: installation, lane: .context,
                lines: [
                    .init(number: 1, stage: .has(bytes: 9)), .init(number: 2, stage: .stored),
                    .init(number: 3, stage: .delivered), .init(number: 4, stage: .processed),
                    .init(number: 5, stage: .refused(code: 7015)),
                ])),
        .probe(
            ProbeFrame(installation: installation, lane: .file, floor: 1, numbers: [1, 2, 300])),
        .withdraw(WithdrawFrame(id: id, lane: .userInfo)),
    ]

    @Test(arguments: frames)
    func `a frame survives its bytes`(_ frame: LaneFrame) throws {
        #expect(try LaneFrame.decode(frame.encode()) == frame)
    }

    @Test(arguments: frames)
    func `a frame cut anywhere is refused`(_ frame: LaneFrame) {
        let bytes = frame.encode()
        for count in 0..<bytes.count {
            #expect(throws: WireError.self) { try LaneFrame.decode(Array(bytes[..<count])) }
        }
        #expect(throws: WireError.self) { try LaneFrame.decode(bytes + [0]) }
    }

    @Test(arguments: frames)
    func `a frame with any byte changed is refused or means something else`(_ frame: LaneFrame) {
        let bytes = frame.encode()
        for index in bytes.indices {
            for bit in 0..<8 {
                var changed = bytes
                changed[index] ^= 1 << bit
                let decoded = try? LaneFrame.decode(changed)
                #expect(decoded != frame)
                if let decoded { #expect(decoded.encode() == changed) }
            }
        }
    }

    @Test func `the largest part of a file with the largest metadata fits one transport frame`() {
        let part = PartFrame(
            id: TransferID(installation: Self.installation, number: .max), lane: .file,
            floor: .max, flags: [.wantsProcessed], total: .max,
            offset: UInt64.max - UInt64(Limits.companionPartBytes),
            bytes: [UInt8](repeating: 1, count: Limits.companionPartBytes),
            file: PartFrame.File(
                contentHash: .zero,
                metadata: [UInt8](repeating: 1, count: Payload.metadataBytes)))
        let bytes = LaneFrame.part(part).encode()
        #expect(bytes.count <= Limits.companionFrameBytes)
        #expect((try? LaneFrame.decode(bytes)) == .part(part))
    }

    @Test func `a part that reaches past its payload is refused`() {
        var part = PartFrame(
            id: Self.id, lane: .userInfo, floor: 1, flags: [], total: 2, offset: 1, bytes: [1, 2])
        #expect(throws: WireError.badLength) {
            try LaneFrame.decode(LaneFrame.part(part).encode())
        }
        part.offset = .max
        #expect(throws: WireError.badLength) {
            try LaneFrame.decode(LaneFrame.part(part).encode())
        }
    }
}
