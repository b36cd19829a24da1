import LinnetReplication
import LinnetStorage
import LinnetWire

extension World {
    func backUp(_ device: SimulatedDevice) {
        guard device.state != .asleep else { return }
        device.backup = HomeImage(
            files: device.backend.image(), witness: device.witness, lives: device.lives)
    }

    /// A home goes back to its backup.
    func restore(_ device: SimulatedDevice, _ way: RestoreWay) throws(Violation) {
        guard let backup = device.backup, device.isRunning else { return }
        try stop(device)
        guard device.state == .off else { return }
        device.backend.powerOn()
        device.backend.restore(backup.files)
        inspector.known.wentBack(device.index)
        switch way {
        case .newerWitness:
            coverage.happened(.restoreWithWitness)
            // Every second backup is copied into the old file, and only the count betrays it.
            if device.lives.isMultiple(of: 2) {
                device.fate.witnessDoubt = "the database file is another file"
            }
        case .withoutWitness:
            coverage.happened(.restoreWithoutWitness)
            device.witness = nil
        case .wholeMachine:
            coverage.happened(.rollback)
            device.witness = backup.witness
        }
        let before = inspector.views[device.index].incarnation
        let isOlder = (device.witness?.highestSent ?? 0) > backup.witness?.highestSent ?? 0
        try start(device)
        guard device.isRunning else { return }
        try inspector.show(
            .restored(
                .init(
                    device: device.index, lostOwn: way == .newerWitness && isOlder, before: before,
                    now: device.replica?.incarnation)))
    }

    /// A copy of a home starts beside it.
    func clone(_ device: SimulatedDevice, _ withWitness: Bool) throws(Violation) {
        guard device.isRunning, device.isMember, devices.count < 12 else { return }
        coverage.happened(withWitness ? .cloneWithWitness : .cloneWithoutWitness)
        let image = device.backend.image()
        let copy = addDevice(
            name: device.name + "'", identity: device.identity, version: device.version)
        copy.clock = device.clock
        copy.backend.powerOn()
        copy.backend.restore(image)
        if withWitness {
            copy.witness = device.witness
        } else {
            copy.fate.witnessDoubt = "the home is on another machine"
        }
        inspector.known.wentBack(copy.index)
        inspector.views[copy.index].past.hasRotted = inspector.views[device.index].past.hasRotted
        inspector.views[copy.index].past.hasRottenRows =
            inspector.views[device.index].past.hasRottenRows
        inspector.known.wentBack(device.index)
        try start(copy)
    }

    /// Adds a device that is not started yet.
    @discardableResult
    func addDevice(name: String, identity: Int, version: Int) -> SimulatedDevice {
        let index = devices.count
        let device = SimulatedDevice(
            of: plan, index: index, name: name, identity: identity, version: version)
        devices.append(device)
        inspector.add(version: version)
        return device
    }
}

extension DiskTrouble {
    /// Arms a fault of a device's disk; the model of a store has none.
    func apply(to device: SimulatedDevice, _ world: World, _ salt: UInt64) {
        guard case .sqlite(let disk) = device.backend, device.isRunning else { return }
        switch self {
        case .syncFailure(let calls): disk.failSync(calls)
        case .writeError(let calls): disk.failWrite(calls)
        case .readError(let calls): disk.failRead(calls)
        case .full(let bytes): disk.fill(after: bytes)
        case .empty: disk.empty()
        case .rot: world.rot(device, disk, salt)
        // These take the process along.
        case .loss, .failedOpening: break
        }
    }
}

extension World {
    /// Changes one bit of a row, or of a batch that a device stores and another device has, too:
    /// a row is made anew from the batches, so that one disk loses either.
    func rot(_ device: SimulatedDevice, _ disk: Disk, _ salt: UInt64) {
        var random = SeededRandom(seed: salt)
        if !inspector.views[device.index].past.hasRotted, random.chance(1, in: 2) {
            return rotRow(device, disk, &random)
        }
        guard !inspector.views[device.index].past.hasRottenRows else { return }
        let view = inspector.views[device.index]
        let rows = view.rows.filter { $0.stored >= $0.first }
        guard !rows.isEmpty else { return }
        let row = random.pick(rows)
        let seq = row.first + UInt64(random.below(Int(row.stored - row.first + 1)))
        let id = try? device.replica?.storeForReading.batchID(chain: row.index, seq: seq)
        guard let fact = id.flatMap({ inspector.catalogue.number($0) }) else { return }
        let isElsewhere = inspector.views.indices.contains {
            $0 != device.index && inspector.views[$0].held.contains(fact)
        }
        // Without another holder the rows are all that is left of it, so they must hold it.
        guard isElsewhere || canBeSaidAgain(row, seq, device) else { return }
        let sealed = try? device.replica?.log.sealedBytes(chain: row, seq: seq)
        guard let ciphertext = sealed?.ciphertext, disk.rot(ciphertext) else { return }
        coverage.happened(.bitRot)
        inspector.views[device.index].past.hasRotted = true
    }

    /// True when a device can say one of its batches again when it is lost.
    private func canBeSaidAgain(
        _ row: ChainRow, _ seq: UInt64, _ device: SimulatedDevice
    ) -> Bool {
        let past = inspector.views[device.index].past
        guard row.device == device.replica?.device, row.parent == nil, row.forkedAt == nil,
            seq <= row.folded, !past.wentBack, device.version == plan.schemas.count - 1
        else { return false }
        coverage.reached(.ownBatchLost)
        return true
    }

    private func rotRow(_ device: SimulatedDevice, _ disk: Disk, _ random: inout SeededRandom) {
        guard let store = device.replica?.storeForReading as? SQLiteStore,
            let names = try? store.recordNames(after: nil, limit: .max), !names.isEmpty
        else { return }
        let name = random.pick(names)
        let found = try? store.sealedRow(collection: name.collection, id: name.id)
        guard let sealed = found ?? nil, disk.rot(sealed) else { return }
        coverage.happened(.bitRot)
        inspector.views[device.index].past.hasRottenRows = true
    }
}

extension SimulatedDevice {
    /// A device of a plan on a disk of its own.
    convenience init(of plan: Plan, index: Int, name: String, identity: Int, version: Int) {
        let random = SeededRandom(seed: plan.seed).fork("device", index)
        let backend: Backend =
            switch plan.store {
            case .sqlite: .sqlite(Disk(name: "d\(index)", random: random.fork("disk")))
            case .model: .model(ModelDisk())
            }
        self.init(
            index: index, name: name, identity: identity, backend: backend, version: version,
            random: random)
    }
}
