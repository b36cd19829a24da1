import LinnetReplication

/// The attached files that a device fetches without being asked; see ``NodeOptions/attachments``.
public enum AttachmentPolicy: Equatable, Sendable {
    /// None: a file comes when somebody reads or saves it.
    case onDemand
    /// Every file that a record shows.
    case all
    /// The files that were put into their records within the last days, 1 to 36,500, by the clocks
    /// of those who did. What was fetched stays when it grows older.
    case recent(days: Int)

    /// The largest number of days.
    public static let mostDays = 36_500

    var ofReplica: FilePolicy {
        switch self {
        case .onDemand: .onDemand
        case .all: .all
        case .recent(let days): .recent(days: min(max(days, 1), Self.mostDays))
        }
    }
}
