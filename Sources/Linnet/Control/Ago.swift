import LinnetWire

/// Tells in words how long ago something was.
package enum Ago {
    /// Returns words for a time that has passed, in milliseconds.
    package static func words(_ milliseconds: Int64) -> String {
        switch milliseconds {
        case ..<0: "at a time that lies ahead"
        case ..<120_000: "\(milliseconds / 1000) s ago"
        case ..<7_200_000: "\(milliseconds / 60_000) min ago"
        case ..<172_800_000: "\(milliseconds / 3_600_000) h ago"
        default: Plural.of(milliseconds / 86_400_000, "day") + " ago"
        }
    }
}
