import LinnetAPI
import LinnetControl

/// The options of `linnet run` about reminders.
struct ReminderOptions: Sendable {
    static let options = [
        Option("remind", nil, "show reminders of medicines on the desktop, with buttons"),
        Option("quiet-hours", "TIMES", "remind: show nothing new then, as in 22:00-07:00"),
        Option("discreet", nil, "remind: show no names of medicines"),
    ]

    /// The hours in which nothing new is shown; nil without any.
    let quietHours: QuietHours?
    /// True when no name of a medicine is shown.
    let isDiscreet: Bool

    /// Reads the options; nil when nobody is to be reminded.
    init?(_ arguments: Arguments) throws(ControlFailure) {
        guard arguments.has("remind") else {
            for name in ["quiet-hours", "discreet"] where arguments.has(name) {
                throw .usage("--\(name) needs --remind")
            }
            return nil
        }
        quietHours = try arguments.value("quiet-hours").map {
            (text) throws(ControlFailure) in try QuietHours(text)
        }
        isDiscreet = arguments.has("discreet")
    }
}
