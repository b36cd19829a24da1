import LinnetReplication
import LinnetSystem
import LinnetWire

extension Node {
    /// Returns the inbox of late writes: batches of removed devices, and of devices that may write
    /// no more, which came here and count nowhere. Those that were dropped are left out, unless
    /// they are asked for.
    ///
    /// Reads the batches that it tells of.
    public func lateWrites(withDropped: Bool = false) throws(LinnetError) -> [LateWrite] {
        try late(withDropped: withDropped).map { late in
            var claimed: ClosedRange<Int64>?
            if let earliest = late.earliest, let latest = late.latest {
                claimed = earliest.milliseconds...latest.milliseconds
            }
            return LateWrite(
                device: named(late.device), chain: late.label, batches: late.first...late.last,
                operations: late.operations, unreadable: late.unreadable,
                claimedMilliseconds: claimed,
                records: late.records.map { "\(name(of: $0))/\($0.record)" },
                hasMoreRecords: late.hasMoreRecords, isDropped: late.isDropped)
        }
    }

    /// Lets late writes of a device count on every device of the group, those before them in their
    /// chains included, and returns the number of batches. This device must be an admin.
    ///
    /// - Parameters:
    ///   - device: its name, or the beginning of its identifier.
    ///   - chain: the beginning of a chain's name; empty for all that are listed.
    ///   - through: the number of the last batch that counts, for one chain; nil for all.
    @discardableResult
    public func acceptLateWrites(
        of device: String, chain: String = "", through: UInt64? = nil
    ) throws(LinnetError) -> Int {
        let choice = LateChoice(try lateAuthor(device), chain: chain, through: through)
        try writable()
        do throws(ReplicaError) {
            guard
                let (count, effects) = try replica?.acceptLateWrites(
                    choice, at: SystemClock.now())
            else { return 0 }
            perform(effects)
            return count
        } catch {
            throw failed(error)
        }
    }

    /// Lists late writes of a device no more, and returns the number of batches. They stay in the
    /// log, and no other device hears of it. The parameters are those of
    /// ``acceptLateWrites(of:chain:through:)``.
    @discardableResult
    public func dropLateWrites(
        of device: String, chain: String = "", through: UInt64? = nil
    ) throws(LinnetError) -> Int {
        let choice = LateChoice(try lateAuthor(device), chain: chain, through: through)
        try writable()
        do throws(ReplicaError) {
            return try replica?.dropLateWrites(choice) ?? 0
        } catch {
            throw failed(error)
        }
    }

    private func late(withDropped: Bool) throws(LinnetError) -> [LateWrites] {
        try reading { (replica) throws(ReplicaError) in
            try replica.reading.lateWrites(withDropped: withDropped)
        }
    }

    /// The device of the inbox that a person means.
    private func lateAuthor(_ words: String) throws(LinnetError) -> DeviceID {
        let authors = OrderedSet(try late(withDropped: true).map(\.device))
        guard let author = named(words, among: authors.elements) else { throw .noLateWrites }
        return author
    }
}
