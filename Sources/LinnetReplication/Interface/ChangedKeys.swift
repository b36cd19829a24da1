package import LinnetCRDT
import LinnetWire

/// The records that changed in one call of a replica, in the order of their first change.
///
/// A member may write as many as it likes at once, so their names lie in one array: an array for
/// each would take four times as much.
package struct ChangedKeys: Equatable, Sendable, Sequence, ExpressibleByArrayLiteral {
    /// For each record its collection in four bytes, the length of its identifier in one, and the
    /// identifier.
    private var bytes: [UInt8] = []

    /// Names some records.
    package init(arrayLiteral records: RecordKey...) {
        for key in records { append(key) }
    }

    /// True when nothing changed.
    package var isEmpty: Bool { bytes.isEmpty }

    mutating func append(_ key: RecordKey) {
        BigEndian.append(key.collection, to: &bytes)
        bytes.append(UInt8(key.record.utf8.count))
        bytes += key.record.utf8
    }

    /// Reads the names one after the other.
    package func makeIterator() -> Iterator { Iterator(bytes: bytes) }

    /// A reader of the names.
    package struct Iterator: IteratorProtocol {
        fileprivate let bytes: [UInt8]
        private var place = 0

        fileprivate init(bytes: [UInt8]) { self.bytes = bytes }

        /// Returns the next record; nil after the last.
        package mutating func next() -> RecordKey? {
            guard place < bytes.count else { return nil }
            let collection = bytes[place..<place + 4].reduce(0) { $0 << 8 | UInt32($1) }
            let start = place + 5
            place = start + Int(bytes[place + 4])
            guard let id = RecordID(String(decoding: bytes[start..<place], as: UTF8.self)) else {
                preconditionFailure("the identifier of a record is not one when it is read back")
            }
            return RecordKey(collection: collection, record: id)
        }
    }
}
