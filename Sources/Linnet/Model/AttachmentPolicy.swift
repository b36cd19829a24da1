import LinnetReplication

/// The attached files that a device fetches without being asked; see ``NodeOptions/attachments``.
public struct AttachmentPolicy: Equatable, Sendable {
    /// None: a file comes when somebody reads or saves it.
    public static let onDemand = AttachmentPolicy(days: 0)
    /// Every file that a record shows.
    public static let all = AttachmentPolicy(days: .max)

    /// The largest number of days.
    public static let mostDays = 36_500

    /// The days of which files are fetched: none of none, and all without a bound.
    private let days: Int

    private init(days: Int) { self.days = days }

    /// The files that were put into their records within the last days, by the clocks of those who
    /// did. What was fetched stays when it grows older.
    ///
    /// - Parameter days: 1 to 36,500; a number outside counts as the nearest one.
    public static func recent(days: Int) -> AttachmentPolicy {
        AttachmentPolicy(days: min(max(days, 1), mostDays))
    }

    var ofReplica: FilePolicy {
        switch self {
        case .onDemand: .onDemand
        case .all: .all
        default: .recent(days: days)
        }
    }
}
