import Linnet
import LinnetAPI
import LinnetControl
import LinnetDesktop
import LinnetMedication
import LinnetSystem
import Synchronization

/// Shows reminders on the desktop while `linnet run` serves a home, and does what is chosen there.
final actor ReminderKeeper {
    /// The time between two looks at the clock. A machine that slept is late by this much.
    private static let tick = Duration.seconds(5)
    /// The longest time without a look: a day on which something expires begins by itself.
    private static let longestMilliseconds: Int64 = 900_000
    /// The time after which something that could not be shown is tried again.
    private static let retryMilliseconds: Int64 = 60_000
    /// The pause after a look, since each reads all records.
    private static let rest = Duration.milliseconds(500)

    private let node: Node
    private let options: ReminderOptions
    private let output: Output
    private let desktop: Desktop
    private nonisolated let occasions: ReminderOccasions
    /// The moment of the next look, in Unix milliseconds.
    private nonisolated let next = Mutex<Int64>(0)
    private var board = ReminderBoard()
    /// The numbers of what is shown, by the keys of the notices.
    private var numbers: [String: UInt32] = [:]
    /// The last complaint, so that it is said once.
    private var complaint: String?

    /// Prepares; nil when the system has no thread left.
    init?(_ node: Node, _ options: ReminderOptions, _ output: Output) {
        let occasions = ReminderOccasions()
        guard let desktop = Desktop(tell: { occasions.happened($0) }) else { return nil }
        (self.node, self.options, self.output) = (node, options, output)
        (self.desktop, self.occasions) = (desktop, occasions)
    }

    /// Notes that records may have changed.
    nonisolated func recordsChanged() { occasions.look() }

    /// Ends `run`, which takes the notices away: nobody would hear what is chosen.
    nonisolated func stop() { occasions.end() }

    /// Shows reminders until it is stopped.
    func run() async {
        let clock = Task { [occasions] in
            while !Task.isCancelled {
                if SystemClock.now().wallMilliseconds >= self.next.withLock({ $0 }) {
                    occasions.look()
                }
                do { try await Task.sleep(for: Self.tick) } catch { return }
            }
        }
        defer { clock.cancel() }
        for await occasion in occasions.stream {
            if occasions.hasEnded { break }
            switch occasion {
            case .look:
                occasions.begin()
                await look()
                try? await Task.sleep(for: Self.rest)
            case .desktop(let event): await take(event)
            }
        }
        await closeAll()
        await desktop.stop()
    }

    private func take(_ event: DesktopEvent) async {
        switch event {
        case .chosen(let number, let action):
            guard let key = numbers.first(where: { $0.value == number })?.key else { return }
            await carryOut(action, key)
        case .closed(let number):
            guard let key = numbers.first(where: { $0.value == number })?.key else { return }
            numbers[key] = nil
            board.wasClosed(key)
        case .serverChanged, .lost:
            for key in numbers.keys { board.wasLost(key) }
            numbers = [:]
            occasions.look()
        }
    }

    /// Says something once, until something else is to be said.
    private func complain(_ text: String) {
        guard complaint != text else { return }
        complaint = text
        RunLog.write(
            ["event": "warning", "warning": "reminders", "device": .null, "text": .text(text)],
            "warning: \(text)", output, .warning)
    }

    private func tell(_ state: String, _ notice: ReminderNotice, _ action: String? = nil) {
        let word =
            switch notice.matter {
            case .dose(_, let kind): kind.rawValue
            case .alert(let alert): alert.word
            }
        RunLog.write(
            [
                "event": "reminder", "state": .text(state), "kind": .text(word),
                "action": action.map(JSON.text) ?? .null,
            ], "a reminder (\(word)) was \(state)" + (action.map { ": \($0)" } ?? ""), output)
    }
}

extension ReminderKeeper {
    private func look() async {
        let now = Instant(milliseconds: SystemClock.now().wallMilliseconds)
        var following = now.advanced(byMilliseconds: Self.longestMilliseconds)
        defer { next.withLock { [following] in $0 = following.milliseconds } }
        if await node.isLocked { return complain("reminders wait until the device is unlocked") }
        do throws(ControlFailure) {
            let zone = try ZoneFiles.zone(named: ZoneFiles.current)
            let book = try await BookReader.book(Gateway(of: node))
            let facts = try MedicineDesk.asked { () throws(MedicationError) in
                try ReminderFacts(
                    book, now: now, zone: zone, zones: ZoneFiles.table(zone, for: book))
            }
            let quietEnd = options.quietHours?.end(at: now, in: zone)
            following = [facts.next, quietEnd].compactMap(\.self).reduce(following, min)
            let text = ReminderText(
                book: book, time: MedTime(zone: zone, now: now), isDiscreet: options.isDiscreet,
                mayWrite: try await mayWrite())
            for order in board.update(facts, isQuiet: quietEnd != nil) {
                guard await obey(order, text) else { continue }
                following = min(following, now.advanced(byMilliseconds: Self.retryMilliseconds))
            }
        } catch {
            complain("reminders are not known: \(error.message)")
        }
    }

