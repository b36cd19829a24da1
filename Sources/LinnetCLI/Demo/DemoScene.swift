import Linnet

/// One scene of the day: what happens, and what must hold afterwards.
struct DemoScene: Sendable {
    /// The word that chooses it.
    let name: String
    /// What it is about, in one line.
    let title: String
    /// Plays it and checks its claims.
    let play: @Sendable (DemoDay) async throws(ControlFailure) -> Void

    /// Every scene, in the order of the day; the first, in which the devices meet, belongs to all.
    static let all = [
        companionWatch, bothTap, dosageChanged, undoAgainstTap, editApart, widget, travel,
        deleteApart, monthsNotHeld,
    ]

    /// The scenes of a name, or all of them; throws when there is none of that name.
    static func chosen(_ name: String?) throws(ControlFailure) -> [DemoScene] {
        guard let name else { return all }
        guard let scene = all.first(where: { $0.name == name }) else {
            let names = all.map(\.name).joined(separator: ", ")
            throw .usage("there is no scene '\(name)'; there are \(names)")
        }
        return [scene]
    }
}
