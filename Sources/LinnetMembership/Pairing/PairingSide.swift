/// The two ends of a pairing; which of them is the member does not matter here.
package enum PairingSide: UInt8, CaseIterable, Sendable {
    /// Types the code or scans the address: opens the link and initiates the handshake.
    case typer = 0
    /// Shows the code and the address: answers.
    case shower = 1

    /// The side's name in the key exchange.
    package var associatedData: [UInt8] {
        switch self {
        case .typer: Array("typer".utf8)
        case .shower: Array("shower".utf8)
        }
    }

    /// The opposite side.
    package var other: PairingSide { self == .typer ? .shower : .typer }
}
