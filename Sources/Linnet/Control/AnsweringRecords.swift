package import LinnetCRDT
package import LinnetControl
package import LinnetReplication

// A node answers what is asked of records.

extension WritingRequest: NodeRequest {
    package func carryOut(_ answers: Answers<ControlReceipt>) async throws(LinnetError) {
        let node = answers.node
        let receipt = try await node.carryOut(
            writes, intent: intent, durability: .durable, telling: answers.telling)
        answers(ControlReceipt(receipt, in: node.schema))
    }
}

extension RecordRequest: NodeRequest {
    package func carryOut(_ answers: Answers<[RecordView]>) async throws(LinnetError) {
        answers(try await answers.node.controlRecord(key))
    }
}

extension ListRequest: NodeRequest {
    package func carryOut(_ answers: Answers<[RecordView]>) async throws(LinnetError) {
        let node = answers.node
        try await answers.inPages(CollectionReading(collection, telling: answers.tellingRead)) {
            (rest) async throws(LinnetError) in try await node.controlRecords(rest)
        }
    }
}

extension PageRequest: NodeRequest {
    package func carryOut(_ answers: Answers<ControlPage>) async throws(LinnetError) {
        let page = try await answers.node.controlPage(matching: query, telling: answers.tellingRead)
        await answers.inParts(page.records) { answers(ControlPage($0, next: nil)) }
        if let next = page.next { answers(ControlPage([], next: next)) }
    }
}

extension PlanRequest: NodeRequest {
    package func carryOut(_ answers: Answers<QueryPlan>) async throws(LinnetError) {
        answers(try await answers.node.plan(of: query))
    }
}

extension CountRequest: NodeRequest {
    package func carryOut(_ answers: Answers<UInt64>) async throws(LinnetError) {
        answers(UInt64(try await answers.node.count(query)))
    }
}

extension FiguresRequest: NodeRequest {
    package func carryOut(_ answers: Answers<[FigureGroup]>) async throws(LinnetError) {
        let groups = try await answers.node.figures(
            aggregates, of: query, by: fields, telling: answers.tellingRead)
        await answers.inParts(groups)
    }
}

extension FiguresPlanRequest: NodeRequest {
    package func carryOut(_ answers: Answers<QueryPlan>) async throws(LinnetError) {
        let plan = try await answers.node.plan(
            of: figures.query, figures.aggregates, by: figures.fields)
        answers(plan)
    }
}

extension TrashRequest: NodeRequest {
    package func carryOut(_ answers: Answers<[ControlTrash]>) async throws(LinnetError) {
        let node = answers.node
        try await answers.inPages(CollectionReading(collection)) {
            (rest) async throws(LinnetError) in try await node.controlTrash(rest)
        }
    }
}

extension HistoryRequest: NodeRequest {
    package func carryOut(_ answers: Answers<[HistoryEntry]>) async throws(LinnetError) {
        await answers.inParts(
            try await answers.node.controlHistory(key, field: field, limit: limit))
    }
}

extension ExplanationRequest: NodeRequest {
    package func carryOut(_ answers: Answers<Explanation>) async throws(LinnetError) {
        answers(try await answers.node.controlWhy(key, field: field))
    }
}

extension RecordObservationRequest: NodeRequest {
    /// False: it goes on by itself.
    package static var isUse: Bool { false }

    package func carryOut(_ answers: Answers<[RecordView]>) async throws(LinnetError) {
        try await answers.session.observe(answers, try await answers.node.observeControl(key)) {
            $0
        }
    }
}

extension QueryObservationRequest: NodeRequest {
    /// False: it goes on by itself.
    package static var isUse: Bool { false }

    package func carryOut(_ answers: Answers<[RecordView]>) async throws(LinnetError) {
        try await answers.session.observe(answers, try await answers.node.observeControl(query)) {
            $0
        }
    }
}

extension CountObservationRequest: NodeRequest {
    /// False: it goes on by itself.
    package static var isUse: Bool { false }

    package func carryOut(_ answers: Answers<UInt64>) async throws(LinnetError) {
        try await answers.session.observe(answers, try await answers.node.observeCount(query)) {
            UInt64($0)
        }
    }
}

extension ChangesRequest: NodeRequest {
    /// False: it goes on by itself.
    package static var isUse: Bool { false }

    package func carryOut(_ answers: Answers<[ControlChanged]>) async throws(LinnetError) {
        try await answers.session.observe(
            answers, try await answers.node.observeControlChanges(in: collection)
        ) { $0 }
    }
}