    private func mayWrite() async throws(ControlFailure) -> Bool {
        do throws(LinnetError) {
            let role = try await node.status().devices.first(where: \.isSelf)?.role
            return role == .admin || role == .member
        } catch {
            throw ControlFailure(error)
        }
    }

    /// Does what is to be done; returns true when it is to be tried again.
    private func obey(_ order: ReminderBoard.Order, _ text: ReminderText) async -> Bool {
        switch order {
        case .close(let key):
            guard let number = numbers.removeValue(forKey: key) else { return false }
            do throws(DesktopError) {
                try await desktop.close(number)
            } catch {
                complain(Self.sentence(error))
            }
        case .show(let notice):
            do throws(DesktopError) {
                numbers[notice.key] = try await desktop.show(
                    text.notice(notice), replacing: numbers[notice.key])
                complaint = nil
                tell("shown", notice)
            } catch {
                // The next look tries again, or the server that comes.
                board.wasLost(notice.key)
                numbers[notice.key] = nil
                complain(Self.sentence(error))
                return true
            }
        }
        return false
    }

    /// Writes what was chosen, and closes the notice: the server may leave it there.
    private func carryOut(_ action: String, _ key: String) async {
        guard let notice = board.shown[key], let dose = notice.dose,
            let action = Reminder.Action(rawValue: action), notice.actions.contains(action)
        else { return }
        do {
            try await write(action, dose, notice)
            tell("chosen", notice, action.rawValue)
        } catch let failure as MedicationFailure<LinnetError> {
            switch failure {
            case .refused(let error): complain(MedText.sentence(for: error))
            case .repository(let error): return complain("\(ControlFailure(error).message)")
            }
        } catch {
            return complain("the choice was not written: \(error)")
        }
        board.wasClosed(key)
        if let number = numbers.removeValue(forKey: key) {
            do throws(DesktopError) {
                try await desktop.close(number)
            } catch {
                complain(Self.sentence(error))
            }
        }
    }

    private func write(
        _ action: Reminder.Action, _ dose: DoseLine, _ notice: ReminderNotice
    ) async throws {
        let now = Instant(milliseconds: SystemClock.now().wallMilliseconds)
        let own = try await node.status().devices.first(where: \.isSelf)
        let (device, witness) = (own?.device.name ?? "", String(node.id.prefix(16)))
        let intent = notice.intent(action, of: node.id)
        let zone = try ZoneFiles.zone(named: ZoneFiles.current)
        let zones = ZoneFiles.table(zone, for: try await BookReader.book(Gateway(of: node)))
        try await node.transaction { transaction in
            var diary = MedicationDiary(
                transaction.medication, at: now, in: zone.name, zones: zones,
                device: device.isEmpty ? "unnamed device" : device, witness: witness)
            var note = DoseNote()
            note.scheduled = dose.scheduled
            switch action {
            case .take: try diary.take(dose.medication, note, intent: intent)
            case .skip: try diary.skip(dose.medication, note, intent: intent)
            case .snooze: try diary.snooze(dose.medication, note, intent: intent)
            case .open: break
            }
        }
    }

    private func closeAll() async {
        for number in numbers.values {
            do throws(DesktopError) { try await desktop.close(number) } catch { return }
        }
    }

    /// Returns what is wrong with the desktop, and the remedy.
    static func sentence(_ error: DesktopError) -> String {
        switch error {
        case .noBus:
            "no reminder can be shown: there is no session bus; start 'linnet run --remind' in the"
                + " desktop's session"
        case .noServer:
            "no reminder can be shown: nobody on the session bus shows notifications; start the"
                + " desktop's notification service"
        case .refused(let text):
            "the desktop refused a reminder: \(TerminalText.neutral(text))"
        case .failed(let call, let code):
            "the call \(call) of the session bus failed with error \(code)"
        }
    }
}
