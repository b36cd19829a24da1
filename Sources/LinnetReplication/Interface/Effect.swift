package import LinnetCompanion
package import LinnetWire

/// A request of a replica to its shell; requests are carried out in order.
///
/// A replica returns effects only after the transaction that justifies them has committed.
package enum Effect: Equatable, Sendable {
    /// Hand these bytes to the link.
    case send(LinkID, [UInt8])
    /// Flush what was sent, then close the link; no `linkClosed` is expected back.
    case close(LinkID)
    /// Tell those who observe the replica.
    case notify(Event)
    /// Do what the companion lanes ask for: call the app, read a file, wake somebody.
    case lane(CompanionEffect)
    /// Ask the store behind a mailbox, or hear that a look into it is over.
    case mail(MailEffect)
    /// Remember this mark outside the database, before the sends that follow.
    case witness(WitnessMark)
}

/// The mark that the shell keeps outside the database, so that a restored or copied database is
/// noticed.
package struct WitnessMark: Equatable, Sendable {
    /// The incarnation that wrote.
    package var incarnation: Incarnation
    /// The number of batches that this incarnation has authored.
    package var highestSent: UInt64

    /// Joins the two facts.
    package init(incarnation: Incarnation, highestSent: UInt64) {
        self.incarnation = incarnation
        self.highestSent = highestSent
    }
}

/// The finding of the shell when it compared the witness with the machine and the database file.
package enum WitnessState: Equatable, Sendable {
    /// Machine and file are the same; this is the mark as it was last remembered.
    case intact(WitnessMark)
    /// There is no witness file.
    case missing
    /// The home moved, was copied or was restored; the text says how that shows.
    case mismatch(String)
}
