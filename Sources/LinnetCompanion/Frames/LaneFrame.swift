package import LinnetWire

/// A frame between two ends: one code byte, then a canonical CBOR array whose first item is the
/// installation that the frame's numbers belong to.
package enum LaneFrame: Equatable, Sendable {
    /// The sender describes its surroundings.
    case state(StateFrame)
    /// A part of a payload.
    case part(PartFrame)
    /// The receiver says how far transfers have come.
    case receipt(ReceiptFrame)
    /// A question for receipts.
    case probe(ProbeFrame)
    /// A transfer is withdrawn.
    case withdraw(WithdrawFrame)

    /// The first byte of a frame.
    package enum Code: UInt8, CaseIterable, Sendable {
        /// `StateFrame`.
        case state = 0x18
        /// `PartFrame`.
        case part = 0x19
        /// `ReceiptFrame`.
        case receipt = 0x1a
        /// `ProbeFrame`.
        case probe = 0x1b
        /// `WithdrawFrame`.
        case withdraw = 0x1c
    }

    /// The frame's bytes.
    package func encode() -> [UInt8] {
        var writer = CBORWriter(capacity: 64)
        let code: Code
        switch self {
        case .state(let frame):
            code = .state
            frame.write(to: &writer)
        case .part(let frame):
            code = .part
            frame.write(to: &writer)
        case .receipt(let frame):
            code = .receipt
            frame.write(to: &writer)
        case .probe(let frame):
            code = .probe
            frame.write(to: &writer)
        case .withdraw(let frame):
            code = .withdraw
            frame.write(to: &writer)
        }
        return [code.rawValue] + writer.bytes
    }

    /// Reads the bytes of one frame and nothing else.
    package static func decode(_ bytes: [UInt8]) throws(WireError) -> LaneFrame {
        guard bytes.count <= Limits.companionFrameBytes else { throw .tooLarge }
        guard let first = bytes.first else { throw .truncated }
        guard let code = Code(rawValue: first) else { throw .unexpectedType }
        var reader = CBORReader(bytes, range: 1..<bytes.count)
        let frame: LaneFrame
        switch code {
        case .state: frame = .state(try StateFrame.read(from: &reader))
        case .part: frame = .part(try PartFrame.read(from: &reader))
        case .receipt: frame = .receipt(try ReceiptFrame.read(from: &reader))
        case .probe: frame = .probe(try ProbeFrame.read(from: &reader))
        case .withdraw: frame = .withdraw(try WithdrawFrame.read(from: &reader))
        }
        try reader.finish()
        return frame
    }
}
