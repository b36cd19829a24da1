import LinnetCompanion

/// Who in this process waits for something of the companion lanes.
struct LaneDesk {
    typealias Reply = CheckedContinuation<
        Result<CompanionDictionary, CompanionSessionError>, Never
    >

    var streams: [Int: AsyncStream<CompanionSessionEvent>.Continuation] = [:]
    var lastStream = 0
    /// Commands that are the app now.
    var apps = 0
    /// Whether the app ends with the last of them.
    var endsApp = false
    var replies: [TransferID: Reply] = [:]

    /// Ends everything that waits.
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
