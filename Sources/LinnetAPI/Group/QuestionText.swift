package import Linnet
import LinnetCRDT
package import LinnetControl

/// Questions about the group as people and programs read them.
package enum QuestionText {
    /// Returns a question, and how to answer it or what was answered.
    package static func lines(_ question: ControlQuestion, now: Int64) -> String {
        var text = "question: " + deed(question)
        if let heard = question.heardMilliseconds {
            text += ", which this device heard \(Ago.words(now - heard))"
        }
        text += question.answer.isEmpty ? ". Was that you?" : "; you said \(question.answer)."
        let record = question.record.prefix(8)
        if question.answer.isEmpty {
            text += "\n    'linnet questions yes \(record)', or 'linnet questions no \(record)'"
        } else if question.matter == "admission", question.answer == "no" {
            text += "\n    " + removalAdvice(question)
        }
        if let at = question.acceptanceMilliseconds {
            text +=
                "\n    without an answer it is accepted at \(Value.instant(at).description)"
        }
        return text
    }

    private static func deed(_ question: ControlQuestion) -> String {
        let device = question.isSelf ? "this device" : RemovalText.label(question.device)
        let author = RemovalText.label(question.by)
        switch question.matter {
        case "admission": return "\(device) was let in by \(author)"
        case "role": return "\(device) was given the role \(question.detail) by \(author)"
        default:
            return "\(device) was removed by \(author)"
                + (question.detail.isEmpty ? "" : " (\(question.detail))")
        }
    }

    /// Returns the sentences about what an answer brings.
    package static func consequence(of question: ControlQuestion, isOwn: Bool) -> String {
        let device = question.isSelf ? "this device" : RemovalText.label(question.device)
        switch (question.matter, isOwn) {
        case ("admission", true): return "This device accepts \(device)."
        case ("admission", false):
            return "This device does not accept \(device), which stays in the group.\n"
                + removalAdvice(question)
        case _ where question.isByRecovery && !isOwn:
            return "No vote undoes what was done with the recovery words. Whoever has them owns the"
                + " group: 'linnet recovery replace' makes others, when you still have them."
        case (_, true): return "Noted; it is not asked again here."
        default:
            return "This device votes against it. The votes decide, once the others hear of them:"
                + " 'linnet removals' shows them."
        }
    }

    private static func removalAdvice(_ question: ControlQuestion) -> String {
        let (device, author) = (RemovalText.label(question.device), RemovalText.label(question.by))
        return
            "An admin takes it out: 'linnet remove \(device)'; or, when \(author) was not in your"
            + " hands either, 'linnet remove \(author) --with \(device)'."
    }

    /// Returns a question as an object.
    package static func json(_ question: ControlQuestion) -> JSON {
        [
            "record": .text(question.record), "matter": .text(question.matter),
            "detail": question.detail.isEmpty ? .null : .text(question.detail),
            "device": .text(question.device.id), "name": .text(question.device.name),
            "by": .text(question.by.id), "byName": .text(question.by.name),
            "byRecovery": .bool(question.isByRecovery), "self": .bool(question.isSelf),
            "heardMilliseconds": question.heardMilliseconds.map(JSON.integer) ?? .null,
            "answer": question.answer.isEmpty ? .null : .text(question.answer),
            "acceptanceMilliseconds": question.acceptanceMilliseconds.map(JSON.integer) ?? .null,
        ]
    }
}
