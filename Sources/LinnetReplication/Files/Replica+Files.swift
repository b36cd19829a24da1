package import LinnetCRDT
import LinnetCrypto
import LinnetMembership
import LinnetStorage
package import LinnetWire

/// The verbs of files whose content is kept beside the records.
extension Replica {
    /// The most bytes of files that are kept; tests have less.
    package var mostFileBytes: UInt64 {
        get { files.mostBytes }
        set { files.mostBytes = newValue }
    }

    /// Returns the file that a field holds; nil where it holds none.
    package borrowing func file(
        in key: RecordKey, field: UInt32
    ) throws(ReplicaError) -> FileValue? {
        let view = try reader.record(key.collection, key.record)
        guard let value = view?.fields.first(where: { $0.field == field })?.values.first else {
            return nil
        }
        return FileValue(value)
    }

    /// Begins to attach a file: returns a number for it, and the key under which it is to be cut
    /// and sealed. A later version of a file has the key of the one that shows, so that both share
    /// chunks, until somebody is removed and the group's keys change.
    package mutating func beginFile(
        in key: RecordKey, field: UInt32
    ) throws(ReplicaError) -> (owner: Int64, key: [UInt8]) {
        try checkRight()
        let owner = files.newOwner()
        if let shown = try file(in: key, field: field),
            try storage({ () throws(StorageError) in try isOfThisEpoch(key, field: field) })
        {
            return (owner, shown.key)
        }
        return (owner, entropy.bytes(32))
    }

    /// Returns true when what shows in a field was written under the keys that the group has now.
    private borrowing func isOfThisEpoch(
        _ key: RecordKey, field: UInt32
    ) throws(StorageError) -> Bool {
        let name = schema.collection(id: key.collection)?.scope.scope(of: key.record)
        guard let group, let scope = name.flatMap(group.scope(named:)),
            let row = try reader.existing(key),
            let position = row.visiblePrecedence(field: field)?.position,
            let chain = chains[ChainKey(scope: scope, chain: position.chain)],
            let batch = try store.batch(chain: chain.index, seq: position.seq)
        else { return false }
        return batch.epoch == group.ring.writing?.id
    }

    /// Keeps chunks of a file that is being attached, which no record names yet.
    package mutating func keepChunks(
        _ chunks: [SealedChunk], owner: Int64
    ) throws(FileReading) {
        guard !chunks.isEmpty else { return }
        if let failure { throw .storage(failure) }
        do throws(FileReading) {
            do {
                try store.begin(.relaxed)
            } catch {
                throw .storage(error)
            }
            for chunk in chunks {
                try files.keep(chunk.entry.name, chunk.bytes, owner: owner, in: store)
            }
            do {
                try store.commit()
            } catch {
                throw .storage(error)
            }
        } catch {
            store.rollback()
            files.reload()
            throw error
        }
    }

    /// Attaches a file whose chunks were kept: the transaction that writes it says that a record
    /// names them.
    package mutating func endFile(
        _ file: FileValue, owner: Int64, in key: RecordKey, field: UInt32, at now: Moment
    ) throws(ReplicaError) -> (CommitReceipt, [Effect]) {
        try beginCommit(.full, at: now)
        do throws(ReplicaError) {
            let change = Change.set(FieldWrite(field, file.value))
            try add([.changes(Write(key, [change]))])
            try storage { () throws(StorageError) in try store.fasten(owner: owner) }
        } catch {
            try abandonCommit()
            throw error
        }
        return try endCommit(intent: nil, at: now)
    }

    /// Gives up a file that is not attached after all; its chunks are forgotten by and by.
    package mutating func abandonFile(owner: Int64) { files.abandon(owner) }

    /// Begins to fetch a file from whoever has it, and returns the name by which events tell of it.
    package mutating func fetchFile(
        _ file: FileValue, at now: Moment
    ) throws(FileReading) -> (Bytes32, [Effect]) {
        if let failure { throw .storage(failure) }
        let name = try files.begin(file, in: store)
        do {
            return (name, try settle(at: now))
        } catch {
            return (name, [.notify(.storeFailed(fail(error)))])
        }
    }

    /// Returns true when all of a file is here.
    package borrowing func holds(_ file: FileValue) throws(ReplicaError) -> Bool {
        var fetch = FileFetch(file)
        while fetch.mayAdvance, fetch.missesNothing {
            try storage { () throws(StorageError) in try fetch.advance(in: store) }
        }
        return fetch.isComplete
    }

    /// Stops fetching a file; the chunks that came stay.
    package mutating func stopFetching(_ name: Bytes32) { files.end(name) }

    /// Reads the next bytes of a file that is here.
    package borrowing func readFile(
        _ reader: inout FileReader
    ) throws(FileReading) -> [UInt8]? {
        try reader.next(in: store)
    }

    /// Returns the bytes of chunks that are kept.
    package mutating func keptFileBytes() throws(FileReading) -> UInt64 {
        try files.kept(in: store)
    }
}
