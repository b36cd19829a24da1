/// The wakes and bytes that the battery and radio of a class of devices may be asked for in any 24
/// hours.
package struct DeviceBudget: Equatable, Sendable {
    /// Launches of the app in the background, those for the watch face not counted.
    package var wakes: UInt64
    /// Bytes sent on the queued lanes; live messages are counted and never deferred.
    package var bytes: UInt64

    /// A budget of so many wakes and bytes a day.
    package init(wakes: UInt64, bytes: UInt64) {
        self.wakes = wakes
        self.bytes = bytes
    }

    /// Towards a watch: four wakes an hour, and what a small radio carries without being noticed.
    package static let watch = DeviceBudget(wakes: 96, bytes: 4 << 20)
    /// Towards a phone.
    package static let phone = DeviceBudget(wakes: 480, bytes: 64 << 20)
    /// The platform's documentation states no budget but the one for the watch face.
    package static let unlimited = DeviceBudget(wakes: .max, bytes: .max)

    /// The per cent of the budget up to which an importance may spend, counting all that was spent
    /// before: the rest is kept for what is more important.
    package static func percent(of importance: Importance) -> UInt64 {
        switch importance {
        case .safety: 100
        case .plan: 90
        case .history: 75
        case .files: 50
        }
    }

    /// The number of wakes in all that one more of an importance may reach.
    func wakes(for importance: Importance) -> UInt64 { DeviceBudget.share(wakes, importance) }

    /// The number of bytes in all that a transfer of an importance may reach.
    func bytes(for importance: Importance) -> UInt64 { DeviceBudget.share(bytes, importance) }

    private static func share(_ whole: UInt64, _ importance: Importance) -> UInt64 {
        whole / 100 * percent(of: importance) + whole % 100 * percent(of: importance) / 100
    }
}
