import LinnetCompanion
import LinnetWire

extension LaneWorld {
    func perform(_ step: LaneStep, salt: UInt64) throws {
        switch step {
        case .userInfo(let device, let importance, let wantsProcessed, let bytes):
            let number = promises.newNumber()
            try queue(
                device,
                .transferUserInfo(
                    LanePromises.content(number, bytes),
                    TransferOptions(importance: importance, wantsProcessed: wantsProcessed)),
                .userInfo(number, bytes, wantsProcessed: wantsProcessed))
        case .face:
            let number = promises.newNumber()
            let options = TransferOptions(importance: .safety)
            try queue(
                0,
                .transferCurrentComplicationUserInfo(LanePromises.content(number, 8), options),
                .userInfo(number, 8, wantsProcessed: false))
        case .context(let device, let importance, let bytes):
            let number = promises.newNumber()
            try queue(
                device,
                .updateApplicationContext(
                    LanePromises.content(number, bytes), importance: importance),
                .context(number, bytes))
        case .message(let device, let expectsReply):
            let number = promises.newNumber()
            try queue(
                device,
                .sendMessage(
                    .dictionary(LanePromises.content(number, 5)), expectsReply: expectsReply),
                .message(number, expectsReply: expectsReply))
        case .file(let device, let bytes, let wantsProcessed):
            try queueFile(device, bytes, wantsProcessed)
        case .cancel(let device):
            let machine = ends[device].machine
            let outstanding =
                machine.outstandingUserInfoTransfers + machine.outstandingFileTransfers
            guard let newest = outstanding.map(\.id).max() else { return }
            promises.cancelled(newest)
            try give(device, .app(.cancel(newest)))
        default: try surroundings(step)
        }
    }

    private func queueFile(_ device: Int, _ bytes: Int, _ wantsProcessed: Bool) throws {
        let number = promises.newNumber()
        let content = LanePromises.file(number, bytes)
        try queue(
            device,
            .transferFile(
                OutgoingFile(
                    reference: "\(number) \(bytes)", byteCount: UInt64(bytes),
                    contentHash: FileDigest.digest(of: content),
                    metadata: LanePromises.content(number, 0)),
                TransferOptions(importance: .files, wantsProcessed: wantsProcessed)),
            .file(number, bytes, wantsProcessed: wantsProcessed))
    }

    private func queue(
        _ device: Int, _ command: AppCommand, _ promise: LanePromises.Kind
    ) throws {
        promises.asking = LanePromises.Asked(device: device, kind: promise)
        _ = try self.command(device, command)
        promises.asking = nil
    }

    private func surroundings(_ step: LaneStep) throws {
        switch step {
        case .range(let isNear):
            self.isNear = isNear
            try setRange(isNear: isNear)
        case .app(let device, let state): try launch(device, state)
        case .restart(let device, let afterCommit):
            guard !afterCommit else {
                ends[device].diesAfterCommit = true
                return
            }
            coverage.happened(.processKill)
            try die(device)
        case .reboot(let device, let lockedFor):
            coverage.happened(.reboot)
            try setRange(isNear: false)
            try give(device, .environment(.rebooted))
            ends[device].unlockTime = now + lockedFor
            try die(device)
            schedule(.unlock(device), at: now + lockedFor)
        case .complication(let placement):
            self.placement = placement
            try give(1, .environment(.complication(placement)))
        case .faults(let faults):
            promises.faults = faults
            for defect in LaneDefect.all where faults.contains(defect.profile) {
                coverage.happened(defect.kind)
            }
            for index in 0..<2 { try give(index, .environment(.faults(faults))) }
        default: break
        }
    }

    // MARK: Effects

    func perform(_ effects: [CompanionEffect], of index: Int) throws {
        try budgets.watch(effects, of: index, moment)
        for effect in effects {
            switch effect {
            case .put, .remove, .store, .discard, .wakeCounterpart, .removeWatchDirectory: break
            case .accepted(let id): try promises.accepted(id, by: index)
            case .readFile(let id, let reference, let offset, let count):
                let parts = reference.split(separator: " ").compactMap { Int($0) }
                let content = LanePromises.file(parts.first ?? 0, parts.last ?? 0)
                let bytes = Array(content.dropFirst(Int(offset)).prefix(count))
                let input = CompanionInput.app(.fileBytes(id, offset: offset, bytes))
                schedule(.input(index, input, life: ends[index].lives), at: now)
            case .send(_, let frame): send(frame, from: index)
            case .tell(let event): try hear(event, of: index)
            case .wakeApp:
                schedule(.launch(index, life: ends[index].lives), at: now + 700)
            case .endApp:
                promises.restarted(index)
                trace.note(
                    now, index, "the system ends the app", .note,
                    told: "is asked by the system to end its app")
            }
        }
    }

    private func hear(_ event: CompanionEvent, of index: Int) throws {
        trace.note(now, index, "\(event)", event.storyKind, told: event.told)
        try promises.heard(event, by: ends[index])
        let life = ends[index].lives
        switch event {
        case .receivedMessage(let id, _, expectsReply: true):
            // One in eight takes longer than anybody waits.
            let delay: Int64 = id.number.isMultiple(of: 8) ? 70_000 : 300
            schedule(.answer(index, id, life: life), at: now + delay)
        case .receivedUserInfo(let info) where info.wantsProcessed:
            schedule(.processed(index, info.id, life: life), at: now + 40_000)
        case .receivedFile(let file):
            let input = CompanionInput.app(.fileHandled(file.id))
            schedule(.input(index, input, life: life), at: now)
            if file.wantsProcessed {
                schedule(.processed(index, file.id, life: life), at: now + 40_000)
            }
        case .backgroundTask(let id):
            guard id % 10 >= UInt64(lanes.forgotten) else { return }
            schedule(.completeTask(index, id, life: life), at: now + 5_000)
        default: break
        }
    }
}
