import LinnetWire

extension Conversation {
    /// Takes what the counterpart says about transfers of this end.
    mutating func hear(_ frame: ReceiptFrame, _ turn: inout CompanionTurn) {
        guard frame.installation == turn.installation else { return }
        for line in frame.lines {
            switch frame.lane {
            case .message, .reply: hearMessage(line, &turn)
            case .context: hearContext(line, &turn)
            case .userInfo, .file: hearTransfer(line, on: frame.lane, &turn)
            }
        }
    }

    private mutating func hearMessage(_ line: ReceiptFrame.Line, _ turn: inout CompanionTurn) {
        guard
            let index = messages.outgoing.firstIndex(where: {
                $0.id.number == line.number && $0.isSent
            })
        else { return }
        switch line.stage {
        case .refused(let code):
            let error = CompanionError(platformCode: Int(truncatingIfNeeded: code))
            messages.finish(line.number, .failed(error ?? .deliveryFailed), &turn)
        case .delivered:
            messages.outgoing[index].isDelivered = true
            if !messages.outgoing[index].expectsReply {
                messages.finish(line.number, .delivered, &turn)
            }
        case .has, .stored, .processed: break
        }
    }

    private mutating func hearContext(_ line: ReceiptFrame.Line, _ turn: inout CompanionTurn) {
        guard var newest = context.outgoing, newest.number == line.number, !newest.isStored else {
            return
        }
        if case .has = line.stage { return }
        newest.isStored = true
        context.pacer = Pacer()
        context.store(newest, for: peer, &turn)
    }

    private mutating func hearTransfer(
        _ line: ReceiptFrame.Line, on lane: Lane, _ turn: inout CompanionTurn
    ) {
        guard let index = outgoing.index(of: line.number),
            outgoing.transfers[index].lane == lane
        else { return }
        let transfer = outgoing.transfers[index]
        switch (transfer.stage, line.stage) {
        case (.waiting(let has), .has(let bytes)):
            // An echo of a receipt does not send a part twice.
            guard lane == .file, bytes != has, bytes <= transfer.totalBytes,
                bytes.isMultiple(of: UInt64(Limits.companionPartBytes))
            else { return }
            advance(index, .waiting(has: bytes), &turn)
        case (.stored, .has):
            // The counterpart lost it.
            advance(index, .waiting(has: 0), &turn)
        case (.waiting, .stored), (.waiting, .delivered), (.waiting, .processed),
            (.stored, .delivered), (.stored, .processed), (.delivered, .processed):
            advance(index, line.stage.outgoing, &turn)
        case (.waiting, .refused(let code)), (.stored, .refused(let code)):
            advance(index, .failed(code: code), &turn)
        default: break
        }
    }

    private mutating func advance(
        _ index: Int, _ stage: OutgoingTransfer.Stage, _ turn: inout CompanionTurn
    ) {
        outgoing.change(index, for: peer, &turn) {
            $0.stage = stage
            $0.pacer = Pacer()
            if case .waiting = stage {} else { $0.isCurrent = $0.isCurrent && stage == .stored }
        }
    }

    /// Answers how far the asked transfers are.
    mutating func answer(_ probe: ProbeFrame, _ turn: inout CompanionTurn) {
        guard isLinkUp, probe.lane == .userInfo || probe.lane == .file else { return }
        inbox.observe(
            installation: probe.installation, floor: probe.floor, in: probe.lane, from: peer,
            &turn)
        let lines = probe.numbers.map { number in
            let id = TransferID(installation: probe.installation, number: number)
            return ReceiptFrame.Line(number: number, stage: stage(of: id, in: probe.lane))
        }
        turn.send(
            .receipt(
                ReceiptFrame(installation: probe.installation, lane: probe.lane, lines: lines)),
            to: peer)
    }

    /// Notes that the app has processed a transfer.
    mutating func processed(_ index: Int, _ turn: inout CompanionTurn) {
        let item = inbox.items[index]
        inbox.remove(index, from: peer, &turn)
        settled(item, .processed, &turn)
    }

    /// Remembers how far a received transfer is, and says so.
    mutating func settled(_ item: InboxItem, _ stage: ReceiptStage, _ turn: inout CompanionTurn) {
        inbox.remember(stage, of: item.id, in: item.lane, from: peer, &turn)
        guard isLinkUp else { return }
        turn.send(
            .receipt(
                ReceiptFrame(
                    installation: item.id.installation, lane: item.lane,
                    lines: [.init(number: item.id.number, stage: stage)])), to: peer)
    }

    private func stage(of id: TransferID, in lane: Lane) -> ReceiptStage {
        if let stage = inbox.stage(of: id, in: lane) { return stage }
        if let index = inbox.index(of: id) {
            return inbox.items[index].isHanded ? .delivered : .stored
        }
        // Below the floor the sender asks only about what was handed over and not processed; what
        // is no longer here was.
        if inbox.isBelowFloor(id, in: lane) { return .processed }
        return .has(bytes: inbox.partialFile.flatMap { $0.id == id ? $0.offset : nil } ?? 0)
    }
}

extension ReceiptStage {
    /// The stage as the sender keeps it.
    fileprivate var outgoing: OutgoingTransfer.Stage {
        switch self {
        case .has(let bytes): .waiting(has: bytes)
        case .stored: .stored
        case .delivered: .delivered
        case .processed: .processed
        case .refused(let code): .failed(code: code)
        }
    }
}
