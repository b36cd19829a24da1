import LinnetCRDT
import Testing

@Suite struct AdmissionTests {
    private static func admission(
        collection: UInt32 = 2_000, generation: UInt32 = 1, field: UInt32 = 1,
        kind: OperationKind = .lwwSet, payload: [UInt8] = [0x61, 0x78]
    ) throws -> Admission {
        let record = try #require(RecordID("r"))
        return try Schema.sample().admission(
            of: Operation(
                collection: collection, record: record, generation: generation, field: field,
                kind: kind.rawValue, stampDelta: 0, payload: payload))
    }

    @Test func `what the schema knows is admitted`() throws {
        #expect(try AdmissionTests.admission() == .admitted)
        #expect(
            try AdmissionTests.admission(field: 3, kind: .groupSet, payload: [0x82, 0xf6, 0xf6])
                == .admitted)
        let kinds: [(OperationKind, UInt32)] = [(.recordDelete, 2), (.recordRestore, 3)]
        for (kind, generation) in kinds {
            #expect(
                try AdmissionTests.admission(
                    generation: generation, field: 0, kind: kind, payload: [0x80]) == .admitted)
        }
    }

    @Test func `what it does not know is kept for an upgrade`() throws {
        #expect(try AdmissionTests.admission(collection: 2_001) == .unknown)
        #expect(try AdmissionTests.admission(field: 99) == .unknown)
        #expect(try AdmissionTests.admission(field: 99, payload: [0xa0]) == .unknown)
        let record = try #require(RecordID("r"))
        for kind in [0, 19, 255] as [UInt8] {
            let operation = Operation(
                collection: 2_000, record: record, generation: 0, field: 1, kind: kind,
                stampDelta: 0, payload: [0xf6])
            #expect(try Schema.sample().admission(of: operation) == .unknown)
        }
        #expect(
            try AdmissionTests.admission(field: 0, kind: .logInsert) == .quarantined(.immutable))
    }

    @Test func `what contradicts it is set aside with the reason`() throws {
        #expect(
            try AdmissionTests.admission(generation: 2) == .quarantined(.badGeneration))
        #expect(
            try AdmissionTests.admission(generation: 0) == .quarantined(.badGeneration))
        #expect(try AdmissionTests.admission(field: 0) == .quarantined(.badField))
        #expect(try AdmissionTests.admission(field: 3) == .quarantined(.wrongKind))
        #expect(
            try AdmissionTests.admission(kind: .tallyEntry) == .quarantined(.wrongKind))
        #expect(try AdmissionTests.admission(payload: [0x01]) == .quarantined(.badPayload))
        #expect(try AdmissionTests.admission(payload: [0xa0]) == .quarantined(.badPayload))
        #expect(
            try AdmissionTests.admission(generation: 2, field: 1, kind: .recordDelete)
                == .quarantined(.badField))
        #expect(
            try AdmissionTests.admission(generation: 3, field: 0, kind: .recordDelete)
                == .quarantined(.badGeneration))
        #expect(
            try AdmissionTests.admission(generation: 2, field: 0, kind: .recordDelete)
                == .quarantined(.badPayload))
    }
}
