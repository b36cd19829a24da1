import LinnetCRDT
import LinnetStorage
import LinnetWire

/// A chain as a page shows it.
struct StoryChain: Equatable, Sendable {
    /// The device that writes it, where it was seen.
    var writer: Int?
    /// The scope by a letter, and the author by the first characters of its name.
    let scope: String
    let name: String
    /// The number of the life of its device that writes it, 1 for the first.
    let life: Int
    let isBranch: Bool
}

/// The chains of a story, by a number of its own.
struct StoryChains {
    /// The most chains that a story tells apart.
    static let most = 800

    private(set) var entries: [StoryChain] = []
    private(set) var leftOut: Set<ChainKey> = []
    private var numbers: [ChainKey: Int] = [:]
    private var scopes: [ScopeID] = []
    private var lives: [DeviceID: [Incarnation]] = [:]

    /// The number of a row's chain; nil where there are too many.
    mutating func number(of row: ChainRow, writer: Int?) -> Int? {
        let key = ChainKey(scope: row.scope, chain: row.chain)
        if let number = numbers[key] {
            if entries[number].writer == nil { entries[number].writer = writer }
            return number
        }
        guard entries.count < Self.most else {
            if leftOut.count < 100_000 { leftOut.insert(key) }
            return nil
        }
        if !scopes.contains(row.scope) { scopes.append(row.scope) }
        if lives[row.device]?.contains(row.incarnation) != true {
            lives[row.device, default: []].append(row.incarnation)
        }
        numbers[key] = entries.count
        entries.append(
            StoryChain(
                writer: writer, scope: Self.letter(scopes.firstIndex(of: row.scope) ?? 0),
                name: String(row.chain.description.prefix(8)),
                life: (lives[row.device]?.firstIndex(of: row.incarnation) ?? 0) + 1,
                isBranch: row.parent != nil))
        return entries.count - 1
    }

    /// True for a change of what a device holds of its own chains.
    func isWritten(_ change: StoryChange, by device: Int) -> Bool {
        guard case .holds(_, let chain, _) = change else { return false }
        return entries[chain].writer == device
    }

    /// a to z, then with a number.
    private static func letter(_ number: Int) -> String {
        let letter = String(UnicodeScalar(UInt8(97 + number % 26)))
        return number < 26 ? letter : letter + String(number / 26)
    }
}
