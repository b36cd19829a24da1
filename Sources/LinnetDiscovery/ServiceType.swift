/// The two DNS-SD service types Linnet announces and browses.
package enum ServiceType: String, CaseIterable, Comparable, Sendable {
    /// A running member, recognised by its keyed tags.
    case member = "_linnet._tcp"
    /// A device that shows a pairing code or ticket right now.
    case pairing = "_linnet-pair._tcp"

    package static func < (left: ServiceType, right: ServiceType) -> Bool {
        left.rawValue < right.rawValue
    }
}
