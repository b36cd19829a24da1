import LinnetCRDT
import LinnetStorage
import LinnetWire

/// The base that a peer is given in a session.
struct BaseServing {
    /// True when the peer takes bases.
    var isTaken = false
    /// True when the peer lacks batches that are not kept here.
    var isDue = false
    /// The base that was offered, until the peer has it.
    private(set) var offer: BaseOffer?
    private(set) var id: Bytes16?
    var asked: BaseGetMessage?

    /// True when the peer was told of the floors here, which are above those of its base.
    var saidFloors = false
    /// True when the floors were raised to those of the peer.
    var wasRaised = false

    /// True while the floors may not rise, since the peer takes what is below them.
    var isUnderWay: Bool { offer != nil }

    mutating func begin(_ offer: BaseOffer, named id: Bytes16) {
        (self.offer, self.id, isDue) = (offer, id, false)
    }

    mutating func end() { (offer, id, asked) = (nil, nil, nil) }
}
