/// The amount of records that a reading reads in one call.
package struct ReadingSlice: Sendable {
    /// The most records, those included that do not show.
    package let records: Int
    /// The bytes of records that show after which none is read, about; the last one may have more.
    package let bytes: Int

    /// So much that a write waits for few milliseconds.
    package static let usual = ReadingSlice(records: 512, bytes: 256 << 10)
    /// All that there is.
    static let all = ReadingSlice(records: .max, bytes: .max)
}

/// Something that comes of many records, some of which are read in each call. All of it is of the
/// moment at which the reading began.
package protocol SlicedReading: Sendable {
    associatedtype Answer: Sendable

    /// The records that it may yet look at.
    var rest: RecordSpan { get }

    /// Reads so much more of the records as they stood when the reading began; true when all was
    /// read.
    mutating func goOn(_ reader: RecordReader, _ slice: ReadingSlice) throws(ReplicaError) -> Bool

    /// Returns what came of it, once all was read.
    func answer() throws(ReplicaError) -> Answer
}

extension SlicedReading {
    /// Reads everything in one call.
    package mutating func readAll(_ reader: RecordReader) throws(ReplicaError) -> Answer {
        while try !goOn(reader, .all) {}
        return try answer()
    }
}
