/// Runs workloads in one directory, the references beside the replica in every round.
package struct BenchRun {
    /// The workloads that can be measured.
    package enum Workload: String, CaseIterable, Sendable {
        /// Local writes.
        case W1
        /// A merge into an empty replica.
        case W2
        /// A merge of concurrent changes.
        case W3
        /// Meeting again with few changes.
        case W4
        /// Opening a large store and reading one record.
        case W5
        /// From a write to its visibility in another process.
        case W6
        /// Removing a device, and judging membership records.
        case W7
        /// Counting and reading a whole collection, and its digest.
        case W8
        /// The memory of a transaction of many records.
        case W9
        /// The longest call of a device that gets a text which was edited very often.
        case W10
    }

    let directory: String
    let rounds: Int
    let scale: BenchScale
    /// The program of the second processes.
    let helper: String
    let progress: (String) -> Void
    /// The figures that were measured.
    package private(set) var report = BenchReport()

    /// - Parameters:
    ///   - directory: an empty directory, on the file system to be measured.
    ///   - rounds: how often each measurement is made, at least once.
    ///   - helper: the path of `linnet-bench`.
    ///   - progress: hears what is being measured.
    package init(
        in directory: String, rounds: Int, scale: BenchScale = .standard, helper: String,
        progress: @escaping (String) -> Void = { _ in }
    ) {
        self.directory = directory
        self.rounds = rounds
        self.scale = scale
        self.helper = helper
        self.progress = progress
    }

    /// Measures a workload; throws when a result is wrong.
    package mutating func run(_ workload: Workload) throws {
        switch workload {
        case .W1:
            try LocalWrites(run: self, full: false).run(&report)
            try LocalWrites(run: self, full: true).run(&report)
        case .W2: try EmptyMerge(run: self).run(&report)
        case .W3: try ConcurrentMerge(run: self).run(&report)
        case .W4: try Reconnection(run: self).run(&report)
        case .W5: try ColdOpening(run: self).run(&report)
        case .W6: try Propagation(run: self).run(&report)
        case .W7: try Removing(run: self).run(&report)
        case .W8: try WholeCollection(run: self).run(&report)
        case .W9: try LargeTransaction(run: self).run(&report)
        case .W10: try LongestCall(run: self).run(&report)
        }
    }

    func path(_ name: String) -> String { directory + "/" + name }

    /// A closed home with so many seeded records; made once in a run.
    func seededHome(_ records: Int) throws -> String {
        let path = path("seeded-\(records)")
        if BenchFiles.size(BenchHome.databasePath(path)) > 0 { return path }
        progress("writing \(records) records")
        let home = try BenchHome.create(at: path, founding: true)
        try home.seed(records)
        try home.close()
        return path
    }
}

extension BenchHome {
    /// Writes every field of the first records, 12 records a transaction.
    func seed(_ records: Int) throws {
        for first in stride(from: 0, to: records, by: BenchScale.seededRecords) {
            try commit(try BenchStream.seedWrites(from: first, records: records))
        }
    }

    /// Changes these cells in order, and returns the numbers that their values are made of.
    @discardableResult
    func update(
        _ cells: ArraySlice<UInt32>, seed: UInt64, transaction: Int
    ) throws -> [UInt64] {
        var state = seed
        let numbers = cells.map { _ in BenchStream.next(&state) }
        let writes = zip(cells, numbers)
        var pending: [(UInt32, UInt64)] = []
        for write in writes {
            pending.append(write)
            guard pending.count == transaction else { continue }
            try commit(pending)
            pending.removeAll(keepingCapacity: true)
        }
        if !pending.isEmpty { try commit(pending) }
        return numbers
    }

    private func commit(_ cells: [(UInt32, UInt64)]) throws {
        try commit(try cells.map { try BenchStream.write(cell: Int($0.0), $0.1) })
    }
}
