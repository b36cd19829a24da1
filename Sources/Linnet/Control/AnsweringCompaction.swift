package import LinnetControl

extension CompactionRequest: NodeRequest {
    package func carryOut(_ answers: Answers<ControlCompaction>) async throws(LinnetError) {
        let report = try await answers.node.compact(
            keepingDays: Int(clamping: keptDays), lapsedDays: lapsedDays.map { Int(clamping: $0) }
        ) { answers.progress(done: $0, of: $1) }
        answers(
            ControlCompaction(
                folded: UInt64(report.folded), kept: UInt64(report.kept),
                keptBytes: UInt64(report.keptBytes), records: UInt64(report.records),
                recordBytes: UInt64(report.recordBytes), holdbacks: report.holdbacks))
    }
}
