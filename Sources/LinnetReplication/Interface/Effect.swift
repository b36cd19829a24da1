package import LinnetCompanion
package import LinnetWire

/// What a replica asks of its shell, to be performed in order.
///
/// A replica returns effects only after the transaction that justifies them has committed.
package enum Effect: Equatable, Sendable {
    /// Hand these bytes to the link.
    case send(LinkID, [UInt8])
    /// Flush what was sent, then close the link; no `linkClosed` is expected back.
    case close(LinkID)
    /// Tell whoever observes.
    case notify(Event)
    /// Do what the companion lanes ask for: call the app, read a file, wake somebody.
    case lane(CompanionEffect)
    /// Remember this mark outside the database, before the sends that follow.
    case witness(WitnessMark)
}

/// What the shell keeps outside the database, so that a restored or copied database betrays itself.
package struct WitnessMark: Equatable, Sendable {
    /// The incarnation that wrote.
    package var incarnation: Incarnation
    /// How many batches this incarnation has authored.
    package var highestSent: UInt64

    /// Joins the two facts.
    package init(incarnation: Incarnation, highestSent: UInt64) {
        self.incarnation = incarnation
        self.highestSent = highestSent
    }
}

/// What the shell found when it compared the witness with the machine and the database file.
package enum WitnessState: Equatable, Sendable {
    /// The same machine and file; the mark as it was last remembered.
    case intact(WitnessMark)
    /// There is no witness file.
    case missing
    /// The home moved, was copied or was restored; the text says how that shows.
    case mismatch(String)
}
