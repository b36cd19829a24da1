import LinnetWire

extension Conversation {
    /// Sends what may be sent now and says what may not.
    mutating func pump(
        nextNumber: UInt64, obstacle: CompanionLedger.Deferral.Reason?, _ turn: inout CompanionTurn
    ) {
        ledger.deferred = []
        budgetDeadline = nil
        let missing: CompanionLedger.Deferral.Reason? =
            !isLinkUp || remote == nil
            ? .unreachable : remote.map { $0.isLocked } ?? false ? .locked : nil
        if let reason = obstacle ?? missing {
            deferAll(reason)
            return
        }
        sendMessages(&turn)
        sendCurrent(nextNumber, &turn)
        let lanes: [(Importance, Lane)] = [
            (outgoing.importance(of: .userInfo) ?? .files, .userInfo),
            (context.waiting?.importance ?? .files, .context),
            (outgoing.importance(of: .file) ?? .files, .file),
        ]
        for (_, lane) in lanes.sorted(by: { ($0.0, $0.1) < ($1.0, $1.1) }) {
            switch lane {
            case .userInfo: sendUserInfos(nextNumber, &turn)
            case .context: sendContext(&turn)
            default: sendFiles(&turn)
            }
        }
    }

    private mutating func deferAll(_ reason: CompanionLedger.Deferral.Reason) {
        for lane in [Lane.userInfo, .file] {
            guard let head = outgoing.head(of: lane) else { continue }
            note(lane, outgoing.transfers[head].id.number, reason)
        }
        if let waiting = context.waiting { note(.context, waiting.number, reason) }
    }

    mutating func note(
        _ lane: Lane, _ number: UInt64, _ reason: CompanionLedger.Deferral.Reason
    ) {
        let importance =
            lane == .context ? context.waiting?.importance : outgoing.importance(of: lane)
        ledger.deferred.append(
            CompanionLedger.Deferral(
                lane: lane, number: number, importance: importance ?? .files, reason: reason))
    }

    // MARK: Messages

    private mutating func sendMessages(_ turn: inout CompanionTurn) {
        for index in messages.outgoing.indices {
            let message = messages.outgoing[index]
            if message.isDelivered { continue }
            guard !message.isSent else { return }
            messages.outgoing[index].isSent = true
            wakeForMessage(&turn)
            // The platform's defect: the counterpart counts as reachable and gets nothing.
            if turn.switches.faults.contains(.reachableButTimingOut) { return }
            let flags: TransferFlags = message.expectsReply ? .expectsReply : []
            send(message.bytes, of: message.id, on: .message, flags, floor: 1, &turn)
            return
        }
    }

    private mutating func wakeForMessage(_ turn: inout CompanionTurn) {
        guard turn.role == .watch, !(remote?.app.isRunning ?? false), !hasWoken else { return }
        hasWoken = true
        ledger.spend(at: turn.now) { $0.messageWakes &+= 1 }
        turn.effects.append(.wakeCounterpart(peer))
    }

    /// Sends the answer to a message, or says that there is none.
    mutating func answer(_ id: TransferID, _ bytes: [UInt8]?, _ turn: inout CompanionTurn) {
        guard let index = messages.owed.firstIndex(where: { $0.id == id }) else { return }
        let message = messages.owed.remove(at: index)
        guard isLinkUp else { return }
        let flags: TransferFlags = bytes == nil ? .noReply : []
        let frames = parts(of: bytes ?? [], id: id, on: .reply, flags, floor: 1)
        ledger.spend(at: turn.now) { $0.messageBytes &+= UInt64(bytes?.count ?? 0) }
        if turn.switches.faults.contains(.replyTooLate) {
            let due =
                message.arrivedUptimeMilliseconds + turn.switches.replyMilliseconds + 1_000
            messages.late.append(.init(frames: frames, dueUptimeMilliseconds: due))
        } else {
            for frame in frames { turn.send(frame, to: peer) }
        }
    }

    /// Sends the answers that a fault held back and that are due.
    mutating func sendLate(_ turn: inout CompanionTurn) {
        let now = turn.now.uptimeMilliseconds
        for late in messages.late where late.dueUptimeMilliseconds <= now {
            for frame in late.frames { turn.send(frame, to: peer) }
        }
        messages.late.removeAll { $0.dueUptimeMilliseconds <= now }
    }

    // MARK: Queued lanes

    private mutating func sendCurrent(_ nextNumber: UInt64, _ turn: inout CompanionTurn) {
        guard let index = outgoing.current else { return }
        sendUserInfo(at: index, nextNumber, &turn)
    }

    private mutating func sendUserInfos(_ nextNumber: UInt64, _ turn: inout CompanionTurn) {
        guard let index = outgoing.head(of: .userInfo), index != outgoing.current else { return }
        let number = outgoing.transfers[index].id.number
        if turn.switches.faults.contains(.stuckQueueUntilNextEnqueueOrRestart),
            !outgoing.isUnstuck
        {
            note(.userInfo, number, .stuckQueue)
            outgoing.touch(index) { $0.pacer = Pacer() }
        } else if outgoing.storedCount(of: .userInfo) >= turn.switches.storedAhead {
            note(.userInfo, number, .counterpartFull)
            outgoing.touch(index) { $0.pacer = Pacer() }
        } else {
            sendUserInfo(at: index, nextNumber, &turn)
        }
    }

