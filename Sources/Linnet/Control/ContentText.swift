import LinnetControl
import LinnetReplication
import LinnetStorage
import LinnetWire

/// Puts the findings of a check of everything that is stored into words.
enum ContentText {
    private static let remedy =
        "Make a copy of the home's directory and watch the disk. What was exchanged is on the other"
        + " devices: 'linnet sync' fetches damaged batches; if all else fails, 'linnet wipe' and"
        + " 'linnet join' make this a new device."

    static func unreadable(_ error: StorageError) -> HealthFinding {
        HealthFinding("content", .broken, error.description, remedy: remedy)
    }

    static func unread(_ bytes: Int64) -> HealthFinding {
        HealthFinding(
            "content", .unchecked,
            "\(bytes >> 20) MiB were not read, so it is not known whether they are intact",
            remedy: "'linnet doctor --deep' reads all of it while the device goes on.")
    }

    static func structure(_ check: StoreCheck, _ bytes: Int64) -> HealthFinding {
        structure(check.faults.filter { $0.table == "file" }.map(\.text), bytes)
    }

    static func structure(_ faults: [String], _ bytes: Int64) -> HealthFinding {
        if faults.isEmpty {
            return HealthFinding(
                "structure", .good, "SQLite finds the file intact, \(bytes >> 10) KiB")
        }
        return HealthFinding(
            "structure", .broken, faults.joined(separator: "; "), remedy: remedy)
    }

    static func rows(_ check: StoreCheck) -> HealthFinding {
        let faults = check.faults.filter { $0.table != "file" }
        if faults.isEmpty {
            return HealthFinding("rows", .good, "all \(check.checkedRows) sealed rows open")
        }
        let more = check.faultCount - check.faults.count
        return HealthFinding(
            "rows", .broken,
            faults.map { "\($0.table): \($0.text)" }.joined(separator: "; ")
                + (more > 0 ? "; and \(more) more" : ""), remedy: remedy)
    }

    static func batches(_ check: BatchCheck) -> HealthFinding {
        if check.faultCount == 0 {
            return HealthFinding(
                "batches", .good,
                (check.checked == 1
                    ? "the one batch has its bytes, signature and place"
                    : "all \(check.checked) batches have their bytes, signatures and places")
                    + (check.unopened > 0
                        ? "; \(check.unopened) do not open under the keys held and have no effect"
                        : ""))
        }
        let more = check.faultCount - check.faults.count
        return HealthFinding(
            check.faults.contains(where: \.isOwn) ? "own chain" : "batches", .broken,
            check.faults.map(words).joined(separator: "; ")
                + (more > 0 ? "; and \(more) more" : ""), remedy: remedy)
    }

    private static func words(_ fault: BatchFault) -> String {
        let whose = fault.isOwn ? "this device" : "device \(fault.device.description.prefix(8))"
        let problem =
            switch fault.problem {
            case .missing: "is missing"
            case .changed: "has other bytes than its author signed"
            case .unsigned: "lacks its author's signature"
            case .unlinked: "does not follow the one before it"
            case .unreadable: "cannot be read"
            }
        return "batch \(fault.seq) of \(whose) \(problem)"
    }
}
