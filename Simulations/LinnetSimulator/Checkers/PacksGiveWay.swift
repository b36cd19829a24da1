import LinnetReplication
import LinnetWire

/// Whoever deletes a pack in a mailbox got another one itself that holds all of it; and of the
/// packs that hold all of it, one is deleted by nobody. A pack that came damaged is left anew, in
/// whatever objects, before it is deleted.
final class PacksGiveWay: Checker {
    let invariant = Invariant.packsGiveWay
    let sights: [Sight.Kind] = [.mailPut, .mailGot, .mailDeleted]
    /// The batches in packs, those that were deleted too.
    private var batches = OrderedTable<MailName, OrderedSet<BatchID>>()
    private var deleted = OrderedSet<MailName>()
    /// By device the packs that it was given whole.
    private var got: [Int: OrderedSet<MailName>] = [:]
    /// By device the packs that came damaged when it asked last.
    private var damaged: [Int: OrderedSet<MailName>] = [:]
    private let known: Knowledge

    init(_ known: Knowledge) { self.known = known }

    func observe(_ sight: Sight) throws(Violation) {
        switch sight {
        case .mailPut(_, let name, let held):
            batches[name] = held
            deleted.remove(name)
        case .mailGot(let device, let name, isWhole: true):
            got[device, default: OrderedSet()].insert(name)
            damaged[device]?.remove(name)
            deleted.remove(name)
        case .mailGot(let device, let name, isWhole: false):
            damaged[device, default: OrderedSet()].insert(name)
        case .mailDeleted(let device, let name, _):
            if damaged[device]?.contains(name) == true { return }
            guard let lost = batches[name], !lost.elements.isEmpty else { return }
            deleted.insert(name)
            let larger = batches.filter { other, held in
                other != name && lost.elements.allSatisfy(held.contains)
            }.map(\.key)
            guard larger.contains(where: { hasGot($0, device) }) else {
                throw violation(
                    "it deletes the pack \(name.text) and got none that holds all of it",
                    on: device)
            }
            guard larger.contains(where: { !deleted.contains($0) }) else {
                throw violation(
                    "it deletes the pack \(name.text), the last that holds all of it", on: device)
            }
        default: return
        }
    }

    /// True when a device was given a pack, in any of its homes.
    private func hasGot(_ pack: MailName, _ device: Int) -> Bool {
        got.contains { other, packs in
            (other == device || known.areOne(device, other)) && packs.contains(pack)
        }
    }
}
