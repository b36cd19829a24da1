/// The bytes of bodies that lie in memory while requests are answered: one account cannot take all
/// of it, and all accounts not more than there is.
struct RelayLedger {
    private let most: Int
    private let mostOfOne: Int
    private var held: [Int64: Int] = [:]
    private var all = 0

    init(most: Int = RelayLimits.heldBytes, ofOne: Int = RelayLimits.heldBytesOfOne) {
        (self.most, mostOfOne) = (most, ofOne)
    }

    /// Takes room for an account; false where there is none now.
    mutating func take(_ bytes: Int, for account: Int64) -> Bool {
        let own = held[account] ?? 0
        guard bytes <= most - all, bytes <= mostOfOne - own else { return false }
        all += bytes
        held[account] = own + bytes
        return true
    }

    /// Gives room back that was taken.
    mutating func give(_ bytes: Int, for account: Int64) {
        all -= bytes
        let rest = (held[account] ?? 0) - bytes
        held[account] = rest > 0 ? rest : nil
    }
}
