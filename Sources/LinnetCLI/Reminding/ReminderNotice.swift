import Linnet
import LinnetCRDT
import LinnetMedication

/// Something that a person is to be told about medicines.
struct ReminderNotice: Equatable, Sendable {
    /// The matter that it is about.
    enum Matter: Equatable, Sendable {
        /// A dose that comes, was put off until now, or was missed.
        case dose(DoseLine, Reminder.Kind)
        /// A stock that runs out, or a day after which a medicine is not to be used.
        case alert(MedicationAlert)
    }

    let matter: Matter
    /// One notice of a key takes the place of another.
    let key: String
    /// A notice of the same mark is shown once.
    let mark: String
    /// The number of events that were known of the dose: who chose something before, and had it
    /// taken back, wishes something new.
    let events: Int

    init(_ dose: DoseLine, _ kind: Reminder.Kind, fire: Instant?, events: Int) {
        matter = .dose(dose, kind)
        key = "dose " + dose.key.stockKey
        mark = "\(key) \(kind.rawValue) \(fire?.description ?? "")"
        self.events = events
    }

    /// Makes a notice of an alert that is not about a dose; nil of any other.
    init?(_ alert: MedicationAlert) {
        switch alert {
        case .lowStock(let view): key = "stock \(view.medication)"
        case .expiring(let medication, let day, _): key = "expires \(medication) \(day)"
        case .missed, .possibleDoubleDose, .aboveMaximum, .unknown: return nil
        }
        matter = .alert(alert)
        mark = key + " " + alert.word
        events = 0
    }

    /// The dose; nil where it is about none.
    var dose: DoseLine? {
        if case .dose(let line, _) = matter { line } else { nil }
    }

    /// The actions that a person can choose.
    var actions: [Reminder.Action] {
        guard case .dose(_, let kind) = matter else { return [] }
        return kind == .missed ? [.take, .skip] : [.take, .snooze, .skip]
    }

    /// Returns the name of the wish to do this about this dose, by this device, from this notice:
    /// choosing it twice is one wish.
    func intent(_ action: Reminder.Action, of device: String) -> String {
        RecordID(naturalKey: "reminder", mark, action.rawValue, "\(events)", device).description
    }
}
