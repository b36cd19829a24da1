import LinnetCRDT
import LinnetReplication
import LinnetSystem
import LinnetWire

extension Node {
    /// The bytes of batches that are brought in one transaction.
    private static var mergeStepBytes: Int { 256 << 10 }
    /// The most records that a report names.
    private static var namedRecords: Int { 64 }

    /// Brings what another group wrote into this device's group, with its times and its history,
    /// once, whoever does it and however often. The other group stays as it is.
    ///
    /// - Parameters:
    ///   - other: a device of the other group, opened here; a copy of it will do.
    ///   - isPreview: true when nothing is to be written, only counted.
    ///   - tell: is told how many transactions were looked at, and how many there are.
    public func merge(
        from other: Node, isPreview: Bool = false, tell: @Sendable (Int, Int) -> Void = { _, _ in }
    ) async throws(LinnetError) -> MergeReport {
        if !isPreview { try writable() }
        let group = try reading { (replica) throws(ReplicaError) in try replica.ownGroup() }
        let problems = MergeSchema.problems(of: other.schema, beside: schema)
        guard problems.isEmpty else { throw .merge(.schema(problems)) }
        var source = try await other.mergeSource(into: group)
        var (report, both) = (MergeReport(), OrderedSet<RecordKey>())
        report.waiting = Int(clamping: source.waiting)
        var seen = 0
        while true {
            let (next, batches) = try await other.next(of: source, bytes: Self.mergeStepBytes)
            if batches.isEmpty { break }
            source = next
            if isPreview {
                let (counts, keys) = try reading { (replica) throws(ReplicaError) in
                    try replica.preview(batches)
                }
                for key in keys { both.insert(key) }
                report.count(counts)
            } else {
                report.count(try bring(batches))
            }
            seen += batches.count
            tell(seen, Int(clamping: source.total))
        }
        report.bothCount = both.elements.count
        report.both = both.elements.prefix(Self.namedRecords).map { "\(name(of: $0))/\($0.record)" }
        let names = try await other.deviceNames()
        report.devices = try bring(names: names, isPreview: isPreview)
        return report
    }

    private func bring(_ batches: [BroughtBatch]) throws(LinnetError) -> MergeCounts {
        try writable()
        do throws(ReplicaError) {
            if let (counts, effects) = try replica?.bring(batches, at: SystemClock.now()) {
                perform(effects)
                return counts
            }
        } catch {
            throw failed(error)
        }
        throw absence
    }

    private func mergeSource(into group: GroupID) throws(LinnetError) -> MergeSource {
        do throws(LinnetError) {
            return try reading { (replica) throws(ReplicaError) in
                try MergeSource(replica, to: group)
            }
        } catch {
            throw error == .notAMember ? .merge(.noGroup) : error
        }
    }

    private func next(
        of source: MergeSource, bytes: Int
    ) throws(LinnetError) -> (MergeSource, [BroughtBatch]) {
        var source = source
        let batches = try reading { (replica) throws(ReplicaError) in
            try source.next(of: replica, bytes: bytes)
        }
        return (source, batches)
    }

    /// The rows of the devices' collection, by which histories name the devices of this group.
    private func deviceNames() throws(LinnetError) -> [RecordView] {
        try reading { (replica) throws(ReplicaError) in
            try replica.reader.records(Schema.devices.id)
        }
    }

    /// Writes the names of devices that have none here, and returns their number.
    private func bring(names: [RecordView], isPreview: Bool) throws(LinnetError) -> Int {
        var writes: [Write] = []
        for row in names where row.id.description.utf8.count == 64 {
            let known = try reading { (replica) throws(ReplicaError) in
                try replica.reader.record(Schema.devices.id, row.id)
            }
            guard known == nil else { continue }
            let fields = [Schema.DeviceFields.name, Schema.DeviceFields.kind]
                .compactMap { field in
                    row.fields.first { $0.field == field }?.values.first.map {
                        FieldWrite(field, $0)
                    }
                }
            writes.append(.set(collection: Schema.devices.id, record: row.id, fields: fields))
        }
        guard !isPreview, !writes.isEmpty else { return writes.count }
        do throws(ReplicaError) {
            let now = SystemClock.now()
            if let (_, effects) = try replica?.commit(writes, at: now) { perform(effects) }
        } catch {
            throw failed(error)
        }
        return writes.count
    }
}

/// The comparison of the schemas of two groups that are to become one.
enum MergeSchema {
    /// Returns sentences on what this group's schema does not know of the other one's, or knows
    /// otherwise.
    static func problems(of other: Schema, beside own: Schema) -> [String] {
        let missing = other.collections.filter { own.collection(id: $0.id) == nil }
            .map { "\($0.name) (\($0.id)): this group has no such collection" }
        return missing + SchemaContradiction.sentences(of: other, against: own)
    }
}

extension MergeReport {
    fileprivate mutating func count(_ counts: MergeCounts) {
        brought += Int(clamping: counts.brought)
        changes += Int(clamping: counts.operations)
        known += Int(clamping: counts.known)
    }
}
