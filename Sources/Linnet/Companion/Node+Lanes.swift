import LinnetCompanion
import LinnetReplication
import LinnetSystem
import LinnetWire

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

extension Node {
    /// The lanes; nil on a device that has none.
    var lanes: Companion? { replica?.companion }

    /// Gives the lanes an input.
    func laneInput(_ input: CompanionInput) throws(CompanionSessionError) {
        perform(try laneEffects(input))
    }

    /// Queues a transfer and returns its name.
    func laneTransfer(
        _ command: AppCommand
    ) throws(CompanionSessionError) -> CompanionTransferID {
        let effects = try laneEffects(.app(command))
        perform(effects)
        guard let id = accepted(effects) else { throw .stopped }
        return CompanionTransferID(id)
    }

    /// Sends a message and waits for its outcome.
    func sendLaneMessage(
        _ message: CompanionDictionary
    ) async throws(CompanionSessionError) -> CompanionDictionary {
        let effects = try laneEffects(
            .app(.sendMessage(.dictionary(PropertyDictionary(message)), expectsReply: true)))
        guard let id = accepted(effects) else {
            perform(effects)
            throw .stopped
        }
        let result = await withCheckedContinuation { continuation in
            laneDesk.replies[id] = continuation
            perform(effects)
        }
        return try result.get()
    }

    func laneEvents() -> AsyncStream<CompanionSessionEvent> {
        let (stream, continuation) = AsyncStream.makeStream(of: CompanionSessionEvent.self)
        guard replica != nil else {
            continuation.finish()
            return stream
        }
        laneDesk.lastStream += 1
        let number = laneDesk.lastStream
        laneDesk.streams[number] = continuation
        continuation.onTermination = { [weak self, loop] _ in
            loop.post { self?.assumeIsolated { $0.laneDesk.streams[number] = nil } }
        }
        return stream
    }

    /// Carries out what the lanes ask of the shell.
    func performLane(_ effect: CompanionEffect) {
        switch effect {
        case .tell(.messageFinished(let id, let outcome)): laneDesk.finished(id, outcome)
        case .tell(let event):
            guard let event = CompanionSessionEvent(event) else { return }
            for stream in laneDesk.streams.values { stream.yield(event) }
        case .readFile(let id, let reference, let offset, let count):
            sendPart(of: id, reference, offset: offset, count: count)
        // A node that runs is awake, and keeps no directories for its app.
        case .put, .remove, .store, .discard, .accepted, .send, .wakeCounterpart, .wakeApp,
            .removeWatchDirectory, .endApp:
            break
        }
    }

    private func laneEffects(
        _ input: CompanionInput
    ) throws(CompanionSessionError) -> [Effect] {
        guard replica != nil else { throw .stopped }
        // A transfer must be kept once it is taken on, and this disk keeps nothing.
        if unwritable != nil { throw .insufficientSpace }
        do throws(CompanionError) {
            return try replica?.handle(input, at: SystemClock.now()) ?? []
        } catch {
            throw CompanionSessionError(error)
        }
    }

    private func accepted(_ effects: [Effect]) -> TransferID? {
        for case .lane(.accepted(let id)) in effects { return id }
        return nil
    }
}

// Files are read and written part by part.
extension Node {
    /// Describes a file for its transfer.
    func outgoingFile(
        at path: String, _ metadata: PropertyDictionary
    ) throws(CompanionSessionError) -> OutgoingFile {
        do throws(HomeError) {
            let file = try OpenFile.reading(at: path)
            var digest = FileDigest()
            var offset = 0
            while true {
                let part = try file.read(upTo: FileDigest.partBytes, at: offset)
                if part.isEmpty { break }
                digest.add(part)
                offset += part.count
            }
            return OutgoingFile(
                reference: path, byteCount: UInt64(offset), contentHash: digest.value,
                metadata: metadata)
        } catch {
            throw .fileAccessDenied
        }
    }

    private func sendPart(of id: TransferID, _ path: String, offset: UInt64, count: Int) {
        let part: [UInt8]?
        do throws(HomeError) {
            part = try OpenFile.reading(at: path).read(
                upTo: count, at: Int(clamping: offset))
        } catch {
            part = nil
        }
        let answer: AppCommand =
            if let part, part.count == count {
                .fileBytes(id, offset: offset, part)
            } else {
                .fileUnreadable(id)
            }
        try? laneInput(.app(answer))
    }

    /// Writes a received file where the app wants it, and removes it from the home.
    func takeLaneFile(
        _ file: CompanionFile, to path: String
    ) throws(CompanionSessionError) {
        guard laneFilePart(of: file, at: 0) != nil else { throw .invalidParameter }
        do throws(HomeError) {
            let target = try OpenFile.creating(at: path)
            var offset: UInt64 = 0
            while let part = laneFilePart(of: file, at: offset), !part.isEmpty {
                try target.write(part, at: Int(clamping: offset))
                offset += UInt64(part.count)
            }
            guard offset == file.byteCount else {
                throw .system(call: "read", path: path, code: EIO)
            }
            try target.synchronize()
        } catch {
            if case .fileExists = error {} else { unsafe _ = unlink(path) }
            throw .fileAccessDenied
        }
        try laneInput(.app(.fileHandled(file.id.id)))
    }

    private func laneFilePart(of file: CompanionFile, at offset: UInt64) -> [UInt8]? {
        try? replica?.laneFilePart(file.id.id, offset: offset)
    }
}
