import LinnetCRDT

/// The largest or smallest value as its rule is written: of all that were written the one that none
/// goes beyond, and of those who wrote it the first.
struct ReferenceExtreme: Equatable {
    let isSmallest: Bool
    private(set) var value = Value.null
    private(set) var first: ReferenceContent.Standing?

    init(_ operations: [ReferenceOperation], isSmallest: Bool) {
        self.isSmallest = isSmallest
        for operation in operations {
            guard let written = try? Value.decode(operation.entry.operation.payload) else {
                continue
            }
            let standing = ReferenceContent.Standing(
                stamp: operation.stamp, place: operation.place,
                payload: operation.entry.operation.payload)
            guard let known = first else {
                (value, first) = (written, standing)
                continue
            }
            let isBeyond = isSmallest ? written.isLess(than: value) : value.isLess(than: written)
            // No value is beyond none.
            let isNews = value == .null && written != .null || isBeyond && written != .null
            if isNews || written == value && standing.precedes(known) {
                (value, first) = (written, standing)
            }
        }
    }
}

extension Value {
    /// True when a value comes before another of its type, which neither is null.
    fileprivate func isLess(than other: Value) -> Bool {
        switch (self, other) {
        case (.bool(let left), .bool(let right)): !left && right
        case (.int(let left), .int(let right)): left < right
        case (.double(let left), .double(let right)): left < right
        case (.instant(let left), .instant(let right)): left < right
        case (.date(let left), .date(let right)): left < right
        case (.decimal(let left), .decimal(let right)):
            Self.number(left) < Self.number(right)
        default: false
        }
    }

    /// A decimal in hundredths, of which the workload writes few digits.
    private static func number(_ decimal: Decimal64) -> Int64 {
        var hundredths = decimal.mantissa
        for _ in 0..<max(0, decimal.exponent + 2) { hundredths *= 10 }
        return hundredths
    }
}
