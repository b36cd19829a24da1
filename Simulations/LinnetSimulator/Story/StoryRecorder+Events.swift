import LinnetCRDT
import LinnetReplication
import LinnetWire

/// The words of replicas about themselves.
extension StoryRecorder {
    func hear(_ event: Event, _ time: Int64, _ device: Int) {
        let subject = "Device \(device)"
        switch event {
        case .recordsChanged(let keys):
            guard !isNamedByInspector else { return }
            attach(time, device, .visible, "\(subject) shows something new") { item in
                for key in keys { item.show(names.record(key)) }
            }
        case .sessionClosed(_, let peer, let reason):
            guard let told = reason.told else { return }
            let other = peer.map { " with " + name($0) } ?? ""
            attach(time, device, .session, "\(subject): a session\(other) ends") { item in
                item.add("\(subject): the session\(other) ends, since \(told).")
            }
        case .peerInStep(let peer):
            attach(time, device, .session, "\(subject) is in step with \(name(peer))") { item in
                item.add("\(subject) knows that \(name(peer)) holds the same batches.")
            }
        case .pairingFailed(_, let failure, _):
            add(
                StoryItem(
                    .membership, time, device,
                    "\(subject): a pairing fails: "
                        + StoryWords.plain("\(failure)")))
        case .paired(_, let peer, _):
            add(
                StoryItem(
                    .membership, time, device, to: number(of: peer),
                    "\(subject) is paired with \(name(peer))"))
        case .memberAdded(let peer):
            attach(time, device, .membership, "\(subject) learns of a new member") { item in
                item.add("\(subject) knows \(name(peer)) as a member.")
            }
        case .memberRemoved(let peer, let author):
            add(
                StoryItem(
                    .membership, time, device, to: number(of: peer),
                    "\(subject) learns that \(name(peer)) belongs to the group no more"
                        + (author.map { ", by \(name($0))" } ?? "")))
        case .warning(let warning):
            add(
                StoryItem(
                    .warning, time, device,
                    "\(subject) warns: \(warning.told { self.name($0) })"))
        case .storeFailed(let error):
            add(StoryItem(.fault, time, device, "\(subject)'s store fails: \(error)"))
        case .wipeAsked:
            add(StoryItem(.membership, time, device, "\(subject) is asked to destroy itself"))
        case .differenceEnded(let peer):
            attach(time, device, .session, "\(subject) is at one with \(name(peer))") { item in
                item.add("\(subject) and \(name(peer)) show the same again.")
            }
        case .sessionOpened, .batchApplied, .pairingRequest, .schemaShown, .fileGrew,
            .fileEnded:
            break
        }
    }

    private func number(of device: DeviceID) -> Int? { seen.firstIndex { $0.device == device } }

    /// Sights that an inspector shows to checkers tell which batches became visible.
    func saw(_ sight: Sight, _ known: Knowledge) {
        switch sight {
        case .renewed(let device, let before, _):
            grow(to: device)
            applied[device] = before.applied
        case .shown(let device, let numbers):
            grow(to: device)
            let new = numbers.filter { !applied[device].contains($0) }
            for number in new { applied[device].insert(number) }
            show(new, on: device, known)
        default: break
        }
    }

    private func grow(to device: Int) {
        while applied.count <= device { applied.append(FactSet()) }
    }

    private func show(_ facts: [Int], on device: Int, _ known: Knowledge) {
        guard !facts.isEmpty else { return }
        attach(known.now, device, .visible, "Device \(device) shows something new") { item in
            for fact in facts {
                for record in records(of: known.catalogue.operationsOfFact[fact]) {
                    item.show(record)
                }
            }
        }
    }

    /// The records of a batch, each with the fields that it changes.
    private func records(of operations: [FactOperation]) -> [String] {
        var keys: [RecordKey] = []
        var fields: [RecordKey: [UInt32]] = [:]
        for entry in operations {
            if fields[entry.key] == nil { keys.append(entry.key) }
            let field = entry.operation.field
            if fields[entry.key]?.contains(field) != true {
                fields[entry.key, default: []].append(field)
            }
            // More than an item lists is not looked at.
            if keys.count > 4 * StoryItem.most { break }
        }
        return keys.map { names.record($0, fields: fields[$0] ?? []) }
    }
}
