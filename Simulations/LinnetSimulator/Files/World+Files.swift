import LinnetCRDT
import LinnetReplication
import LinnetStorage
import LinnetWire

extension World {
    /// Tells a device that has come up which files to fetch by itself.
    func followFilePolicy(_ device: SimulatedDevice) {
        guard let files, device.isRunning, files.isNew(device) else { return }
        device.replica?.filePolicy = files.policy(of: device)
    }

    func perform(_ step: FileStep, on device: SimulatedDevice) throws(Violation) {
        guard device.isRunning, device.isMember, !inspector.views[device.index].isDamaged else {
            return
        }
        let key = AlbumWorkload.picture(step.picture)
        if step.kind == .fetch { return try fetch(key, on: device) }
        let begun: (owner: Int64, key: [UInt8])
        do throws(ReplicaError) {
            guard let one = try device.replica?.beginFile(in: key, field: AlbumWorkload.image)
            else { return }
            begun = one
        } catch {
            return try filesFailed(error, on: device)
        }
        let made = try Self.cut(step.content, key: begun.key)
        let isWhole = step.kind == .attach
        let kept = isWhole ? made.chunks : Array(made.chunks.prefix((made.chunks.count + 1) / 2))
        guard try keep(kept, owner: begun.owner, on: device) else { return }
        switch step.kind {
        case .die: return try crash(device, power: false)
        case .giveUp: device.replica?.abandonFile(owner: begun.owner)
        case .attach, .fetch: try end(made, step.content, begun.owner, at: key, on: device)
        }
        scheduleWake(device)
    }

    /// Asks for the file that shows in a record.
    private func fetch(_ key: RecordKey, on device: SimulatedDevice) throws(Violation) {
        guard let file = try shown(key, on: device) else { return }
        let effects: [Effect]
        do throws(FileReading) {
            effects = try device.replica?.fetchFile(file, at: device.moment(now)).1 ?? []
        } catch {
            return try filesFailed(error, on: device)
        }
        try perform(effects, of: device)
    }

    /// Returns what a content becomes, all at once.
    private static func cut(
        _ content: FileContent, key: [UInt8]
    ) throws(Violation) -> (file: FileValue, chunks: [SealedChunk]) {
        do throws(FileFault) {
            var writer = FileWriter(key: key)
            var chunks: [SealedChunk] = []
            try writer.push(content.made)
            while case let more = try writer.rest(), !more.isEmpty { chunks += more }
            let end = try writer.finish(name: "\(Canary.text).png", mediaType: "image/png")
            return (end.file, chunks + end.chunks)
        } catch {
            throw Violation(.filesAreWhole, "an honest file is refused: \(error)")
        }
    }

    /// Keeps chunks; false when the process did not survive that.
    private func keep(
        _ chunks: [SealedChunk], owner: Int64, on device: SimulatedDevice
    ) throws(Violation) -> Bool {
        for chunk in chunks {
            do throws(FileReading) {
                try device.replica?.keepChunks([chunk], owner: owner)
            } catch {
                try filesFailed(error, on: device)
                return false
            }
            if device.backend.isDown {
                coverage.happened(.crashAtDiskCall)
                try crash(device, power: true)
                return false
            }
        }
        return true
    }

    /// Commits the record that names a file.
    private func end(
        _ made: (file: FileValue, chunks: [SealedChunk]), _ content: FileContent, _ owner: Int64,
        at key: RecordKey, on device: SimulatedDevice
    ) throws(Violation) {
        files?.will(
            attach: content, as: made.file.digest,
            with: OrderedSet(made.chunks.map(\.entry.name)))
        let write = Write(key, [.set(FieldWrite(AlbumWorkload.image, made.file.value))])
        var hasEnded = false
        try commit([write], intent: nil, relaxed: false, on: device) {
            (device, _, moment) throws(ReplicaError) in
            let done = try device.replica?.endFile(
                made.file, owner: owner, in: key, field: AlbumWorkload.image, at: moment)
            hasEnded = done != nil
            return done
        }
        if hasEnded, device.isRunning { files?.keeps(made.file, on: device.index) }
        if !hasEnded { device.replica?.abandonFile(owner: owner) }
    }

    private func filesFailed(
        _ error: any Error, on device: SimulatedDevice
    ) throws(Violation) {
        switch error {
        case ReplicaError.storage, FileReading.storage:
            try crash(device, power: device.backend.isDown)
        case ReplicaError.noEpochKey, ReplicaError.upgradeNeeded: break
        default:
            throw Violation(
                .filesAreWhole, "an honest file is refused: \(error)", devices: [device.index])
        }
    }
}

