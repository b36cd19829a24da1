import LinnetCRDT
import LinnetMembership
import LinnetStorage
import LinnetWire
import Testing

@testable import LinnetReplication

@Suite struct RowInspectionTests {
    private let bench: Workbench
    private let state: OpenState
    private let peer = DeviceID(repeating: 7)

    init() throws {
        bench = try Workbench()
        state = OpenState(
            AuthorisingState(HandshakingState(), remoteStatic: [], deadline: 0),
            device: peer, now: 0)
        state.greeting.schemaVersion = UInt64(bench.schema.version)
    }

    /// A statement of what is held and shown.
    private func statement(_ vector: UInt8, _ visible: UInt8) -> HoldingStatement {
        HoldingStatement(
            group: bench.group.log.group, vector: Bytes32(repeating: vector),
            visible: Bytes32(repeating: visible), wallMilliseconds: 1,
            signer: bench.keys.signing, device: bench.keys.device)
    }

    /// Compares two statements; returns true when rows are to be checked.
    private func compare(
        _ own: HoldingStatement, _ theirs: HoldingStatement, _ inspection: inout RowInspection
    ) -> Bool {
        (state.certificates.own, state.certificates.theirs) = (own, theirs)
        return inspection.compareStatements(
            state, ChainIndex([]), under: bench.schema, &bench.turn)
    }

    @Test func `only those who hold the same and show something else check their rows`() {
        var inspection = RowInspection()
        #expect(!compare(statement(1, 1), statement(1, 1), &inspection))
        #expect(!compare(statement(1, 1), statement(2, 2), &inspection))
        #expect(compare(statement(1, 1), statement(1, 2), &inspection))
        #expect(inspection.disputes[peer]?.vector == Bytes32(repeating: 1))
        // It is checked once.
        #expect(!compare(statement(1, 1), statement(1, 2), &inspection))
    }

    @Test func `devices under another schema are not compared`() {
        var inspection = RowInspection()
        state.greeting.schemaVersion = UInt64(bench.schema.version) + 1
        #expect(!compare(statement(1, 1), statement(1, 2), &inspection))
    }

    @Test func `a person is told once when a check did not end the difference`() {
        var inspection = RowInspection()
        _ = compare(statement(1, 1), statement(1, 2), &inspection)
        inspection.settleDisputes(in: Sessions())
        #expect(inspection.disputes[peer]?.isChecked == true)
        #expect(!compare(statement(1, 1), statement(1, 2), &inspection))
        #expect(inspection.disputes[peer]?.isTold == true)
        let told = bench.turn.outbox.events.count
        #expect(!compare(statement(1, 1), statement(1, 2), &inspection))
        #expect(bench.turn.outbox.events.count == told)
    }

    @Test func `a difference ends with equal statements`() {
        var inspection = RowInspection()
        _ = compare(statement(1, 1), statement(1, 2), &inspection)
        #expect(!compare(statement(1, 2), statement(1, 2), &inspection))
        #expect(inspection.disputes.isEmpty)
    }
}
