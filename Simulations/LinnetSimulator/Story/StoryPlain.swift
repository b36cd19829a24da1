import LinnetCompanion

/// The parts of actions in plain words.
extension PairingWay {
    var told: String {
        switch self {
        case .code: "by code"
        case .wrongCode: "by a code that somebody mistypes"
        case .ticket: "by ticket"
        }
    }
}

extension Weather {
    /// Everything that is wrong with a link; chances are in a thousand.
    var told: String {
        let chances = [
            (reorder, "change places"), (duplicate, "arrive twice"), (drop, "are lost"),
            (truncate, "end the link half-way"), (flip, "lose a bit"),
        ].filter { $0.0 > 0 }.map { "\($0.0) messages in 1,000 \($0.1)" }
        let others = [(drips, "bytes drip"), (halfOpen, "an end may go unheard")].filter(\.0)
        return "bad weather, " + (chances + others.map(\.1)).joined(separator: ", ")
    }
}

extension ClockChange {
    var told: String {
        switch self {
        case .step(let milliseconds):
            "jumps \(milliseconds < 0 ? "back" : "ahead") by \(StoryWords.span(milliseconds))"
        case .drift(let perDay):
            "\(perDay < 0 ? "loses" : "gains") \(StoryWords.span(perDay)) a day from now on"
        case .freeze: "stands still"
        case .thaw: "goes on"
        }
    }

    var why: String? {
        switch self {
        case .step(let milliseconds):
            (milliseconds < 0 ? FaultKind.stepBack : .stepForward).sentence
        case .drift: FaultKind.drift.sentence
        case .freeze: FaultKind.frozenClock.sentence
        case .thaw: nil
        }
    }
}

extension DiskTrouble {
    var told: String {
        switch self {
        case .syncFailure(let calls): "is to fail its sync number \(calls) from now"
        case .writeError(let calls): "is to fail its write number \(calls) from now"
        case .readError(let calls): "is to fail its read number \(calls) from now"
        case .full(let bytes): "is full after \(StoryWords.grouped(bytes)) bytes more"
        case .empty: "has room again"
        case .rot: "rots: one bit changes"
        case .loss(let loss):
            (loss.isChange ? "damages up to " : "loses up to ")
                + StoryWords.counted(loss.most, "batch", "batches") + " that its device wrote"
        case .failedOpening(_, let reads):
            "fails \(StoryWords.counted(reads, "read")) while the home is opened"
        }
    }

    /// The fault that it is; nil for the end of one.
    var kind: FaultKind? {
        switch self {
        case .syncFailure: .syncFailure
        case .writeError: .writeError
        case .readError: .readError
        case .full: .diskFull
        case .empty: nil
        case .rot: .bitRot
        case .loss: .lostBatches
        case .failedOpening: .failedOpening
        }
    }
}

extension RestoreWay {
    var told: String {
        switch self {
        case .newerWitness: "and its witness file is newer"
        case .withoutWitness: "without its witness file"
        case .wholeMachine: "the whole machine with it"
        }
    }

    var kind: FaultKind {
        switch self {
        case .newerWitness: .restoreWithWitness
        case .withoutWitness: .restoreWithoutWitness
        case .wholeMachine: .rollback
        }
    }
}

extension MedicationDeed.Kind {
    /// A verb, before the medicine.
    var told: String {
        switch self {
        case .add(_, let zone): "adds, in \(zone),"
        case .take: "takes a dose of"
        case .additional: "takes one more dose of"
        case .skip: "skips a dose of"
        case .snooze: "puts off"
        case .undo: "takes back what was said of"
        case .refill(let amount): "refills by \(amount)"
        case .recount(let amount): "counts \(amount) of"
        case .notice(let zone): "finds itself in \(zone);"
        case .decide: "decides how a journey changes"
        }
    }
}

extension FaultKind {
    /// A few words for it, made of its name.
    var title: String { StoryWords.plain(rawValue) }
}

extension CompanionEvent {
    /// The sort of thing that it is in a story.
    var storyKind: StoryItem.Kind {
        switch self {
        case .receivedMessage, .receivedApplicationContext, .receivedUserInfo, .receivedFile:
            .visible
        case .messageFinished, .userInfoFinished, .fileFinished, .transferProcessed: .session
        default: .note
        }
    }

    /// The event without the bytes that it carries, after the device that hears it.
    var told: String {
        switch self {
        case .activationDidComplete(let state):
            "hears that its session is \(StoryWords.plain("\(state)"))"
        case .sessionDidBecomeInactive: "hears that its session is inactive"
        case .sessionDidDeactivate: "hears that its session is to be activated again"
        case .watchStateDidChange: "hears that something about the watch changed"
        case .companionAppInstalledDidChange: "hears that the app came or went on the phone"
        case .reachabilityDidChange: "hears that reachability may have changed"
        case .receivedMessage(let id, _, let expectsReply):
            "is handed message \(id.number)" + (expectsReply ? ", which wants a reply" : "")
        case .messageFinished(let id, let outcome):
            "hears of its message \(id.number): \(outcome.told)"
        case .receivedApplicationContext: "is handed the counterpart's context"
        case .receivedUserInfo(let info):
            "is handed user info \(info.id.number)"
                + (info.isComplication ? ", for the watch face" : "")
                + (info.isRepeated ? ", once more after a restart" : "")
        case .userInfoFinished(let transfer, let error):
            "hears that its user info \(transfer.id.number) "
                + (error.map { "failed: " + StoryWords.plain("\($0)") } ?? "was delivered")
        case .receivedFile(let file): "is handed file \(file.id.number)"
        case .fileFinished(let transfer, let error):
            "hears that its file \(transfer.id.number) "
                + (error.map { "failed: " + StoryWords.plain("\($0)") } ?? "was delivered")
        case .transferProcessed(let id): "hears that its transfer \(id.number) was processed"
        case .backgroundTask(let id): "gets background task \(id)"
        }
    }
}

extension MessageOutcome {
    var told: String {
        switch self {
        case .replied: "it was answered"
        case .delivered: "it was delivered"
        case .failed(let error): "it failed: " + StoryWords.plain("\(error)")
        case .unknown(let error): "nobody knows what became of it: " + StoryWords.plain("\(error)")
        }
    }
}
