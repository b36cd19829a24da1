package import LinnetCard
package import LinnetControl

/// An emergency card of what this device shows now.
package struct CardRequest: ControlRequest {
    package typealias Answer = ControlCard
    package static let number: UInt64 = 93
    package static let isLong = true
    package static var form: ControlForm<Self> {
        ControlForm(Self.init(scopes:title:days:), \.scopes, \.title, \.days)
    }

    /// The scopes to show; nil for all that every device holds.
    package var scopes: [String]?
    /// The line that says whose card it is.
    package var title: String
    /// The days for which it is to be relied on.
    package var days: UInt32

    /// Asks for a card.
    package init(scopes: [String]?, title: String, days: UInt32) {
        (self.scopes, self.title, self.days) = (scopes, title, days)
    }
}

/// A signed card, which is sealed where it is shown.
package struct ControlCard: ControlAnswer, ControlStruct {
    package static let number: UInt64 = 162
    package static var form: ControlForm<Self> { ControlForm(Self.init, \.bytes) }

    /// The signed bytes.
    package var bytes: [UInt8]

    /// Hands over the signed bytes.
    package init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Reads them.
    package func card() throws(ControlFailure) -> EmergencyCard {
        do throws(CardError) {
            return try EmergencyCard(decoding: bytes)
        } catch {
            throw ControlFailure(.card(error))
        }
    }
}

extension CardRequest: NodeRequest {
    package func carryOut(_ answers: Answers<ControlCard>) async throws(LinnetError) {
        let card = try await answers.node.card(
            scopes: scopes, title: title, days: Int(clamping: days))
        answers(ControlCard(card.bytes))
    }
}
