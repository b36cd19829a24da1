import LinnetWire

extension Conversation {
    /// True when something that arrived has yet to be handed to the app.
    var isWorthHanding: Bool {
        !messages.pending.isEmpty || inbox.next != nil
            || context.incoming.map { !$0.isTold } ?? false
    }

    /// Hands everything that arrived to the app, one call after the other.
    mutating func handOver(_ turn: inout CompanionTurn) {
        for message in messages.pending {
            if message.expectsReply { messages.owed.append(message) }
            turn.tell(
                .receivedMessage(
                    message.id, message.content, expectsReply: message.expectsReply))
            guard isLinkUp else { continue }
            let receipt = ReceiptFrame(
                installation: message.id.installation, lane: .message,
                lines: [.init(number: message.id.number, stage: .delivered)])
            turn.send(.receipt(receipt), to: peer)
        }
        messages.pending.removeAll()
        if var context = context.incoming, !context.isTold {
            context.isTold = true
            self.context.store(context, for: peer, &turn)
            if let dictionary = try? Payload.dictionary(context.bytes) {
                turn.tell(.receivedApplicationContext(dictionary))
            }
        }
        while let index = inbox.next { hand(index, &turn) }
    }

    private mutating func hand(_ index: Int, _ turn: inout CompanionTurn) {
        let item = inbox.items[index]
        if let event = item.event { turn.tell(event) }
        if item.lane == .userInfo, !item.wantsProcessed {
            inbox.remove(index, from: peer, &turn)
        } else {
            inbox.change(index, from: peer, &turn) {
                $0.isHanded = true
                $0.isHandedNow = true
            }
        }
        if !item.isHanded { settled(item, .delivered, &turn) }
    }

    /// Tells the app how its transfers ended, and forgets them.
    mutating func tellFinished(_ turn: inout CompanionTurn) {
        for transfer in outgoing.transfers where transfer.isFinished {
            guard let index = outgoing.index(of: transfer.id.number) else { continue }
            if !transfer.isTold {
                turn.tell(
                    transfer.lane == .file
                        ? .fileFinished(transfer.view, transfer.error)
                        : .userInfoFinished(transfer.view, transfer.error))
            }
            let isAwaited =
                transfer.stage == .delivered && transfer.flags.contains(.wantsProcessed)
            if transfer.stage == .processed, transfer.flags.contains(.wantsProcessed) {
                turn.tell(.transferProcessed(transfer.id))
            }
            if !isAwaited {
                outgoing.remove(index, for: peer, &turn)
            } else if !transfer.isTold {
                outgoing.change(index, for: peer, &turn) { $0.isTold = true }
            }
        }
    }

    /// The rows of everything but outgoing transfers.
    var keys: [JournalKey] {
        [
            .counterpart(peer), .ledger(peer), .spends(peer), .contextOut(peer),
            .contextIn(peer), .partialFile(peer),
        ] + inbox.memories.keys.map { .memory(peer, $0) }
            + inbox.items.map { .inbox(peer, $0.arrival) }
    }
}
