package import LinnetCRDT

/// The amount that is taken at once.
package struct Dosage: Equatable, Sendable {
    /// The amount, above zero.
    package let amount: Decimal64
    /// Of what.
    package let unit: Term<DoseUnit>

    /// Joins amount and unit.
    package init(amount: Decimal64, unit: Term<DoseUnit>) {
        self.amount = amount
        self.unit = unit
    }

    /// The quantity that one dose takes out of the stock.
    ///
    /// Stocks are counted in what people can count: tablets, capsules, puffs, drops, units or
    /// millilitres. Of what is dosed by weight a dose is one piece.
    package var stockQuantity: Decimal64 {
        switch unit {
        case .known(.tablets), .known(.capsules), .known(.puffs), .known(.drops), .known(.units),
            .known(.millilitres):
            amount
        case .known(.milligrams), .known(.grams), .unknown: Dosage.onePiece
        }
    }

    /// The quantity that a dose takes out of the stock when nobody said how much a dose is.
    package static let onePiece = Decimal64(mantissa: 1, exponent: 0) ?? .zero
}

extension Dosage: CustomStringConvertible {
    /// The dosage as `500 mg`.
    package var description: String { "\(amount) \(unit.text)" }
}
