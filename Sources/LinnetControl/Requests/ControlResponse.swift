package import LinnetWire

/// One message of a node to the command whose request it carries out.
package enum ControlResponse<Answer: ControlAnswer>: Equatable, Sendable {
    /// The request is done; nothing follows.
    case done
    /// The request was not done; nothing follows.
    case failed(ControlFailure)
    /// The request is being carried out, this far.
    case progress(ControlProgress)
    /// The answer, or a part of it.
    case answer(Answer)

    private static var numbers: (done: UInt64, failed: UInt64, progress: UInt64) { (1, 2, 3) }

    /// The response's bytes.
    package var encoded: [UInt8] {
        switch self {
        case .done: ControlCoding.encoded(Self.numbers.done, NoAnswer())
        case .failed(let failure): ControlCoding.encoded(Self.numbers.failed, failure)
        case .progress(let progress): ControlCoding.encoded(Self.numbers.progress, progress)
        case .answer(let answer): ControlCoding.encoded(Answer.number, answer)
        }
    }

    /// Reads a response; throws what is wrong with the bytes, and for another kind of answer.
    package init(decoding bytes: [UInt8]) throws(WireError) {
        self = try ControlCoding.decode(bytes) { (number, reader) throws(WireError) in
            switch number {
            case Self.numbers.done:
                _ = try NoAnswer.read(from: &reader)
                return .done
            case Self.numbers.failed: return .failed(try ControlFailure.read(from: &reader))
            case Self.numbers.progress:
                return .progress(try ControlProgress.read(from: &reader))
            case Answer.number: return .answer(try Answer.read(from: &reader))
            default: throw .unexpectedType
            }
        }
    }
}

/// The failure of a request.
package struct ControlFailure: Error, Equatable, Sendable {
    /// The kind of a failure, which decides the command's exit code.
    package enum Kind: UInt8, ControlCodable {
        /// It was refused or went wrong; nothing was changed.
        case failed = 1
        /// It was asked for wrongly.
        case usage = 2
        /// Nobody was reached, or nobody answered in time.
        case unreachable = 3
        /// It was written and does not show, or cannot be written any more.
        case hidden = 4
        /// Everything was so already: nothing was written.
        case unchanged = 5
    }

    /// The kind.
    package var kind: Kind
    /// The problem and the advice, for a person.
    package var message: String
    /// The error that the library threw, where that was in this process.
    package let cause: (any Error)?

    /// Joins kind and message.
    package init(_ kind: Kind, _ message: String) {
        self.init(kind, message, cause: nil)
    }

    /// Joins kind and message with what was thrown.
    package init(_ kind: Kind, _ message: String, cause: (any Error)?) {
        self.kind = kind
        self.message = message
        self.cause = cause
    }

    /// Returns true when both say the same.
    package static func == (left: ControlFailure, right: ControlFailure) -> Bool {
        left.kind == right.kind && left.message == right.message
    }
}

extension ControlFailure: ControlStruct {
    package static var form: ControlForm<Self> {
        ControlForm({ Self($0, $1) }, \.kind, \.message)
    }
}
