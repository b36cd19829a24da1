import LinnetCRDT
import LinnetStorage
import LinnetWire

/// The files of a replica whose content travels: what is fetched, how much is kept, and which
/// chunks no record names.
struct FileDesk {
    /// The chunks that one call looks for among those that are here.
    private static let lookedForInOneCall = 256
    /// The chunks that one call forgets.
    private static let forgottenInOneCall = 8

    private(set) var fetches: OrderedTable<Bytes32, FileFetch> = OrderedTable()
    /// The files that are fetched by policy.
    var wishes = FileWishes()
    /// The most bytes of chunks that are kept; tests have less.
    var mostBytes = Limits.keptChunkBytes
    /// The bytes of chunks that are kept; nil until they are counted.
    private var keptBytes: UInt64?
    /// The owners of loose chunks whose attaching was broken off, until these are forgotten.
    private var abandoned: [ClosedRange<Int64>] = []
    /// The owner that was given out last.
    private var lastOwner: Int64 = 0
    /// The time at which peers that lacked a chunk are asked again, in uptime milliseconds.
    private(set) var retryDue: Int64?
    /// The time at which a peer that was asked counts as silent, in uptime milliseconds.
    var silenceDue: Int64?

    /// Begins with what an earlier process left: no file that it was attaching is attached any
    /// more.
    init(in store: any Store) throws(StorageError) {
        lastOwner = try store.lastLooseOwner()
        if lastOwner > 0 { abandoned = [0...lastOwner] }
    }

    /// The time at which there is something to do, in uptime milliseconds; nil for never.
    var nextDeadline: Int64? {
        if mayForget || fetches.values.contains(where: \.mayAdvance) { return 0 }
        let wished = wishes.nextDeadline
        guard !fetches.isEmpty else { return wished }
        return [retryDue, silenceDue, wished].compactMap(\.self).min()
    }

    /// Returns the name under which a file is fetched.
    static func name(of file: FileValue) throws(FileFault) -> Bytes32 {
        do {
            let payload = try file.value.encoded()
            return ChunkSealer.name(of: payload)
        } catch {
            throw .malformed
        }
    }
}

// This part keeps chunks.
extension FileDesk {
    /// Returns a number for a file that is being attached.
    mutating func newOwner() -> Int64 {
        lastOwner += 1
        return lastOwner
    }

    /// Keeps a chunk that a file which is being attached, or fetched when the owner is nil, will
    /// have.
    mutating func keep(
        _ name: Bytes32, _ bytes: [UInt8], owner: Int64?, in store: any Store
    ) throws(FileReading) {
        let counted = try kept(in: store)
        guard counted + UInt64(bytes.count) <= mostBytes else { throw .fault(.noRoom) }
        do {
            let isNew = try store.putChunk(name, bytes)
            if isNew { keptBytes = counted + UInt64(bytes.count) }
            // What was left behind by an attaching that was broken off is taken over.
            guard let owner else { return try store.fasten(name) }
            var isLoose = isNew
            if !isNew { isLoose = try store.isLoose(name) }
            if isLoose { try store.loosen(name, owner: owner) }
        } catch {
            throw .storage(error)
        }
    }

    /// Returns the bytes of chunks that are kept.
    mutating func kept(in store: any Store) throws(FileReading) -> UInt64 {
        if let keptBytes { return keptBytes }
        do {
            let total = UInt64(clamping: try store.chunkTotals().bytes)
            keptBytes = total
            return total
        } catch {
            throw .storage(error)
        }
    }

    /// Counts the chunks anew where a transaction was taken back.
    mutating func reload() { keptBytes = nil }

    /// Forgets a chunk whose bytes are not what its name says.
    mutating func forget(_ name: Bytes32, in store: any Store) throws(StorageError) {
        try store.removeChunk(name)
        keptBytes = nil
    }

    /// Gives up the chunks of a file that is not attached after all.
    mutating func abandon(_ owner: Int64) { abandoned.append(owner...owner) }

    /// True when there are chunks to forget.
    var mayForget: Bool { !abandoned.isEmpty }