// The looks at files.
extension World {
    /// Hears of files on a device.
    func noticeFiles(_ event: Event, on device: SimulatedDevice) throws(Violation) {
        switch event {
        case .fileGrew(let file, let done, _): files?.grew(file, to: done, on: device.index)
        case .fileEnded(_, nil):
            coverage.reached(.fileFetched)
            try showFiles(of: device)
        case .fileEnded(_, let fault?):
            throw Violation(
                .filesAreWhole, "the fetching of a file ended: \(fault)", devices: [device.index])
        default: break
        }
    }

    /// Shows the checkers the files that a device has.
    private func showFiles(of device: SimulatedDevice) throws(Violation) {
        for number in 0..<AlbumWorkload.pictures {
            let key = AlbumWorkload.picture(number)
            guard let file = try shown(key, on: device), try holds(file, device) else { continue }
            files?.keeps(file, on: device.index)
            let content = try content(of: file, on: device)
            try inspector.show(
                .file(
                    device: device.index, content,
                    isAttached: files?.contents[file.digest]?.made == content))
        }
    }

    private func shown(
        _ key: RecordKey, on device: SimulatedDevice
    ) throws(Violation) -> FileValue? {
        do throws(ReplicaError) {
            return try device.replica?.file(in: key, field: AlbumWorkload.image)
        } catch {
            throw Violation(.noTraps, "a record cannot be read: \(error)", devices: [device.index])
        }
    }

    private func holds(_ file: FileValue, _ device: SimulatedDevice) throws(Violation) -> Bool {
        do throws(ReplicaError) {
            return try device.replica?.holds(file) ?? false
        } catch {
            throw Violation(.noTraps, "a chunk cannot be read: \(error)", devices: [device.index])
        }
    }

    /// Returns the content of a file that is said to be here; nil when it does not read.
    private func content(
        of file: FileValue, on device: SimulatedDevice
    ) throws(Violation) -> [UInt8]? {
        var reader = FileReader(file)
        var content: [UInt8] = []
        do throws(FileReading) {
            while let more = try device.replica?.readFile(&reader) ?? nil { content += more }
            return content
        } catch {
            if case .fault = error { return nil }
            throw Violation(.noTraps, "a chunk cannot be read: \(error)", devices: [device.index])
        }
    }

    /// Lets every pair meet until each device has what it wants, and looks at all that is kept.
    func convergeFiles() throws {
        guard let files else { return }
        for round in 1...FileWorld.roundsMaximum {
            for left in devices.indices {
                for right in devices.indices where right > left {
                    try meet(
                        left, right, lasting: FileWorld.meetingMilliseconds, weather: .calm,
                        salt: plan.seed &+ UInt64(50_000 + round * 1_000 + left * 32 + right))
                    try run(until: now + FileWorld.meetingMilliseconds + 1_000)
                }
            }
            if try lackingFile() == nil { break }
        }
        if let (number, device) = try lackingFile() {
            throw LivenessFailure(
                message: "after \(FileWorld.roundsMaximum) rounds device \(device) has not got the"
                    + " file of picture \(number), which another one has", devices: [device])
        }
        for device in devices where device.isRunning {
            try showFiles(of: device)
            try device.lendReplica { (replica) throws(Violation) in
                try inspector.showChunks(of: device.index, replica, named: files.named)
            }
        }
        for device in devices { try restartToForget(device) }
    }

    /// Starts a device anew, which then forgets what was attached in vain, and nothing else.
    private func restartToForget(_ device: SimulatedDevice) throws(Violation) {
        guard device.isRunning else { return }
        try stop(device)
        try start(device)
        try run(until: now + 60_000)
        let past = inspector.views[device.index].past
        guard device.isRunning, !past.wentBack, !past.hasRotted else { return }
        for file in files?.kept[device.index] ?? [] where try !holds(file, device) {
            try inspector.show(.file(device: device.index, nil, isAttached: true))
        }
    }

    /// A picture whose file a device wants and lacks although another one has it.
    private func lackingFile() throws(Violation) -> (Int, Int)? {
        for device in devices where device.isRunning && files?.policy(of: device) == .all {
            for number in 0..<AlbumWorkload.pictures {
                let key = AlbumWorkload.picture(number)
                guard let file = try shown(key, on: device), try !holds(file, device) else {
                    continue
                }
                for other in devices where other.isRunning && other.index != device.index {
                    if try holds(file, other) { return (number, device.index) }
                }
            }
        }
        return nil
    }
}
