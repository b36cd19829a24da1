public import LinnetCRDT

/// The amount that is taken at once.
public struct Dosage: Equatable, Sendable {
    /// The amount, above zero.
    public let amount: Decimal64
    /// Of what.
    public let unit: Term<DoseUnit>

    /// Joins amount and unit.
    public init(amount: Decimal64, unit: Term<DoseUnit>) {
        self.amount = amount
        self.unit = unit
    }

    /// The quantity that one dose takes out of the stock.
    ///
    /// Stocks are counted in what people can count: tablets, capsules, puffs, drops, units or
    /// millilitres. Of what is dosed by weight a dose is one piece.
    public var stockQuantity: Decimal64 {
        switch unit {
        case .known(.tablets), .known(.capsules), .known(.puffs), .known(.drops), .known(.units),
            .known(.millilitres):
            amount
        case .known(.milligrams), .known(.grams), .unknown: Dosage.onePiece
        }
    }

    /// The quantity that a dose takes out of the stock when nobody said how much a dose is.
    public static let onePiece = Decimal64(mantissa: 1, exponent: 0) ?? .zero
}

extension Dosage: CustomStringConvertible {
    /// The dosage as `500 mg`.
    public var description: String { "\(amount) \(unit.text)" }
}
