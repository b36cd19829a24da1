import Linnet
import LinnetAPI
import LinnetDesktop
import LinnetMedication

/// The words of a reminder on the desktop.
struct ReminderText {
    let book: MedicationBook
    let time: MedTime
    /// True where others may look at the screen: no name of a medicine is shown.
    let isDiscreet: Bool
    /// True where this device may write what a person chooses.
    let mayWrite: Bool

    func notice(_ notice: ReminderNotice) -> DesktopNotice {
        let actions = mayWrite ? notice.actions.map(action) : []
        let isMissed = if case .dose(_, .missed) = notice.matter { true } else { false }
        guard !isDiscreet else {
            return DesktopNotice(
                title: notice.dose == nil ? "Something to look at" : "A reminder",
                body: notice.dose == nil ? "'linnet med alerts' says what." : Self.today,
                actions: actions, isUrgent: isMissed)
        }
        return DesktopNotice(
            title: title(notice), body: body(notice), actions: actions, isUrgent: isMissed)
    }

    private static let today = "'linnet med today' says which."

    private func title(_ notice: ReminderNotice) -> String {
        switch notice.matter {
        case .dose(let dose, let kind): return MedReminding.text(dose, kind, time)
        case .alert(let alert):
            let medication = alert.medication.flatMap { book.medication($0) }
            return MedText.text(alert, of: medication.map(MedText.name) ?? "")
        }
    }

    /// A server may claim to show actions and show none: so the body names the command, too.
    private func body(_ notice: ReminderNotice) -> String {
        guard let dose = notice.dose else { return "" }
        let name = TerminalText.isUnsafe(dose.name) || dose.name.contains("'") ? nil : dose.name
        let named = name.map { $0.contains(" ") ? "'\($0)'" : $0 } ?? dose.medication.description
        return "linnet med take \(named) --dose \(time.argument(dose.scheduled))"
    }

    private func action(_ action: Reminder.Action) -> DesktopNotice.Action {
        switch action {
        case .take: DesktopNotice.Action(action.rawValue, "Take")
        case .snooze: DesktopNotice.Action(action.rawValue, "Later")
        case .skip: DesktopNotice.Action(action.rawValue, "Skip")
        case .open: DesktopNotice.Action(action.rawValue, "Open")
        }
    }
}
