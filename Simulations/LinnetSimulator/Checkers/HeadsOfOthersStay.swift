import LinnetReplication

/// A head in a mailbox is deleted by the device alone that left it.
final class HeadsOfOthersStay: Checker {
    let invariant = Invariant.headsOfOthersStay
    let sights: [Sight.Kind] = [.mailDeleted]
    private let known: Knowledge

    init(_ known: Knowledge) { self.known = known }

    func observe(_ sight: Sight) throws(Violation) {
        guard case .mailDeleted(let device, let name, let owner) = sight, name.kind == .head,
            device != owner, !known.areOne(device, owner)
        else { return }
        throw violation("it deletes the head \(name.text) of device \(owner)", on: device)
    }
}
