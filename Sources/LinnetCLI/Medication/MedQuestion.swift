import Linnet
import LinnetAPI
import LinnetCRDT
import LinnetControl
import LinnetMedication

/// Questions that only a person can answer: asked at a terminal, elsewhere answered by options.
extension MedSession {
    /// Asks the domain. When there is a medicine of the name already, asks the person whether a
    /// further one is meant, and then the domain once more.
    func askedAgain(
        _ body: (_ isAnother: Bool) throws(MedicationError) -> MedicationPlan
    ) throws(ControlFailure) -> MedicationPlan {
        do throws(MedicationError) {
            return try body(false)
        } catch {
            guard case .medicationAlreadyExists(let id) = error else {
                throw .failed(MedText.sentence(for: error))
            }
            let known = "there is \(described(id)) already"
            guard Output.hasPerson else {
                throw .failed(
                    "medicationAlreadyExists: \(known): change that one with 'linnet med edit', "
                        + "or add --another for a second medicine with this name")
            }
            Output.write("\(known). Do you mean another medicine with this name? [y/N] ", to: 2)
            guard ["y", "yes"].contains(readLine()?.lowercased() ?? "") else {
                throw .failed("nothing was changed")
            }
            return try MedicineDesk.asked { () throws(MedicationError) in try body(true) }
        }
    }

    /// Asks the domain for a dose. When it cannot be told which one is meant, asks the person, and
    /// then the domain once more.
    func askedForDose(
        _ note: DoseNote, _ verb: String,
        _ body: (DoseNote) throws(MedicationError) -> MedicationPlan
    ) throws(ControlFailure) -> MedicationPlan {
        do throws(MedicationError) {
            return try body(note)
        } catch {
            guard case .unclearDose(let unclear) = error else {
                throw .failed(MedText.sentence(for: error))
            }
            let answers = answers(to: unclear, note, verb)
            let question = "nothing was recorded: " + sentence(about: unclear)
            guard Output.hasPerson, answers.contains(where: { $0.note != nil }) else {
                let commands = answers.map { "\($0.meaning): \($0.command)" }
                throw .failed(([question] + commands).joined(separator: "\n  "))
            }
            var text = question + ". Which do you mean?\n"
            for (number, answer) in answers.enumerated() where answer.note != nil {
                text += "  \(number + 1)  \(answer.meaning)\n"
            }
            Output.write(text + "Number, or just Enter to cancel: ", to: 2)
            guard let line = readLine(), let number = Int(line),
                answers.indices.contains(number - 1), let meant = answers[number - 1].note
            else { throw .failed("nothing was recorded") }
            return try MedicineDesk.asked { () throws(MedicationError) in try body(meant) }
        }
    }

    /// One meaning that a tap may have had.
    private struct Answer {
        let meaning: String
        let command: String
        /// The note that says so; nil where the person has to name a time.
        let note: DoseNote?
    }

    private func answers(
        to unclear: UnclearDose, _ note: DoseNote, _ verb: String
    ) -> [Answer] {
        var answers: [Answer] = []
        if let line = unclear.nearest {
            var named = note
            named.scheduled = line.scheduled
            answers.append(
                Answer(
                    meaning: "the dose of \(time.text(line.scheduled))",
                    command: command(verb, "--dose \(time.argument(line.scheduled))"),
                    note: named))
        } else {
            answers.append(
                Answer(
                    meaning: "the dose of another day", command: command(verb, "--dose TIME"),
                    note: nil))
        }
        if verb == "take" {
            var additional = note
            additional.isAdditional = true
            answers.append(
                Answer(
                    meaning: "a further dose", command: command(verb, "--additional"),
                    note: additional))
        }
        return answers
    }

    /// Returns the call that was made, with the option that it lacked.
    private func command(_ verb: String, _ option: String) -> String {
        var words = ["linnet", "med", verb] + arguments.words.dropFirst().map(Self.quoted)
        for name in ["at", "zone", "home"] {
            if let value = arguments.value(name) { words += ["--\(name)", Self.quoted(value)] }
        }
        return (words + [option]).joined(separator: " ")
    }

    /// Returns a word in the form that a shell reads back.
    static func quoted(_ word: String) -> String {
        let isPlain = word.unicodeScalars.allSatisfy { scalar in
            scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
                || "+-./:_@".unicodeScalars.contains(scalar)
        }
        if isPlain, !word.isEmpty { return word }
        return "'"
            + TerminalText.neutral(word).split(
                separator: "'", omittingEmptySubsequences: false
            ).joined(separator: "'\\''") + "'"
    }

    /// Returns the reason why it cannot be told which dose is meant.
    private func sentence(about unclear: UnclearDose) -> String {
        guard let line = unclear.nearest else {
            return "no dose of \(described(unclear.medication)) is due within a day"
        }
        let name = MedText.name(line)
        let due = "\(time.text(line.scheduled)), \(time.distance(line.scheduled))"
        switch unclear.reason {
        case .early: return "the nearest dose of \(name) is due at \(due)"
        case .late: return "the nearest dose of \(name) was due at \(due)"
        case .nothingDue: return "no dose of \(name) is due within a day"
        case .recorded:
            var text = "the dose of \(name) that was due at \(time.text(line.scheduled)) is"
            if case .taken(let at, _) = line.status { text += " taken, at \(time.text(at))" }
            if case .skipped(let at) = line.status { text += " skipped, at \(time.text(at))" }
            return text
        }
    }

    /// Returns a medicine as a list names it, and whether it is stopped or deleted.
    func described(_ id: RecordID) -> String {
        guard let medication = book.medication(id) else { return TerminalText.neutral("\(id)") }
        let state =
            book.deleted[id] != nil ? ", deleted" : medication.isActive ? "" : ", stopped"
        return "\(MedText.name(medication)) (\(book.shortName(of: id))\(state))"
    }
}
