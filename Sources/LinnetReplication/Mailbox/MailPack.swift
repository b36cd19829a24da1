import LinnetWire

/// Batches in one object of a mailbox, as bodies of `batch` messages with whole headers.
enum MailPack {
    private static let version: UInt64 = 1
    /// The longest body of a `batch` message.
    static let batchBytes = Limits.batchCiphertextBytes + 1_024

    /// The bytes of a body beside its ciphertext, at most.
    static let headerBytes = 384

    static func encode(_ batches: [[UInt8]]) -> [UInt8] {
        var writer = CBORWriter(capacity: batches.reduce(16) { $0 + $1.count + 8 })
        writer.array(2)
        writer.unsigned(version)
        writer.array(batches.count)
        for batch in batches { writer.bytes(batch) }
        return writer.bytes
    }

    static func decode(_ content: [UInt8]) throws(MailFault) -> [[UInt8]] {
        do throws(WireError) {
            var reader = CBORReader(content)
            try reader.array(exactly: 2)
            guard try reader.unsigned() == version else { throw .unexpectedType }
            var batches: [[UInt8]] = []
            for _ in 0..<(try reader.array()) {
                batches.append(try reader.bytes(max: batchBytes))
            }
            try reader.finish()
            return batches
        } catch {
            throw .malformed
        }
    }

    /// Returns the batches in a pack, none of which is proven, up to the first that is none.
    static func batches(in content: [UInt8], of group: GroupID) -> [SealedBatch] {
        var batches: [SealedBatch] = []
        do {
            for body in try decode(content) {
                let message = try BatchMessage.decode(body)
                guard case .full(let header) = message.form else { return batches }
                batches.append(
                    try SealedBatch.unproven(
                        headerBytes: header, ciphertext: message.ciphertext,
                        signature: message.signature, group: group))
            }
        } catch {
            // A pack is read up to the first that is no batch.
            return batches
        }
        return batches
    }
}

/// Membership records in one object of a mailbox, parents first.
enum MailBridge {
    static func encode(_ records: [[UInt8]], of group: GroupID) -> [UInt8] {
        MemberRecordsMessage(group: group, records: records).encode()
    }

    static func decode(_ content: [UInt8], of group: GroupID) throws(MailFault) -> [[UInt8]] {
        do throws(WireError) {
            var reader = CBORReader(content, maxItems: content.count)
            try reader.array(exactly: 2)
            guard try reader.bytes32() == group else { throw .unexpectedType }
            var records: [[UInt8]] = []
            for _ in 0..<(try reader.array(max: Limits.memberRecordsHeld)) {
                let record = try reader.rawItem()
                guard record.count <= Limits.memberRecordBytes else { throw .tooLarge }
                records.append(record)
            }
            try reader.finish()
            return records
        } catch {
            throw .malformed
        }
    }
}
