import LinnetFaces
import LinnetMedication
import Testing

@testable import LinnetSimulator

/// The checker of faces, on entries that are true and on entries that are not.
struct FaceTruthTests {
    private static let asOf = Instant(milliseconds: 1_800_000_000_000)

    private static func truth() throws -> FaceTruth {
        var truth = FaceTruth()
        let zone = try SimulatedZones.table.zone(named: SimulatedZones.home)
        try truth.learn(MedicationBook(), zone, at: asOf, validFor: 86_400_000)
        return truth
    }

    private static func entry(
        taken: Int, at minutes: Int64 = 0, asOf: Instant = asOf
    ) -> FaceEntry {
        var face = NextDoseFace()
        face.today = FaceProgress(taken: taken, total: taken)
        let date = asOf.advanced(byMinutes: minutes)
        return FaceEntry(date: date, content: .nextDose(face), asOf: asOf)
    }

    @Test func `what was so may be said until its bound`() throws {
        let truth = try Self.truth()
        let last = Self.asOf.advanced(byMinutes: 59)
        try truth.check(Self.entry(taken: 0), at: last, 0)
        let over = Self.asOf.advanced(byMinutes: 60)
        #expect(throws: Violation.self) {
            try truth.check(Self.entry(taken: 0), at: over, 0)
        }
    }

    @Test func `a dose that nobody took is not said to be taken`() throws {
        let truth = try Self.truth()
        #expect(throws: Violation.self) {
            try truth.check(Self.entry(taken: 1), at: Self.asOf, 0)
        }
    }

    @Test func `what nobody left for a face is not said`() throws {
        let truth = try Self.truth()
        let other = Self.asOf.advanced(byMilliseconds: -7)
        #expect(throws: Violation.self) {
            try truth.check(Self.entry(taken: 0, asOf: other), at: Self.asOf, 0)
        }
    }

    @Test func `a face that says nothing is never wrong`() throws {
        let truth = try Self.truth()
        let silent = FaceEntry(date: Self.asOf, content: .unknown(.nextDose, .refused(.missing)))
        try truth.check(silent, at: Self.asOf.advanced(byMinutes: 100_000), 0)
    }
}
