package import LinnetWire

/// A question for the receipts of transfers that the other end has stored.
package struct ProbeFrame: Equatable, Sendable {
    /// The sender's installation.
    package var installation: Bytes8
    /// The lane of all of them.
    package var lane: Lane
    /// The lowest number of the lane about which the sender may still ask.
    package var floor: UInt64
    /// The transfers.
    package var numbers: [UInt64]

    func write(to writer: inout CBORWriter) {
        writer.array(4)
        writer.bytes(installation)
        writer.unsigned(UInt64(lane.rawValue))
        writer.unsigned(floor)
        writer.array(numbers.count)
        for number in numbers { writer.unsigned(number) }
    }

    static func read(from reader: inout CBORReader) throws(WireError) -> ProbeFrame {
        try reader.array(exactly: 4)
        let installation = try reader.bytes8()
        let lane = try Lane.read(from: &reader)
        let floor = try reader.unsigned()
        var numbers: [UInt64] = []
        for _ in 0..<(try reader.array(max: ReceiptFrame.linesMaximum)) {
            numbers.append(try reader.unsigned())
        }
        return ProbeFrame(
            installation: installation, lane: lane, floor: floor, numbers: numbers)
    }
}

/// The word that a transfer is withdrawn, for what its receiver has not handed to its app.
package struct WithdrawFrame: Equatable, Sendable {
    /// The transfer.
    package var id: TransferID
    /// Its lane.
    package var lane: Lane

    func write(to writer: inout CBORWriter) {
        writer.array(3)
        writer.bytes(id.installation)
        writer.unsigned(UInt64(lane.rawValue))
        writer.unsigned(id.number)
    }

    static func read(from reader: inout CBORReader) throws(WireError) -> WithdrawFrame {
        try reader.array(exactly: 3)
        let installation = try reader.bytes8()
        let lane = try Lane.read(from: &reader)
        let number = try reader.unsigned()
        return WithdrawFrame(
            id: TransferID(installation: installation, number: number), lane: lane)
    }
}
