import LinnetReplication
import LinnetWire

extension Node {
    /// The records that are read in one step, between which the node does everything else.
    private static var recordsAtOnce: Int { 512 }
    /// The steps after which the pages are made in one go: more than a million records need.
    private static var rootSteps: Int { 4_096 }
    /// The number of times that the reading begins anew because records changed meanwhile.
    private static var digestTries: Int { 3 }

    /// Gives `use` the digest of what shows, at a moment at which that is what shows.
    ///
    /// The records are read in steps. Where they change again and again meanwhile, they are read in
    /// one go in the end.
    ///
    /// - Parameter isWhole: whether it is the digest of releases up to 0.1.0.
    func withVisibleDigest<Result>(
        isWhole: Bool, _ use: (Bytes32) throws(LinnetError) -> Result
    ) async throws(LinnetError) -> Result {
        isWhole ? try await withWholeDigest(use) : try await withRoot(use)
    }

    /// Takes the digest of the pages. Those that were made stay, whatever is written meanwhile.
    private func withRoot<Result>(
        _ use: (Bytes32) throws(LinnetError) -> Result
    ) async throws(LinnetError) -> Result {
        for _ in 0..<Self.rootSteps {
            let root = try reading { (replica) throws(ReplicaError) in
                try replica.reader.root(atMost: Self.recordsAtOnce)
            }
            if let root { return try use(root) }
            await Task.yield()
        }
        return try use(try reading { (replica) throws(ReplicaError) in try replica.reader.root() })
    }

    private func withWholeDigest<Result>(
        _ use: (Bytes32) throws(LinnetError) -> Result
    ) async throws(LinnetError) -> Result {
        for _ in 0..<Self.digestTries {
            let count = observers.changeCount
            let work = DigestWork(schema)
            while observers.changeCount == count {
                let digest = try reading { (replica) throws(ReplicaError) in
                    try work.step(replica.reader, atMost: Self.recordsAtOnce)
                }
                if let digest { return try use(digest) }
                await Task.yield()
            }
        }
        return try use(
            try reading { (replica) throws(ReplicaError) in try replica.reader.digest() })
    }
}
