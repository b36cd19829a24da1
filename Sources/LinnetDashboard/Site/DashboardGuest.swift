package import Linnet
package import LinnetAPI
package import LinnetControl

/// A screen that a program adds to the page of its node, with the verbs that it asks for.
package protocol DashboardGuest: Sendable {
    /// The name of the screen, as the page knows it.
    var screen: String { get }
    /// The moments at which the screen has something new to show.
    var news: AsyncStream<Void> { get }

    /// Carries out a verb of the screen; returns nil for a verb that it does not have.
    func carryOut(
        _ verb: String, _ members: VerbMembers
    ) async throws(ControlFailure) -> JSON?
}
