package import LinnetWire

/// The progress of a transfer at its receiver; a later stage includes the earlier ones.
package enum ReceiptStage: Equatable, Sendable {
    /// This many bytes of it are there.
    case has(bytes: UInt64)
    /// All of it is on the receiver's disk.
    case stored
    /// It was handed to the receiver's app.
    case delivered
    /// The receiver's app has processed it.
    case processed
    /// It is not taken, for this `platformCode`.
    case refused(code: UInt64)
}

/// The progress of transfers of one lane at their receiver.
package struct ReceiptFrame: Equatable, Sendable {
    /// One transfer.
    package struct Line: Equatable, Sendable {
        /// Its number.
        package var number: UInt64
        /// The stage that it has reached.
        package var stage: ReceiptStage
    }

    /// Most lines of one frame.
    static let linesMaximum = 256

    /// The installation that sent the transfers: the one that this frame goes to.
    package var installation: Bytes8
    /// The lane of all of them.
    package var lane: Lane
    /// The transfers.
    package var lines: [Line]

    func write(to writer: inout CBORWriter) {
        writer.array(3)
        writer.bytes(installation)
        writer.unsigned(UInt64(lane.rawValue))
        writer.array(lines.count)
        for line in lines {
            writer.array(3)
            writer.unsigned(line.number)
            let (stage, value): (UInt64, UInt64) =
                switch line.stage {
                case .has(let bytes): (0, bytes)
                case .stored: (1, 0)
                case .delivered: (2, 0)
                case .processed: (3, 0)
                case .refused(let code): (4, code)
                }
            writer.unsigned(stage)
            writer.unsigned(value)
        }
    }

    static func read(
        from reader: inout CBORReader, max maximum: Int = linesMaximum
    ) throws(WireError) -> ReceiptFrame {
        try reader.array(exactly: 3)
        let installation = try reader.bytes8()
        let lane = try Lane.read(from: &reader)
        var lines: [Line] = []
        for _ in 0..<(try reader.array(max: maximum)) {
            try reader.array(exactly: 3)
            let number = try reader.unsigned()
            let code = try reader.unsigned(max: 4)
            let value = try reader.unsigned()
            let stage: ReceiptStage =
                switch code {
                case 0: .has(bytes: value)
                case 1: .stored
                case 2: .delivered
                case 3: .processed
                default: .refused(code: value)
                }
            guard code == 0 || code == 4 || value == 0 else { throw .nonCanonical }
            lines.append(Line(number: number, stage: stage))
        }
        return ReceiptFrame(installation: installation, lane: lane, lines: lines)
    }
}
