package import LinnetWire

/// A message or transfer, named for good by the installation that sends it.
package struct TransferID: Hashable, Comparable, Sendable {
    /// Drawn at random when the sender's app was installed.
    package var installation: Bytes8
    /// Ascending within the installation, from 1.
    package var number: UInt64

    /// Joins the two halves.
    package init(installation: Bytes8, number: UInt64) {
        self.installation = installation
        self.number = number
    }

    /// Order of sending within one installation.
    package static func < (left: TransferID, right: TransferID) -> Bool {
        if left.installation != right.installation {
            return left.installation < right.installation
        }
        return left.number < right.number
    }
}
