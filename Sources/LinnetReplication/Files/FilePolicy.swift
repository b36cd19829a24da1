/// The files that a device fetches without being asked.
package enum FilePolicy: Equatable, Sendable {
    /// None.
    case onDemand
    /// Every one that a record shows.
    case all
    /// Those that were put into their records within the last days, 1 to 36,500.
    case recent(days: Int)

    private static let dayMilliseconds: Int64 = 86_400_000

    /// Returns true when a file that was put into its record at a time belongs to it; both times
    /// are Unix milliseconds.
    func covers(_ written: Int64, at wallMilliseconds: Int64) -> Bool {
        switch self {
        case .onDemand: false
        case .all: true
        case .recent(let days):
            written >= wallMilliseconds - Int64(days) * Self.dayMilliseconds
        }
    }
}
