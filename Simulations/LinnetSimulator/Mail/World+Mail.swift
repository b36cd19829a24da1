import LinnetReplication
import LinnetWire

extension World {
    /// Tells a member that has come up, or just joined, to use the mailbox.
    func useMailbox(_ device: SimulatedDevice) throws(Violation) {
        guard let mail, device.isRunning, device.isMember, mail.isNew(device) else { return }
        device.replica?.runMailboxes(
            true, packingFrom: mail.plan.inlineBytes, mergingFrom: mail.plan.smallPacks,
            shelvingFrom: mail.plan.shelfBytes)
        let effects: [Effect]
        do throws(ReplicaError) {
            effects =
                try device.replica?.addMailbox(
                    MailWorld.address, at: device.moment(now)
                ).1 ?? []
        } catch {
            // A disk that fails ends the process; the next one tries again.
            return try crash(device, power: false)
        }
        try perform(effects, of: device)
    }

    /// Carries out what a replica wants of its mailbox.
    func perform(_ effect: MailEffect, of device: SimulatedDevice) throws(Violation) {
        switch effect {
        case .ended(_, let round):
            coverage.reached(round.failure == nil ? .mailboxRead : .mailboxFailed)
        case .ask(let id, let request):
            guard let mail else { return }
            if case .put(let object) = request {
                try expose(object.bytes, from: device.index, "lies in a mailbox")
                try expose(
                    Array(object.name.text.utf8), from: device.index, "is a name in a mailbox")
                try notePut(object, in: id, by: device)
            }
            let call = MailCall(
                device: device.index, life: device.lives, mailbox: id, request: request)
            queue.schedule(.mail(call), at: now + mail.answerTime())
        }
    }

    /// Lets the store answer. A request of a process that is gone is carried out as well.
    func perform(_ call: MailCall) throws(Violation) {
        guard let mail else { return }
        let device = devices[call.device]
        // A machine that sleeps hears the answer when it wakes.
        if device.state == .asleep, device.lives == call.life {
            return queue.schedule(.mail(call), at: now + MailWorld.patienceMilliseconds)
        }
        var answer: MailAnswer? = .failed("no answer")
        if !call.isGivenUp {
            if case .delete(let name) = call.request, let owner = mail.store.owner(of: name) {
                try inspector.show(.mailDeleted(device: device.index, name, leftBy: owner))
            }
            let before = mail.store.changes
            answer = mail.store.answer(call.request, of: call.device, at: now, &coverage)
            tellNews(of: call.device, isNews: mail.store.changes > before)
        }
        if case .get(let name) = call.request, case .bytes(let bytes) = answer {
            let isWhole = bytes.map { mail.isWhole(name, $0) } ?? false
            try inspector.show(.mailGot(device: device.index, name, isWhole: isWhole))
        }
        guard let answer else {
            var late = call
            late.isGivenUp = true
            queue.schedule(.mail(late), at: now + MailWorld.patienceMilliseconds)
            return
        }
        guard device.isRunning, device.lives == call.life else { return }
        try feed(device, .mailAnswered(call.mailbox, call.request, answer))
    }

    /// Lets every device look into an honest mailbox, round by round, until all are the same.
    func convergeByMailbox() throws -> Int {
        try replaceWords()
        for round in 1...MailWorld.roundsMaximum {
            trace.recorder?.phase(
                now, "Round \(round): every device looks into the mailbox",
                why: "After at most \(MailWorld.roundsMaximum) rounds all must hold and show the"
                    + " same.")
            for device in devices where device.isRunning {
                guard let id = device.replica?.mailboxes.first?.id else { continue }
                let effects = try device.replica?.beginMailRound(id, at: device.moment(now))
                try perform(effects ?? [], of: device)
                try run(until: now + 2 * MailWorld.patienceMilliseconds)
            }
            if difference() == nil, try doorTrouble() == nil, packTrouble() == nil {
                try takeAtOnce()
                try checkRows()
                return round
            }
        }
        let trouble = try doorTrouble() ?? packTrouble() ?? ""
        let (message, devices) = difference() ?? (trouble, [])
        throw LivenessFailure(
            message: "after \(MailWorld.roundsMaximum) rounds by mailbox \(message)",
            devices: devices)
    }
}
