import LinnetWire

/// The amounts that one device brought, or may bring.
package struct Arrivals: Equatable, Sendable {
    /// The number of membership records that it signed.
    package var records: Int
    /// The number of batches that it sent.
    package var batches: Int
    /// The bytes of the batches that it sent.
    package var bytes: Int
    /// The bytes to which the batches that it wrote opened.
    package var decodedBytes: Int

    /// Joins the amounts.
    package init(records: Int = 0, batches: Int = 0, bytes: Int = 0, decodedBytes: Int = 0) {
        (self.records, self.batches) = (records, batches)
        (self.bytes, self.decodedBytes) = (bytes, decodedBytes)
    }

    /// The amounts that a device may bring at once, and again in the course of a day. They are
    /// several times what a person's own devices write in a year.
    static let allowed = Arrivals(
        records: Limits.receivedRecords, batches: Limits.receivedBatches,
        bytes: Limits.receivedBytes, decodedBytes: Limits.receivedDecodedBytes)

    static func + (left: Arrivals, right: Arrivals) -> Arrivals {
        Arrivals(
            records: left.records + right.records, batches: left.batches + right.batches,
            bytes: left.bytes + right.bytes, decodedBytes: left.decodedBytes + right.decodedBytes)
    }
}

/// The parts of an allowance that were taken and did not grow back: 1 is all of it.
struct TakenShares {
    private(set) var records = 0.0
    private(set) var batches = 0.0
    private(set) var bytes = 0.0
    private(set) var decoded = 0.0

    /// The largest of them.
    var largest: Double { max(records, batches, bytes, decoded) }

    /// Takes more. Nobody waits for longer than it takes one allowance to grow back.
    mutating func take(_ amounts: Arrivals, of allowed: Arrivals, weight: Double) {
        func more(_ share: Double, _ amount: Int, _ allowed: Int) -> Double {
            min(2, share + weight * Double(amount) / Double(allowed))
        }
        records = more(records, amounts.records, allowed.records)
        batches = more(batches, amounts.batches, allowed.batches)
        bytes = more(bytes, amounts.bytes, allowed.bytes)
        decoded = more(decoded, amounts.decodedBytes, allowed.decodedBytes)
    }

    /// Lets a share of each grow back.
    mutating func growBack(_ share: Double) {
        records = max(0, records - share)
        batches = max(0, batches - share)
        bytes = max(0, bytes - share)
        decoded = max(0, decoded - share)
    }
}
