package import LinnetControl

// A node answers what is asked of late writes.

extension LateWritesRequest: NodeRequest {
    package func carryOut(_ answers: Answers<[ControlLateWrite]>) async throws(LinnetError) {
        answers(
            try await answers.node.lateWrites(withDropped: withDropped)
                .map(ControlLateWrite.init))
    }
}

extension LateChoiceRequest: NodeRequest {
    package func carryOut(_ answers: Answers<UInt64>) async throws(LinnetError) {
        let count =
            if accepts {
                try await answers.node.acceptLateWrites(
                    of: device, chain: chain, through: through)
            } else {
                try await answers.node.dropLateWrites(of: device, chain: chain, through: through)
            }
        answers(UInt64(count))
    }
}

extension ControlLateWrite {
    init(_ late: LateWrite) {
        self.init(
            device: ControlDevice(late.device), chain: late.chain,
            first: late.batches.lowerBound, last: late.batches.upperBound,
            operations: UInt64(late.operations), unreadable: UInt64(late.unreadable),
            earliestMilliseconds: late.claimedMilliseconds?.lowerBound,
            latestMilliseconds: late.claimedMilliseconds?.upperBound, records: late.records,
            hasMoreRecords: late.hasMoreRecords, isDropped: late.isDropped)
    }
}
