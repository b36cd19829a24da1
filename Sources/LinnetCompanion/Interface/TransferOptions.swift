/// The treatment of a transfer.
package struct TransferOptions: Equatable, Sendable {
    /// The lane of importance that it draws its budget from.
    package var importance: Importance
    /// True when the receiver's app is asked to say when it has processed the transfer.
    package var wantsProcessed: Bool

    /// As the platform treats it, unless told otherwise.
    package init(importance: Importance = .plan, wantsProcessed: Bool = false) {
        self.importance = importance
        self.wantsProcessed = wantsProcessed
    }
}

/// The worth of a change when not all of them can be sent; the lower the number, the sooner.
package enum Importance: UInt8, Comparable, Sendable, CaseIterable {
    /// A dose was taken or undone.
    case safety
    /// A schedule changed.
    case plan
    /// The past.
    case history
    /// Attachments.
    case files

    /// Order by what may wait longer.
    package static func < (left: Importance, right: Importance) -> Bool {
        left.rawValue < right.rawValue
    }
}
