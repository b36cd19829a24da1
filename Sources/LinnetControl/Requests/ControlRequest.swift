package import LinnetWire

/// A request of a command to the node that has its home open: its fields, and its answer's type.
///
/// A node answers with any number of ``ControlResponse/progress(done:total:)`` and answers, and
/// then ``ControlResponse/done`` or ``ControlResponse/failed(_:)``. Numbers 0 to 12, 17, 19 and 41
/// stood for other things before version 6.
package protocol ControlRequest: ControlStruct {
    /// The answer to it.
    associatedtype Answer: ControlAnswer
    /// The number under which it travels.
    static var number: UInt64 { get }
    /// True when it may take as long as it likes.
    static var isLong: Bool { get }
}

extension ControlRequest {
    package static var isLong: Bool { false }

    /// The request's bytes.
    package var encoded: [UInt8] { ControlCoding.encoded(Self.number, self) }
}

/// An answer of a node to a request, in one piece or in several.
package protocol ControlAnswer: ControlCodable, Equatable {
    /// The number under which it travels.
    static var number: UInt64 { get }
    /// The answer to a request that was done without a word; nil when a word was due.
    static var silence: Self? { get }
    /// Joins what came next.
    mutating func append(_ next: Self)
}

extension ControlAnswer {
    package static var silence: Self? { nil }

    package mutating func append(_ next: Self) { self = next }
}

/// An element of an answer that is a list.
package protocol ControlElement: ControlCodable, Equatable {
    /// The number under which a list of them travels.
    static var number: UInt64 { get }
}

extension Array: ControlAnswer where Element: ControlElement {
    package static var number: UInt64 { Element.number }
    package static var silence: [Element]? { [] }

    package mutating func append(_ next: [Element]) { self += next }
}

/// The answer of a request that is only carried out.
package struct NoAnswer: ControlAnswer, ControlStruct {
    package static let number: UInt64 = 0
    package static var silence: NoAnswer? { NoAnswer() }
    package static var form: ControlForm<Self> { ControlForm(Self.init) }

    /// Says nothing.
    package init() {}
}

/// A reply of a command while its request is carried out; it has no answer of its own.
package enum ControlReply: Equatable, Sendable {
    /// Accept or turn away the newcomer that was named last.
    case decide(accept: Bool)
    /// The last answer was used: the next one may come.
    case more
    /// Stop what is under way.
    case cancel

    /// The reply's bytes.
    package var encoded: [UInt8] {
        switch self {
        case .decide(let accept): ControlCoding.encoded(9, accept)
        case .cancel: ControlCoding.encoded(10, NoAnswer())
        case .more: ControlCoding.encoded(18, NoAnswer())
        }
    }

    /// Reads a reply; nil when the number stands for none.
    package init?(_ number: UInt64, from reader: inout CBORReader) throws(WireError) {
        switch number {
        case 9: self = .decide(accept: try Bool.read(from: &reader))
        case 10: self = .cancel
        case 18: self = .more
        default: return nil
        }
        if number != 9 { _ = try NoAnswer.read(from: &reader) }
    }
}