    private mutating func sendUserInfo(
        at index: Int, _ nextNumber: UInt64, _ turn: inout CompanionTurn
    ) {
        let transfer = outgoing.transfers[index]
        guard case .userInfo(let bytes) = transfer.content, isDue(transfer.pacer, turn) else {
            return
        }
        let importance = outgoing.importance(of: .userInfo) ?? transfer.importance
        guard
            permit(
                .userInfo, transfer.id.number, importance, bytes.count,
                isPaidByFace: transfer.isPaidByFace, &turn)
        else { return }
        outgoing.touch(index) {
            $0.pacer.sent(atUptimeMilliseconds: turn.now.uptimeMilliseconds)
        }
        let floor = outgoing.floor(of: .userInfo, next: nextNumber)
        send(bytes, of: transfer.id, on: .userInfo, transfer.flags, floor: floor, &turn)
    }

    private mutating func sendContext(_ turn: inout CompanionTurn) {
        guard let waiting = context.waiting, isDue(context.pacer, turn) else { return }
        guard
            permit(.context, waiting.number, waiting.importance, waiting.bytes.count, &turn)
        else { return }
        context.pacer.sent(atUptimeMilliseconds: turn.now.uptimeMilliseconds)
        let id = TransferID(installation: turn.installation, number: waiting.number)
        send(waiting.bytes, of: id, on: .context, [], floor: waiting.number, &turn)
    }

    private mutating func sendFiles(_ turn: inout CompanionTurn) {
        guard let index = outgoing.head(of: .file) else { return }
        let transfer = outgoing.transfers[index]
        guard case .waiting(let offset) = transfer.stage,
            case .file(let file, _) = transfer.content, isDue(transfer.pacer, turn),
            !transfer.isReading
        else { return }
        if outgoing.storedCount(of: .file) >= turn.switches.storedAhead {
            note(.file, transfer.id.number, .counterpartFull)
            outgoing.touch(index) { $0.pacer = Pacer() }
            return
        }
        let count = Int(min(UInt64(Limits.companionPartBytes), file.byteCount - offset))
        if let reason = refusal(outgoing.importance(of: .file) ?? .files, count, turn) {
            hold(.file, transfer.id.number, reason, turn)
            return
        }
        outgoing.touch(index) { $0.isReading = true }
        turn.effects.append(
            .readFile(transfer.id, reference: file.reference, offset: offset, count: count))
    }

    /// Sends a part of a file that the shell has read.
    mutating func sendFilePart(
        _ id: TransferID, offset: UInt64, _ bytes: [UInt8], nextNumber: UInt64,
        _ turn: inout CompanionTurn
    ) {
        guard let index = outgoing.index(of: id.number), outgoing.transfers[index].isReading else {
            return
        }
        outgoing.touch(index) { $0.isReading = false }
        let transfer = outgoing.transfers[index]
        guard case .waiting(offset) = transfer.stage,
            case .file(let file, let metadata) = transfer.content
        else { return }
        let count = min(UInt64(Limits.companionPartBytes), file.byteCount - offset)
        guard UInt64(bytes.count) == count else {
            fail(index, with: .fileAccessDenied, &turn)
            return
        }
        guard isLinkUp, remote != nil,
            permit(
                .file, id.number, outgoing.importance(of: .file) ?? .files, bytes.count, &turn)
        else { return }
        outgoing.touch(index) {
            $0.pacer.sent(atUptimeMilliseconds: turn.now.uptimeMilliseconds)
        }
        let part = PartFrame(
            id: id, lane: .file, floor: outgoing.floor(of: .file, next: nextNumber),
            flags: transfer.flags, total: file.byteCount, offset: offset, bytes: bytes,
            file: PartFrame.File(
                contentHash: file.contentHash, metadata: offset == 0 ? metadata : []))
        turn.send(.part(part), to: peer)
    }

    /// Ends a transfer with an error and has its receiver forget it.
    mutating func fail(_ index: Int, with error: CompanionError, _ turn: inout CompanionTurn) {
        let transfer = outgoing.transfers[index]
        let code = UInt64(error.platformCode ?? 7001)
        outgoing.change(index, for: peer, &turn) { $0.stage = .failed(code: code) }
        if isLinkUp {
            turn.send(
                .withdraw(WithdrawFrame(id: transfer.id, lane: transfer.lane)), to: peer)
        }
    }

    /// Asks for the receipts that may have been lost with the last link.
    mutating func probe(_ turn: inout CompanionTurn) {
        for lane in [Lane.userInfo, .file] {
            var numbers = outgoing.awaiting(lane)[...]
            let floor = outgoing.floor(of: lane, next: numbers.last ?? 1)
            while !numbers.isEmpty {
                let some = Array(numbers.prefix(ReceiptFrame.linesMaximum))
                numbers = numbers.dropFirst(some.count)
                turn.send(
                    .probe(
                        ProbeFrame(
                            installation: turn.installation, lane: lane, floor: floor,
                            numbers: some)), to: peer)
            }
        }
    }
}
