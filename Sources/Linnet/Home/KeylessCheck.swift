package import LinnetControl
import LinnetStorage
import LinnetSystem

/// Looks at a home's database while its keys are not at hand: the key file is damaged, the
/// passphrase is not known, or the node is locked.
package enum KeylessCheck {
    /// The sentence about all that cannot be checked without the keys.
    private static let unchecked =
        "seals of rows, signatures and order of batches, records against their changes, clocks and"
        + " warnings were not checked: that needs the keys"

    /// Looks at the database of a home that does not open, and holds its lock meanwhile.
    package static func findings(ofHomeAt path: String, isDeep: Bool) -> [HealthFinding] {
        do throws(HomeError) {
            let home = try Home.unchecked(at: path)
            guard home.hasDatabase else {
                return [HealthFinding("content", .unchecked, "there is no database to look at")]
            }
            let lock = try HomeLock(reading: home)
            defer { withExtendedLifetime(lock) {} }
            return findings(of: home, isDeep: isDeep)
        } catch {
            return [
                HealthFinding(
                    "content", .unchecked,
                    "the stored data was not checked: \(error.commandText)")
            ]
        }
    }

    /// Looks at the database of a home whose lock is held already.
    static func findings(
        of home: Home, isDeep: Bool, _ bounds: ExaminationBounds = .usual
    ) -> [HealthFinding] {
        let bytes = home.databaseBytes
        let checksStructure = isDeep || bytes <= bounds.quickBytes
        let scan: StoreScan
        do throws(StorageError) {
            scan = try StoreScan(
                path: home.path(of: .database), checksStructure: checksStructure)
        } catch {
            return [
                ContentText.unreadable(error), HealthFinding("content", .unchecked, unchecked),
            ]
        }
        return [
            scan.faults.map { ContentText.structure($0, bytes) } ?? ContentText.unread(bytes),
            HealthFinding("rows", .note, "counted, not opened: \(words(scan.counts))"),
            HealthFinding("content", .unchecked, unchecked),
        ]
    }

    private static func words(_ counts: [StoreScan.Count]) -> String {
        counts.map { "\($0.table): \($0.rows.map { "\($0)" } ?? "cannot be counted")" }
            .joined(separator: ", ")
    }
}
