import LinnetWire

extension Companion {
    mutating func activate(hasDelegate: Bool, _ turn: inout CompanionTurn) throws(CompanionError) {
        guard hasDelegate else { throw .sessionMissingDelegate }
        guard activation != .inactive else { throw .sessionInactive }
        if !app.isRunning { app = .background }
        activation = .activated
        told.isWaking = false
        told.watch = watchState
        told.isCompanionAppInstalled = isCompanionAppInstalled
        told.isReachable = isReachable
        told.reachabilityChangedUptimeMilliseconds = nil
        if reservedNumber == 1 {
            reservedNumber = 2
            nextNumber = 2
            keepIdentity(&turn)
        }
        if isFreshLaunch, !abandoned.isEmpty {
            for peer in abandoned { turn.effects.append(.removeWatchDirectory(peer)) }
            abandoned = OrderedSet()
            keepFacts(&turn)
        }
        isFreshLaunch = false
        turn.tell(.activationDidComplete(.activated))
    }

    mutating func perform(_ command: AppCommand, _ turn: inout CompanionTurn) throws(CompanionError)
    {
        switch command {
        case .sendMessage(let content, let expectsReply):
            try sendMessage(content, expectsReply: expectsReply, &turn)
        case .reply(let id, let content): try reply(to: id, content, &turn)
        case .updateApplicationContext(let context, let importance):
            try updateContext(context, importance, &turn)
        case .transferUserInfo(let info, let options):
            try transfer(info, options, isForFace: false, &turn)
        case .transferCurrentComplicationUserInfo(let info, let options):
            guard role == .phone else { throw .invalidParameter }
            try transfer(info, options, isForFace: true, &turn)
        case .transferFile(let file, let options): try transfer(file, options, &turn)
        case .fileBytes(let id, let offset, let bytes):
            let next = nextNumber
            changeSender(of: id) {
                $0.sendFilePart(id, offset: offset, bytes, nextNumber: next, &turn)
            }
        case .fileUnreadable(let id):
            changeSender(of: id) { conversation in
                guard let index = conversation.outgoing.index(of: id.number),
                    conversation.outgoing.transfers[index].isReading
                else { return }
                conversation.fail(index, with: .fileAccessDenied, &turn)
            }
        case .cancel(let id): cancel(id, &turn)
        case .claimFile, .fileHandled, .processed: try settleReceived(command, &turn)
        case .completeTask(let id):
            guard tasks.complete(id) else { throw .invalidParameter }
            // The system gives a background app no more time.
            if tasks.open.isEmpty, app == .background { app = .suspended }
        }
    }

    /// The active counterpart for a new transfer, or why there can be none.
    private func counterpart() throws(CompanionError) -> DeviceID {
        switch activation {
        case .notActivated: throw .sessionNotActivated
        case .inactive: throw .sessionInactive
        case .activated: break
        }
        switch role {
        case .phone:
            guard let selected, isPaired else { throw .deviceNotPaired }
            guard isWatchAppInstalled else { throw .watchAppNotInstalled }
            return selected
        case .watch:
            guard !switches.isWatchOnlyApp else { throw .watchOnlyApp }
            guard let selected, isCompanionAppInstalled else { throw .companionAppNotInstalled }
            return selected
        }
    }

    // MARK: Messages

    private mutating func sendMessage(
        _ content: MessageContent, expectsReply: Bool, _ turn: inout CompanionTurn
    ) throws(CompanionError) {
        let peer = try counterpart()
        let bytes = try Payload.encode(content)
        let id = newID(&turn)
        turn.effects.append(.accepted(id))
        guard isReachable else {
            turn.tell(.messageFinished(id, .failed(.notReachable)))
            return
        }
        let deadline = turn.now.uptimeMilliseconds + switches.replyMilliseconds
        _ = converse(with: peer) {
            $0.messages.outgoing.append(
                .init(
                    id: id, bytes: bytes, expectsReply: expectsReply,
                    deadlineUptimeMilliseconds: deadline))
        }
    }

    private mutating func reply(
        to id: TransferID, _ content: MessageContent, _ turn: inout CompanionTurn
    ) throws(CompanionError) {
        let bytes = try Payload.encode(content)
        guard let peer = selected, active?.messages.owes(id) ?? false else {
            throw .invalidParameter
        }
        _ = converse(with: peer) { $0.answer(id, bytes, &turn) }
    }

    // MARK: Queued lanes

    private mutating func updateContext(
        _ dictionary: PropertyDictionary, _ importance: Importance, _ turn: inout CompanionTurn
    ) throws(CompanionError) {
        try replaceContext(of: try counterpart(), with: dictionary, importance, &turn)
    }

    /// Puts a value into the context, without the app.
    mutating func addToContext(
        _ name: String, _ value: PropertyValue, _ importance: Importance,
        _ turn: inout CompanionTurn
    ) throws(CompanionError) {
        guard let selected else { throw .deviceNotPaired }
        switch role {
        case .phone:
            guard isPaired else { throw .deviceNotPaired }
            guard isWatchAppInstalled else { throw .watchAppNotInstalled }
        case .watch:
            guard isCompanionAppInstalled else { throw .companionAppNotInstalled }
        }
        var dictionary = applicationContext
        guard dictionary[name] != value else { return }
        dictionary[name] = value
        try replaceContext(of: selected, with: dictionary, importance, &turn)
    }

