import LinnetMedication

/// A few zones whose clocks change for ever as they do today, out of bytes as a shell reads them.
enum SimulatedZones {
    static let home = "Europe/Berlin"

    /// Names and footers (RFC 9636, section 3.3.2), as in the IANA database of 2025.
    private static let footers = [
        ("Etc/UTC", "UTC0"), ("Europe/Berlin", "CET-1CEST,M3.5.0,M10.5.0/3"),
        ("Asia/Kathmandu", "<+0545>-5:45"), ("Asia/Tokyo", "JST-9"),
        ("America/New_York", "EST5EDT,M3.2.0,M11.1.0"),
        ("Australia/Lord_Howe", "<+1030>-10:30<+11>-11,M10.1.0,M4.1.0"),
        ("Pacific/Auckland", "NZST-12NZDT,M9.5.0,M4.1.0/3"), ("Pacific/Honolulu", "HST10"),
        ("Pacific/Kiritimati", "<+14>-14"),
    ]

    static let names = footers.map(\.0)

    static let table = ZoneTable(
        footers.compactMap { name, footer in
            try? ZoneRules(name: name, file: bytes(footer: footer))
        })

    /// A file without transitions: its footer says everything.
    private static func bytes(footer: String) -> [UInt8] {
        // Six counts: one type of local time, and the four characters of its name.
        let counts = ([0, 0, 0, 0, 1, 4] as [UInt8]).flatMap { [0, 0, 0, $0] as [UInt8] }
        let part =
            Array("TZif2".utf8) + Array(repeating: 0, count: 15) + counts
            + Array(repeating: 0, count: 6) + Array("LMT\0".utf8)
        return part + part + "\n".utf8 + footer.utf8 + "\n".utf8
    }
}
