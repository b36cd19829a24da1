/// The rate at which a store's word that there is news begins looks into it. A store can give that
/// word whenever it likes; only looks that bring something prove it right.
struct MailNews: Equatable, Sendable {
    /// The least time between two looks.
    private static let gapMilliseconds: Int64 = 250
    /// The looks in advance that may bring nothing.
    private static let mostCredit: Int64 = 10
    /// The time after which there is one more of them.
    private static let refillMilliseconds: Int64 = 30_000

    /// The looks that may still bring nothing, in milliseconds of refilling.
    private var spent: Int64 = 0
    private var counted: Int64 = 0
    private var lastLook = Int64.min
    /// True when there was a word after which no look began.
    private(set) var isWaiting = false
    /// True while a look goes on that began upon a word.
    private var isPaid = false
    /// The time before which the store asked to be left alone.
    private var notBefore = Int64.min

    /// Takes a word of the store.
    mutating func heard() { isWaiting = true }

    /// Returns the earliest time of a look upon the word that was given; nil without one.
    func due(at uptime: Int64) -> Int64? {
        guard isWaiting, notBefore < .max else { return nil }
        let most = (Self.mostCredit - 1) * Self.refillMilliseconds
        let credited = uptime + max(0, rest(at: uptime) - most)
        let spaced = lastLook == .min ? uptime : lastLook + Self.gapMilliseconds
        return max(credited, spaced, notBefore, uptime)
    }

    /// A look begins.
    mutating func began(at uptime: Int64) {
        lastLook = uptime
        guard isWaiting else { return }
        spent = rest(at: uptime) + Self.refillMilliseconds
        (counted, isWaiting, isPaid) = (uptime, false, true)
    }

    /// A look ended.
    ///
    /// - Parameter earliest: the time before which the store wants no other one; the largest number
    ///   where it refuses the account.
    mutating func ended(hasBrought: Bool, notBefore earliest: Int64) {
        if isPaid, hasBrought { spent = max(0, spent - Self.refillMilliseconds) }
        (isPaid, notBefore) = (false, earliest)
    }

    private func rest(at uptime: Int64) -> Int64 { max(0, spent - max(0, uptime - counted)) }
}