    private mutating func replaceContext(
        of peer: DeviceID, with dictionary: PropertyDictionary, _ importance: Importance,
        _ turn: inout CompanionTurn
    ) throws(CompanionError) {
        let bytes = try Payload.encode(dictionary, max: Payload.contextBytes)
        if switches.suppressesIdenticalContexts, active?.context.outgoing?.bytes == bytes {
            return
        }
        let id = newID(&turn)
        turn.effects.append(.accepted(id))
        _ = converse(with: peer) { conversation in
            // What waits is replaced, but not its urgency.
            let waiting = conversation.context.waiting?.importance ?? importance
            conversation.context.pacer = Pacer()
            conversation.context.store(
                ContextLane.Outgoing(
                    number: id.number, importance: min(importance, waiting), bytes: bytes),
                for: peer, &turn)
        }
    }

    private mutating func transfer(
        _ info: PropertyDictionary, _ options: TransferOptions, isForFace: Bool,
        _ turn: inout CompanionTurn
    ) throws(CompanionError) {
        let peer = try counterpart()
        let bytes = try Payload.encode(info, max: Payload.messageBytes)
        try checkRoom(in: .userInfo)
        let isCurrent =
            isForFace && remainingComplicationUserInfoTransfers(at: turn.now) > 0
        let id = newID(&turn)
        turn.effects.append(.accepted(id))
        var flags: TransferFlags = options.wantsProcessed ? .wantsProcessed : []
        if isCurrent { flags.insert(.complication) }
        var transfer = OutgoingTransfer(
            id: id, flags: flags, importance: options.importance, content: .userInfo(bytes))
        transfer.isCurrent = isCurrent
        transfer.isPaidByFace = isCurrent
        _ = converse(with: peer) { conversation in
            conversation.outgoing.add(transfer, for: peer, &turn)
            conversation.outgoing.isUnstuck = true
            guard isCurrent else { return }
            conversation.face.spend(at: turn.now)
            turn.put(.spends(peer)) { conversation.face.write(to: &$0) }
        }
    }

    private mutating func transfer(
        _ file: OutgoingFile, _ options: TransferOptions, _ turn: inout CompanionTurn
    ) throws(CompanionError) {
        let peer = try counterpart()
        let metadata = try Payload.encode(file.metadata, max: Payload.metadataBytes)
        guard file.byteCount <= switches.fileBytes else { throw .payloadTooLarge }
        guard file.reference.utf8.count <= 4_096 else { throw .invalidParameter }
        try checkRoom(in: .file)
        let id = newID(&turn)
        turn.effects.append(.accepted(id))
        let transfer = OutgoingTransfer(
            id: id, flags: options.wantsProcessed ? .wantsProcessed : [],
            importance: options.importance, content: .file(file, metadata: metadata))
        _ = converse(with: peer) { $0.outgoing.add(transfer, for: peer, &turn) }
    }

    private func checkRoom(in lane: Lane) throws(CompanionError) {
        guard active.map({ $0.outgoing.count(of: lane) }) ?? 0 < switches.outstandingTransfers
        else { throw .insufficientSpace }
    }

    private mutating func changeSender(
        of id: TransferID, _ body: (inout Conversation) -> Void
    ) {
        guard id.installation == installation else { return }
        for peer in conversations.keys
        where conversations[peer]?.outgoing.index(of: id.number) != nil {
            _ = converse(with: peer, body)
        }
    }

    private mutating func cancel(_ id: TransferID, _ turn: inout CompanionTurn) {
        changeSender(of: id) { conversation in
            guard let index = conversation.outgoing.index(of: id.number),
                !conversation.outgoing.transfers[index].isFinished
            else { return }
            let lane = conversation.outgoing.transfers[index].lane
            conversation.outgoing.remove(index, for: conversation.peer, &turn)
            guard conversation.isLinkUp else { return }
            turn.send(.withdraw(WithdrawFrame(id: id, lane: lane)), to: conversation.peer)
        }
    }

    // MARK: Received transfers

    private mutating func settleReceived(
        _ command: AppCommand, _ turn: inout CompanionTurn
    ) throws(CompanionError) {
        switch command {
        case .claimFile(let id):
            try changeReceived(id) { conversation, index in
                conversation.inbox.change(index, from: conversation.peer, &turn) {
                    $0.isClaimed = true
                }
            }
        case .fileHandled(let id):
            try changeReceived(id) { conversation, index in
                guard !conversation.inbox.items[index].wantsProcessed else { return }
                conversation.inbox.remove(index, from: conversation.peer, &turn)
            }
        case .processed(let id):
            try changeReceived(id) { conversation, index in
                guard conversation.inbox.items[index].wantsProcessed else { return }
                conversation.processed(index, &turn)
            }
        default: break
        }
    }

    /// Changes a transfer that the app was handed; it may be done with it already.
    private mutating func changeReceived(
        _ id: TransferID, _ body: (inout Conversation, Int) -> Void
    ) throws(CompanionError) {
        guard id.installation != installation else { throw .invalidParameter }
        for peer in conversations.keys {
            _ = converse(with: peer) { conversation in
                guard let index = conversation.inbox.index(of: id),
                    conversation.inbox.items[index].isHanded
                else { return }
                body(&conversation, index)
            }
        }
    }
}
