package import Linnet
package import LinnetControl
package import LinnetFaces
package import LinnetMedication

/// Makes snapshots from a home.
package enum HomeFaces {
    /// Makes a snapshot of the home's medicines as of a moment.
    package static func snapshot(
        _ gateway: Gateway, asOf now: Instant, zone: ZoneRules
    ) async throws(ControlFailure) -> FaceSnapshot {
        let book = try await BookReader.book(gateway)
        let digest = try await gateway.ask(DigestRequest()).digest.description
        do throws(MedicationError) {
            let maker = SnapshotMaker(zone: zone, zones: ZoneFiles.table(zone, for: book))
            return try maker.snapshot(of: book, asOf: now, frontier: digest)
        } catch {
            throw .failed("the faces cannot be made: \(error)")
        }
    }
}
