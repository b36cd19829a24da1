import Foundation

@testable import LinnetMedication

/// The zone files of `Zones`.
enum TestZones {
    /// The names of all of them but the one that counts leap seconds.
    static let names = [
        "Africa/Casablanca", "America/Los_Angeles", "America/New_York", "America/Nuuk",
        "America/Sao_Paulo", "Asia/Kathmandu", "Asia/Tokyo", "Australia/Lord_Howe", "Etc/UTC",
        "Europe/Berlin", "Europe/Dublin", "Pacific/Apia", "Pacific/Auckland", "Pacific/Honolulu",
        "Pacific/Kiritimati",
    ]

    /// The bytes of a zone file.
    static func bytes(_ name: String) throws -> [UInt8] {
        let file = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "Zones/" + name)
        return Array(try Data(contentsOf: file))
    }

    /// The rules of a zone.
    static func rules(_ name: String) throws -> ZoneRules {
        try ZoneRules(name: name, file: bytes(name))
    }

    /// All zones.
    static func table() throws -> ZoneTable {
        ZoneTable(try names.map(rules))
    }

    /// Unix seconds at which a zone's offset changes.
    static func changes(of rules: ZoneRules, from: Int64, until: Int64) -> [Int64] {
        var changes: [Int64] = []
        var span = rules.span(at: from)
        while span.end < until {
            changes.append(span.end)
            span = rules.span(at: span.end)
        }
        return changes
    }
}
