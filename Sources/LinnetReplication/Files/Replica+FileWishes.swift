import LinnetCRDT
import LinnetStorage
import LinnetWire

/// The files that the replica fetches without being asked.
extension Replica {
    /// The policy by which files are fetched. It is told anew after each opening.
    package var filePolicy: FilePolicy {
        get { files.wishes.policy }
        set { files.wishes.follow(newValue) }
    }

    /// True once the policy asks for nothing more, since no more chunks may be kept.
    package var hasNoRoomForFiles: Bool { files.wishes.isFull }

    /// Looks at some records, and begins to fetch the files of them that the policy names.
    mutating func wishForFiles(at now: Moment) throws(StorageError) {
        guard files.wishes.policy != .onDemand else { return }
        let collections = schema.collections.filter { !$0.fileFields.isEmpty }.map(\.id)
        for key in turn.outbox.changedKeys where collections.contains(key.collection) {
            files.wishes.note(key)
        }
        let givers = sessions.open.filter { $0.session.isLive && $0.state.mayGiveFiles }
        files.wishes.meet(OrderedSet(givers.map(\.session.link)), at: now)
        leaveSilent(givers.map(\.state), at: now)
        guard files.wishes.isLooking else { return }
        let noted = files.wishes.takeNoted()
        for key in noted {
            // A record for which there is no room now is looked at later.
            guard files.wishes.mayBegin else {
                files.wishes.note(key)
                continue
            }
            let view = try reader.existing(key).flatMap(schema.view)
            if let view { try wish(for: Self.files(in: view, schema), in: key, at: now) }
        }
        if noted.isEmpty {
            files.wishes.beginWalk(over: collections)
            try walkOn(at: now)
        }
    }

    /// Leaves files behind that nobody gives.
    private mutating func leaveSilent(_ givers: [OpenState], at now: Moment) {
        for (name, wish) in files.wishes.fetching {
            guard let fetch = files.fetches[name] else { continue }
            files.wishes.grew(name, to: fetch.doneBytes, at: now)
            let since = files.wishes.fetching[name]?.since ?? wish.since
            let isSilent =
                since + FileWishes.patienceMilliseconds <= now.uptimeMilliseconds
                || givers.allSatisfy { $0.receiving.blocks.lacking.contains(name) }
            guard isSilent else { continue }
            files.wishes.leave(name, at: now)
            files.endWish(name)
        }
    }

    /// Looks at the next records of the walk.
    private mutating func walkOn(at now: Moment) throws(StorageError) {
        guard var walk = files.wishes.walk else { return }
        guard let id = walk.collections.first, let collection = schema.collection(id: id) else {
            return files.wishes.endWalk(at: now)
        }
        var found: [(record: RecordID, files: [ShownFile])] = []
        let schema = schema
        try reader.forEachView(in: collection, after: walk.after) { record, view in
            found.append((record, view.map { Self.files(in: $0, schema) } ?? []))
            return found.count < FileWishes.recordsInOneCall
        }
        var done = 0
        for (record, shown) in found where files.wishes.mayBegin {
            try wish(for: shown, in: RecordKey(collection: id, record: record), at: now)
            walk.after = record
            done += 1
        }
        if done == found.count, found.count < FileWishes.recordsInOneCall {
            walk.collections.removeFirst()
            walk.after = nil
        }
        files.wishes.walk = walk
    }

    private static func files(in view: RecordView, _ schema: Schema) -> [ShownFile] {
        let fields = schema.collection(id: view.collection)?.fileFields ?? []
        return view.fields.filter { fields.contains($0.field) }.compactMap { shown in
            shown.values.first.flatMap(FileValue.init).map {
                ShownFile(field: shown.field, value: $0)
            }
        }
    }

    /// Begins to fetch files that a record shows. Of one that is here nothing will be missing.
    private mutating func wish(
        for shown: [ShownFile], in key: RecordKey, at now: Moment
    ) throws(StorageError) {
        for file in shown where try isWanted(file.field, of: key, at: now) {
            do throws(FileReading) {
                let name = try files.begin(file.value, isWish: true, in: store)
                files.wishes.began(name, at: now)
            } catch {
                switch error {
                case .storage(let failure): throw failure
                // A person fetches as many as may be; the next walk finds it.
                case .fault: files.wishes.missed(at: now)
                }
            }
        }
    }

    private borrowing func isWanted(
        _ field: UInt32, of key: RecordKey, at now: Moment
    ) throws(StorageError) -> Bool {
        let policy = files.wishes.policy
        guard case .recent = policy else { return true }
        guard let written = try reader.existing(key)?.visiblePrecedence(field: field)?.stamp else {
            return false
        }
        return policy.covers(written.milliseconds, at: now.wallMilliseconds)
    }
}

/// A file that a field of a record shows.
private struct ShownFile {
    let field: UInt32
    let value: FileValue
}

extension Collection {
    /// The fields that hold files.
    fileprivate var fileFields: [UInt32] { fields.filter { $0.kind == .file }.map(\.id) }
}

extension OpenState {
    /// True when the peer may be asked for blocks.
    fileprivate var mayGiveFiles: Bool {
        greeting.givesBlocks && heardHave && !receiving.blocks.hasLied
    }
}
