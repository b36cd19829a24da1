/// One figure, in the form that every peer's driver prints.
package struct BenchLine: Equatable, Sendable {
    /// The peer that was measured.
    package let peer: String
    /// The workload.
    package let workload: String
    /// The name of the figure within the workload.
    package let metric: String
    /// The median of the rounds.
    package let value: Double

    /// A figure.
    package init(peer: String, workload: String, metric: String, value: Double) {
        self.peer = peer
        self.workload = workload
        self.metric = metric
        self.value = value
    }

    /// True when the figure says how many times as good as a reference a peer is.
    package var isRatio: Bool { metric.contains(BenchReport.times) }

    func measures(_ other: BenchLine) -> Bool {
        peer == other.peer && workload == other.workload && metric == other.metric
    }
}

/// The figures that were measured so far, round by round.
package struct BenchReport: Sendable {
    /// The program measured.
    package static let linnet = "linnet"
    static let rows = "rows-nosync"
    static let cells = "ref-cells"
    static let times = "_x_"

    private var samples: [(line: BenchLine, values: [Double])] = []

    /// An empty report.
    package init() {}

    /// The median of each figure, in the order in which they first came.
    package var lines: [BenchLine] {
        samples.map { line, values in
            BenchLine(
                peer: line.peer, workload: line.workload, metric: line.metric,
                value: Self.median(values))
        }
    }

    mutating func add(_ peer: String, _ workload: String, _ metric: String, _ value: Double) {
        let line = BenchLine(peer: peer, workload: workload, metric: metric, value: value)
        if let index = samples.firstIndex(where: { $0.line.measures(line) }) {
            samples[index].values.append(value)
        } else {
            samples.append((line, [value]))
        }
    }

    /// Says how many times as good as a reference this round was.
    mutating func compare(
        _ workload: String, _ metric: String, ours: Double, reference: Double, to peer: String
    ) {
        let name = metric + Self.times + String(peer.map { $0 == "-" ? "_" : $0 })
        add(Self.linnet, workload, name, ours / max(reference, 1e-12))
    }

    /// The middle of the samples, or the mean of the two in the middle.
    static func median(_ values: [Double]) -> Double {
        let sorted = values.sorted()
        guard !sorted.isEmpty else { return 0 }
        let half = sorted.count / 2
        return sorted.count % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2
    }

    /// The sample at a share of the way from the least to the greatest.
    static func percentile(_ share: Double, _ values: [Double]) -> Double {
        let sorted = values.sorted()
        guard !sorted.isEmpty else { return 0 }
        return sorted[Int(share * Double(sorted.count - 1) + 0.5)]
    }
}

/// A figure that is compared with that of an earlier run.
package struct BenchComparison: Equatable, Sendable {
    /// A ratio then and now.
    package struct Change: Equatable, Sendable {
        /// The ratio as it is now.
        package let line: BenchLine
        /// The earlier figure.
        package let before: Double

        /// True when it fell by more than a fifth.
        package var isWorse: Bool { line.value < before * 0.8 }
    }

    /// Every ratio that both runs have.
    package let changes: [Change]

    /// Compares the ratios of two runs: the machine's own speed is not in them.
    package init(of now: [BenchLine], against before: [BenchLine]) {
        changes = now.filter(\.isRatio).compactMap { line in
            before.first { $0.measures(line) }.map { Change(line: line, before: $0.value) }
        }
    }
}
