import LinnetWire

/// The live messages of both directions; none of them outlasts the machine.
struct MessageLane: Equatable, Sendable {
    struct Outgoing: Equatable, Sendable {
        var id: TransferID
        var bytes: [UInt8]
        var expectsReply: Bool
        var deadlineUptimeMilliseconds: Int64
        var isSent = false
        var isDelivered = false
    }

    struct Incoming: Equatable, Sendable {
        var id: TransferID
        var content: MessageContent
        var expectsReply: Bool
        var arrivedUptimeMilliseconds: Int64
    }

    struct LateReply: Equatable, Sendable {
        var frames: [LaneFrame]
        var dueUptimeMilliseconds: Int64
    }

    var outgoing: [Outgoing] = []
    /// Received and not handed to the app.
    var pending: [Incoming] = []
    /// Handed to the app, which owes an answer.
    var owed: [Incoming] = []
    /// Answers that a fault holds back.
    var late: [LateReply] = []

    func owes(_ id: TransferID) -> Bool { owed.contains { $0.id == id } }

    /// Ends a message and says how.
    mutating func finish(_ number: UInt64, _ outcome: MessageOutcome, _ turn: inout CompanionTurn) {
        guard let index = outgoing.firstIndex(where: { $0.id.number == number }) else { return }
        turn.tell(.messageFinished(outgoing.remove(at: index).id, outcome))
    }

    /// Ends all messages: those that were sent may have had their effect.
    mutating func end(
        unsent: CompanionError?, sent: CompanionError?, _ turn: inout CompanionTurn
    ) {
        for message in outgoing {
            if message.isSent, let sent {
                finish(message.id.number, .unknown(sent), &turn)
            } else if !message.isSent, let unsent {
                finish(message.id.number, .failed(unsent), &turn)
            }
        }
    }

    /// Ends what has waited too long.
    mutating func expire(_ turn: inout CompanionTurn) {
        let now = turn.now.uptimeMilliseconds
        for message in outgoing where message.deadlineUptimeMilliseconds <= now {
            finish(
                message.id.number,
                message.isSent ? .unknown(.messageReplyTimedOut) : .failed(.deliveryFailed), &turn)
        }
        let oldest = now - turn.switches.replyMilliseconds
        pending.removeAll { $0.arrivedUptimeMilliseconds <= oldest }
    }

    /// The next time at which something has waited too long or is let go.
    var deadline: Int64? {
        let outgoing = outgoing.map(\.deadlineUptimeMilliseconds).min()
        let late = late.map(\.dueUptimeMilliseconds).min()
        return [outgoing, late].compactMap { $0 }.min()
    }
}
