package import Linnet
package import LinnetControl
import LinnetSystem

/// One verb of the API, as docs/api.md describes it.
package struct Verb: Sendable {
    /// The call of a verb: the home, and what the request says.
    package struct Call {
        /// The home that is asked.
        package let gateway: Gateway
        /// The request's members.
        package let members: VerbMembers
        /// True when numbers of records are texts in the answer.
        let hasTextDigits: Bool

        /// Joins the parts.
        package init(_ gateway: Gateway, _ members: VerbMembers) throws(ControlFailure) {
            self.gateway = gateway
            self.members = members
            switch try members.optionalText("digits") {
            case nil: hasTextDigits = false
            case "text"?: hasTextDigits = true
            default: throw .usage("'digits' is \"text\", or absent")
            }
        }
    }

    /// Carries a call out.
    package typealias Body = @Sendable (Call) async throws(ControlFailure) -> JSON

    /// The name of the verb.
    package let name: String
    /// True when it changes something.
    package let isWrite: Bool
    /// Carries a call out.
    package let run: Body

    /// Joins the parts.
    package init(_ name: String, isWrite: Bool = false, _ run: @escaping Body) {
        self.name = name
        self.isWrite = isWrite
        self.run = run
    }

    /// The verbs that any carrier has.
    package static let all: [Verb] =
        deviceVerbs + removalVerbs + recordVerbs + writingVerbs
        + medicineVerbs

    private static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })

    /// Returns the verb of a name; the failure says which one was probably meant.
    package static func named(_ name: String) throws(ControlFailure) -> Verb {
        if let verb = byName[name] { return verb }
        let hint = NearMiss.best(for: name, among: all.map(\.name))
        throw .usage(
            "there is no verb '\(TerminalText.neutral(String(name.prefix(64))))'"
                + (hint.map { "; did you mean '\($0)'?" } ?? ""))
    }
}

extension JSON {
    /// The same with a text in place of every number.
    var withTextDigits: JSON {
        switch self {
        case .number(let digits): .text(digits)
        case .array(let values): .array(values.map(\.withTextDigits))
        case .object(let members):
            .object(members.map { Member($0.name, $0.value.withTextDigits) })
        case .null, .bool, .text: self
        }
    }

    /// The same object with one member more.
    package func with(_ name: String, _ value: JSON) -> JSON {
        guard case .object(let members) = self else { return self }
        return .object(members + [Member(name, value)])
    }
}
