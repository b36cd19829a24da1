/// The knowledge that a device has of its group's recovery phrase.
package struct RecoveryStanding: Equatable, Sendable {
    /// The maker of the key that can be used now.
    package enum Key: Equatable, Sendable {
        /// The group was founded without one, and can have none.
        case absent
        /// No phrase was made yet; the device that founded the group holds the key, and that is
        /// this one or another.
        case founding(isHere: Bool)
        /// A person made it of a phrase, at this Unix time.
        case phrase(createdMilliseconds: Int64)
    }

    /// The key.
    package let key: Key
    /// True where devices leave doors for the phrase in mailboxes: it was drawn.
    package let opensDoors: Bool
    /// The Unix time at which a person last showed on this device that the phrase is right; nil
    /// when nobody did.
    package let testedMilliseconds: Int64?

    /// The time after which a person is asked to test the phrase again, in milliseconds: a year.
    package static let testEvery: Int64 = 365 * 86_400_000

    /// True when the phrase was neither made nor tested for a year.
    package func isTestDue(at wallMilliseconds: Int64) -> Bool {
        guard case .phrase(let created) = key else { return false }
        return wallMilliseconds - max(created, testedMilliseconds ?? 0) > Self.testEvery
    }
}
