import LinnetCompanion

/// The calls and streams of this process that wait for the companion lanes.
struct LaneDesk {
    typealias Reply = CheckedContinuation<
        Result<CompanionDictionary, CompanionSessionError>, Never
    >

    var streams: [Int: AsyncStream<CompanionSessionEvent>.Continuation] = [:]
    var lastStream = 0
    /// The number of commands that act as the app now.
    var apps = 0
    /// True when the app ends with the last of them.
    var endsApp = false
    var replies: [TransferID: Reply] = [:]

    /// Ends all of them.
    mutating func finish() {
        for stream in streams.values { stream.finish() }
        streams = [:]
        let waiting = replies
        replies = [:]
        for reply in waiting.values { reply.resume(returning: .failure(.outcomeUnknown)) }
    }

    mutating func finished(_ id: TransferID, _ outcome: MessageOutcome) {
        let result: Result<CompanionDictionary, CompanionSessionError> =
            switch outcome {
            case .replied(let content): .success(content.values)
            case .delivered: .success([:])
            case .failed(let error): .failure(CompanionSessionError(error))
            case .unknown(.messageReplyTimedOut): .failure(.messageReplyTimedOut)
            case .unknown: .failure(.outcomeUnknown)
            }
        replies.removeValue(forKey: id)?.resume(returning: result)
    }
}
