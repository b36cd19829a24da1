import LinnetAPI
import LinnetControl

/// One scene of the day: its events, and the claims that must hold afterwards.
struct DemoScene: Sendable {
    /// The word that chooses the scene.
    let name: String
    /// The subject of the scene, in one line.
    let title: String
    /// Plays the scene and checks its claims.
    let play: @Sendable (DemoDay) async throws(ControlFailure) -> Void

    /// Every scene in the order of the day, but for the first: the meeting belongs to all.
    static let all = [
        companionWatch, bothTap, dosageChanged, undoAgainstTap, editApart, widget, travel,
        deleteApart, monthsNotHeld, lostPhone,
    ]

    /// Returns the scene of a name, or all of them without a name; throws when no scene has it.
    static func chosen(_ name: String?) throws(ControlFailure) -> [DemoScene] {
        guard let name else { return all }
        guard let scene = all.first(where: { $0.name == name }) else {
            let names = all.map(\.name).joined(separator: ", ")
            throw .usage("there is no scene '\(name)'; there are \(names)")
        }
        return [scene]
    }
}