    /// Forgets some chunks that no record names, and no file that is still being attached; the
    /// transaction is open.
    mutating func forgetSome(in store: any Store) throws(StorageError) {
        guard let owners = abandoned.first else { return }
        let names = try store.looseChunks(of: owners, limit: Self.forgottenInOneCall)
        for name in names {
            try store.release(name, owners: owners)
            if try !store.isLoose(name) { try forget(name, in: store) }
        }
        if names.count < Self.forgottenInOneCall { abandoned.removeFirst() }
    }
}

// This part fetches.
extension FileDesk {
    /// Begins to fetch a file; one that is fetched already goes on.
    ///
    /// - Parameter isWish: true when the policy asks for it, false when a person does.
    mutating func begin(
        _ file: FileValue, isWish: Bool = false, in store: any Store
    ) throws(FileReading) -> Bytes32 {
        let name: Bytes32
        do {
            name = try Self.name(of: file)
        } catch {
            throw .fault(error)
        }
        if fetches[name] == nil {
            guard fetches.count < Limits.fetchedFiles else { throw .fault(.tooMany) }
            fetches[name] = FileFetch(file)
        }
        if !isWish { fetches[name]?.isAskedFor = true }
        return name
    }

    /// Ends the fetching of a file that nobody waits for any more, unless the policy wants it; what
    /// came of it stays.
    mutating func end(_ name: Bytes32) {
        fetches[name]?.isAskedFor = false
        if wishes.fetching[name] == nil { fetches[name] = nil }
    }

    /// Ends the fetching of a file that the policy wanted, unless somebody waits for it.
    mutating func endWish(_ name: Bytes32) {
        if fetches[name]?.isAskedFor != true { fetches[name] = nil }
    }

    /// Looks for missing chunks, and returns the files whose fetching is over with the reasons; nil
    /// where they are complete.
    mutating func advance(
        in store: any Store
    ) throws(StorageError) -> [(name: Bytes32, fault: FileFault?)] {
        var left = Self.lookedForInOneCall
        for name in fetches.keys {
            guard var fetch = fetches[name] else { continue }
            while left > 0, fetch.mayAdvance {
                left -= 1
                try fetch.advance(in: store)
            }
            fetches[name] = fetch
        }
        let over = fetches.filter { $0.value.isComplete || $0.value.fault != nil }
        for (name, fetch) in over {
            fetches[name] = nil
            wishes.ended(name, fetch.fault)
        }
        return over.map { ($0.key, $0.value.fault) }
    }

    /// Hands out a chunk to ask a peer for, of a file of which it lacks nothing as far as is known.
    mutating func take(lacking: OrderedSet<Bytes32>) -> (file: Bytes32, entry: ChunkEntry)? {
        for name in fetches.keys where !lacking.contains(name) {
            if let entry = fetches[name]?.take() { return (name, entry) }
        }
        return nil
    }

    /// Notes that a chunk came, and returns the files that waited for it.
    mutating func came(_ chunk: Bytes32) -> [Bytes32] {
        fetches.keys.filter { fetches[$0]?.came(chunk) ?? false }
    }

    /// Ends the fetching of a file for a reason.
    mutating func fail(_ name: Bytes32, _ fault: FileFault) { fetches[name]?.fault = fault }

    /// Takes back the chunks that no session is asked for any more.
    mutating func takeBack(butFor stillAsked: OrderedSet<Bytes32>) {
        for name in fetches.keys { fetches[name]?.takeBack(butFor: stillAsked) }
    }

    /// Notes that a peer lacked a chunk, which is asked for again after a while.
    mutating func lacked(at now: Moment) {
        retryDue = retryDue ?? now.uptimeMilliseconds + Limits.blockRetryMilliseconds
    }

    /// Returns true when it is time to ask those again that lacked something.
    mutating func isTimeToRetry(at now: Moment) -> Bool {
        guard let due = retryDue, due <= now.uptimeMilliseconds else { return false }
        retryDue = nil
        return true
    }
}
