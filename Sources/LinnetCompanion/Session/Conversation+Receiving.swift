import LinnetWire

extension Conversation {
    /// Takes a part; `app` is this end's.
    mutating func receive(_ part: PartFrame, app: AppState, _ turn: inout CompanionTurn) {
        guard part.total <= part.lane.bytesMaximum(files: turn.switches.fileBytes) else {
            refuse(part, .payloadTooLarge, &turn)
            return
        }
        switch part.lane {
        case .message: receiveMessage(part, app, &turn)
        case .reply: receiveReply(part, &turn)
        case .context: receiveContext(part, &turn)
        case .userInfo, .file:
            guard isNew(part, &turn) else { return }
            if part.lane == .file {
                receiveFile(part, &turn)
            } else {
                receiveUserInfo(part, &turn)
            }
        }
    }

    private func receipt(
        _ stage: ReceiptStage, of id: TransferID, on lane: Lane, _ turn: inout CompanionTurn
    ) {
        guard isLinkUp else { return }
        let frame = ReceiptFrame(
            installation: id.installation, lane: lane,
            lines: [.init(number: id.number, stage: stage)])
        turn.send(.receipt(frame), to: peer)
    }

    private mutating func refuse(
        _ part: PartFrame, _ error: CompanionError, _ turn: inout CompanionTurn
    ) {
        let stage = ReceiptStage.refused(code: UInt64(error.platformCode ?? 7001))
        if part.lane == .userInfo || part.lane == .file {
            inbox.remember(stage, of: part.id, in: part.lane, from: peer, &turn)
        }
        receipt(stage, of: part.id, on: part.lane, &turn)
    }

    /// Returns true when a transfer is not here yet; for one that is, its receipt is sent again.
    private mutating func isNew(_ part: PartFrame, _ turn: inout CompanionTurn) -> Bool {
        guard !inbox.isBelowFloor(part.id, in: part.lane) else { return false }
        inbox.observe(
            installation: part.id.installation, floor: part.floor, in: part.lane, from: peer,
            &turn)
        guard let stage = inbox.stage(of: part.id, in: part.lane) else { return true }
        receipt(stage, of: part.id, on: part.lane, &turn)
        return false
    }

    // MARK: Messages

    private mutating func receiveMessage(
        _ part: PartFrame, _ app: AppState, _ turn: inout CompanionTurn
    ) {
        guard !inbox.isBelowFloor(part.id, in: .message),
            let bytes = inbox.assemble(part)
        else { return }
        inbox.observe(
            installation: part.id.installation, floor: part.id.number &+ 1, in: .message,
            from: peer, &turn)
        guard let content = try? Payload.content(bytes) else {
            refuse(part, .payloadUnsupportedTypes, &turn)
            return
        }
        // A message wakes the phone's app and not the watch's.
        guard app.isRunning || turn.role == .phone else {
            refuse(part, .notReachable, &turn)
            return
        }
        messages.pending.append(
            .init(
                id: part.id, content: content, expectsReply: part.flags.contains(.expectsReply),
                arrivedUptimeMilliseconds: turn.now.uptimeMilliseconds))
    }

    private mutating func receiveReply(_ part: PartFrame, _ turn: inout CompanionTurn) {
        guard part.id.installation == turn.installation, let bytes = inbox.assemble(part) else {
            return
        }
        if part.flags.contains(.noReply) {
            messages.finish(part.id.number, .unknown(.messageReplyFailed), &turn)
        } else if let content = try? Payload.content(bytes) {
            messages.finish(part.id.number, .replied(content), &turn)
        } else {
            messages.finish(part.id.number, .unknown(.payloadUnsupportedTypes), &turn)
        }
    }

    // MARK: Queued lanes

    private mutating func receiveContext(_ part: PartFrame, _ turn: inout CompanionTurn) {
        if let known = context.incoming, known.id.installation == part.id.installation,
            known.id.number >= part.id.number
        {
            receipt(.stored, of: part.id, on: .context, &turn)
            return
        }
        guard let bytes = inbox.assemble(part) else { return }
        guard (try? Payload.dictionary(bytes)) != nil else {
            refuse(part, .payloadUnsupportedTypes, &turn)
            return
        }
        context.store(ContextLane.Incoming(id: part.id, bytes: bytes), for: peer, &turn)
        receipt(.stored, of: part.id, on: .context, &turn)
    }

