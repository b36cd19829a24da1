import LinnetCRDT
import LinnetWire

/// The batches that a pack holds, in the chains as this device has them.
struct PackContents: Equatable {
    /// By chain the sequences, in order and without overlaps.
    private(set) var spans = OrderedTable<ChainKey, [ClosedRange<UInt64>]>()

    /// The number of batches.
    var count: UInt64 {
        spans.reduce(0) { sum, chain in
            sum + chain.value.reduce(0) { $0 + ($1.upperBound - $1.lowerBound) + 1 }
        }
    }

    /// Takes in batches of a chain.
    mutating func add(_ chain: ChainKey, _ span: ClosedRange<UInt64>) {
        var joined: [ClosedRange<UInt64>] = []
        for next in ((spans[chain] ?? []) + [span]).sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if let last = joined.last, next.lowerBound <= last.upperBound + 1 {
                joined[joined.count - 1] =
                    last.lowerBound...max(last.upperBound, next.upperBound)
            } else {
                joined.append(next)
            }
        }
        spans[chain] = joined
    }

    /// Takes in all that another one holds.
    mutating func add(_ other: PackContents) {
        for (chain, spans) in other.spans { for span in spans { add(chain, span) } }
    }

    /// True when each batch of another one is here.
    func holds(_ other: PackContents) -> Bool {
        other.spans.allSatisfy { chain, wanted in
            wanted.allSatisfy { span in
                (spans[chain] ?? []).contains {
                    $0.lowerBound <= span.lowerBound && span.upperBound <= $0.upperBound
                }
            }
        }
    }
}

/// A pack and what it holds. Of two packs one may give way to the other, and never both: the order
/// follows from the packs alone, whoever looks at them and whenever.
struct HeldPack: Equatable {
    let reference: PackReference
    let contents: PackContents

    /// True when another pack may be deleted once this one was read back: this one holds all of it
    /// and more, or as much under a lower name.
    func isLarger(than other: HeldPack) -> Bool {
        guard contents.holds(other.contents) else { return false }
        let (count, least) = (contents.count, other.contents.count)
        return count > least || (count == least && reference.hash < other.reference.hash)
    }
}
