import LinnetWire

/// The elements of a set with their additions, in bytewise order.
///
/// They lie in pages of a few hundred, so that a new element moves the rest of a page and not all
/// that come after it.
struct ElementTable: Sendable {
    private typealias Page = OrderedTable<ByteString, [Position]>
    private static let largestPage = 512

    // None of the pages is empty.
    private var pages: [Page] = []
    /// The number of elements.
    private(set) var count = 0

    /// The elements in order.
    var keys: [ByteString] { pages.flatMap(\.keys) }
    /// The last element; nil when there is none.
    var last: ByteString? { pages.last?.last?.key }
    /// The elements in order, each with its additions.
    var entries: some Sequence<(ByteString, [Position])> {
        pages.lazy.flatMap { zip($0.keys, $0.values) }
    }

    /// Returns true when there is such an element.
    func contains(_ key: ByteString) -> Bool { self[key] != nil }

    /// The additions of an element, at least one; nil when there is no such element.
    subscript(key: ByteString) -> [Position]? {
        pages.isEmpty ? nil : pages[page(of: key)][key]
    }

    /// Changes the additions of an element, which begin with none; one that is left without any is
    /// taken out.
    mutating func change(_ key: ByteString, _ body: (inout [Position]) -> Void) {
        if pages.isEmpty { pages.append(Page()) }
        let place = page(of: key)
        let before = pages[place].count
        body(&pages[place][key, default: []])
        if pages[place][key]?.isEmpty == true { pages[place].removeValue(forKey: key) }
        count += pages[place].count - before
        if pages[place].isEmpty {
            pages.remove(at: place)
        } else if pages[place].count > Self.largestPage {
            split(place)
        }
    }

    /// Returns the place of the last page that begins with a key or before it, or of the first one.
    private func page(of key: ByteString) -> Int {
        var (low, high) = (0, pages.count)
        while low < high {
            let middle = (low + high) / 2
            if let first = pages[middle].first?.key, first <= key {
                low = middle + 1
            } else {
                high = middle
            }
        }
        return max(0, low - 1)
    }

    private mutating func split(_ place: Int) {
        let whole = Array(zip(pages[place].keys, pages[place].values))
        // Elements that come in order leave full pages behind.
        let isLast = place == pages.count - 1
        let middle = isLast ? whole.count - 1 : whole.count / 2
        pages[place] = Page(whole[..<middle])
        pages.insert(Page(whole[middle...]), at: place + 1)
    }
}

extension ElementTable: Equatable {
    /// Returns true when both have the same elements with the same additions.
    static func == (left: ElementTable, right: ElementTable) -> Bool {
        left.count == right.count && left.entries.elementsEqual(right.entries, by: ==)
    }
}