    private mutating func receiveUserInfo(_ part: PartFrame, _ turn: inout CompanionTurn) {
        guard let bytes = inbox.assemble(part) else { return }
        guard (try? Payload.dictionary(bytes)) != nil else {
            refuse(part, .payloadUnsupportedTypes, &turn)
            return
        }
        guard inbox.hasRoom(in: .userInfo, limit: turn.switches.inboxTransfers) else {
            refuse(part, .insufficientSpace, &turn)
            return
        }
        inbox.add(part.id, part.flags, .userInfo(bytes), from: peer, &turn)
        stored(part, &turn)
    }

    private mutating func stored(_ part: PartFrame, _ turn: inout CompanionTurn) {
        inbox.remember(.stored, of: part.id, in: part.lane, from: peer, &turn)
        receipt(.stored, of: part.id, on: part.lane, &turn)
    }

    private mutating func receiveFile(_ part: PartFrame, _ turn: inout CompanionTurn) {
        guard let file = part.file, var partial = start(part, file, &turn) else { return }
        guard partial.offset == part.offset, partial.contentHash == file.contentHash,
            partial.total == part.total,
            part.bytes.count == Limits.companionPartBytes
                || part.offset + UInt64(part.bytes.count) == part.total
        else {
            receipt(.has(bytes: partial.offset), of: part.id, on: .file, &turn)
            return
        }
        if !part.bytes.isEmpty {
            turn.effects.append(.store(part.id, offset: part.offset, part.bytes))
            partial.digest.add(part.bytes)
            partial.offset += UInt64(part.bytes.count)
        }
        guard partial.offset == partial.total else {
            inbox.keep(partial, from: peer, &turn)
            receipt(.has(bytes: partial.offset), of: part.id, on: .file, &turn)
            return
        }
        finish(partial, part, &turn)
    }

    /// The file that a part belongs to: the one that is here in part, or a new one.
    private mutating func start(
        _ part: PartFrame, _ file: PartFrame.File, _ turn: inout CompanionTurn
    ) -> PartialFile? {
        if let partial = inbox.partialFile, partial.id == part.id { return partial }
        guard part.offset == 0 else {
            receipt(.has(bytes: 0), of: part.id, on: .file, &turn)
            return nil
        }
        guard (try? Payload.dictionary(file.metadata)) != nil else {
            refuse(part, .payloadUnsupportedTypes, &turn)
            return nil
        }
        guard inbox.hasRoom(in: .file, limit: turn.switches.inboxTransfers) else {
            refuse(part, .insufficientSpace, &turn)
            return nil
        }
        if let old = inbox.partialFile { turn.effects.append(.discard(old.id)) }
        return PartialFile(
            id: part.id, flags: part.flags, total: part.total, contentHash: file.contentHash,
            metadata: file.metadata)
    }

    private mutating func finish(
        _ partial: PartialFile, _ part: PartFrame, _ turn: inout CompanionTurn
    ) {
        inbox.keep(nil, from: peer, &turn)
        guard partial.digest.value == partial.contentHash else {
            turn.effects.append(.discard(partial.id))
            refuse(part, .fileAccessDenied, &turn)
            return
        }
        if partial.total == 0 { turn.effects.append(.store(partial.id, offset: 0, [])) }
        inbox.add(
            partial.id, partial.flags,
            .file(
                byteCount: partial.total, contentHash: partial.contentHash,
                metadata: partial.metadata), from: peer, &turn)
        stored(part, &turn)
    }

    /// Drops a transfer that its sender has withdrawn, if the app has not been handed it.
    mutating func withdraw(_ frame: WithdrawFrame, _ turn: inout CompanionTurn) {
        if let file = inbox.partialFile, file.id == frame.id, frame.lane == .file {
            turn.effects.append(.discard(file.id))
            inbox.keep(nil, from: peer, &turn)
        }
        guard let index = inbox.index(of: frame.id), !inbox.items[index].isHanded,
            inbox.items[index].lane == frame.lane
        else { return }
        inbox.remove(index, from: peer, &turn)
        inbox.remember(
            .refused(code: 7014), of: frame.id, in: frame.lane, from: peer, &turn)
    }
}
