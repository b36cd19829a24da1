package import LinnetWire

/// A member's message to a newcomer: the whole log, its admission included.
package struct PairWelcome: Equatable, Sendable {
    /// The membership of a newcomer after a welcome that holds.
    package struct Admission: Sendable {
        /// The group's log.
        package let log: MembershipLog
        /// The keys that the log seals to this device.
        package let ring: KeyRing
    }

    /// The group.
    package let group: GroupID
    /// Its records, parents first.
    package let records: [[UInt8]]

    /// A welcome with all records of a log.
    package init(log: MembershipLog) {
        group = log.group
        records = log.records.map(\.encoded)
    }

    /// The message body; throws ``MembershipError/welcomeTooLarge`` when it exceeds one message.
    package func encode() throws(MembershipError) -> [UInt8] {
        var writer = CBORWriter()
        writer.array(2)
        writer.bytes(group)
        writer.array(records.count)
        for record in records { writer.raw(record) }
        guard writer.bytes.count <= Limits.messageBytes else { throw .welcomeTooLarge }
        return writer.bytes
    }

    /// Reads a message body; the records are judged by ``admit(_:by:)``.
    package init(decoding body: [UInt8]) throws(MembershipError) {
        guard body.count <= Limits.messageBytes else { throw .welcomeTooLarge }
        (group, records) = try CanonicalForm.read(body, maxItems: body.count) {
            (reader) throws(WireError) in
            try reader.array(exactly: 2)
            let group = try reader.bytes32()
            let records = try reader.list(max: Limits.memberRecords) {
                (reader) throws(WireError) in
                try reader.rawItem()
            }
            return (group, records)
        }
    }

    /// Verifies the whole log from its genesis on, and opens the keys sealed to the newcomer.
    ///
    /// Throws what is wrong with a record, or ``MembershipError/incompleteWelcome`` when the log is
    /// another group's, or does not hold the newcomer's certificate, the current keys for it, and
    /// the member that sent it.
    package func admit(
        _ keys: borrowing DeviceKeys, by sender: DeviceID
    ) throws(MembershipError) -> Admission {
        let log = try MembershipLog(records: records)
        let ring = KeyRing(log: log, keys: keys)
        guard
            log.group == group, log.state.member(sender) != nil,
            let own = log.state.member(keys.device), own.certificate == keys.certificate,
            ring.current(in: log) != nil
        else { throw .incompleteWelcome }
        return Admission(log: log, ring: ring)
    }
}
