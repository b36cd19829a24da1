import LinnetCRDT
import LinnetStorage
import LinnetWire

/// The blocks of chunks that two devices ask of each other.
extension Replica {
    /// Takes a message about blocks.
    mutating func receiveBlocks(
        _ type: MessageType, _ body: [UInt8], _ state: OpenState, at now: Moment
    ) throws(SessionFault) {
        switch type {
        case .blockGet: try receiveBlockGet(body, state)
        case .block: try receiveBlock(body, state)
        default:
            try decoded { () throws(WireError) in try BlockNoneMessage.decode(body) }
            guard let chunk = state.receiving.blocks.chunk, chunk.askedAt != nil else {
                throw .violation
            }
            state.receiving.blocks.chunk = nil
            state.receiving.blocks.lacking.insert(chunk.file)
            files.lacked(at: now)
        }
    }

    /// Takes the chunk at hand of which the peer asks for a block. One that is damaged on the disk
    /// is forgotten, so that it can be fetched again.
    private mutating func receiveBlockGet(
        _ body: [UInt8], _ state: OpenState
    ) throws(SessionFault) {
        let asked = try decoded { () throws(WireError) in try BlockGetMessage.decode(body) }
        guard state.sending.blocks.asked == nil else { throw .violation }
        state.sending.blocks.asked = asked
        let name = asked.chunk.name
        guard !state.sending.blocks.holds(name) else { return }
        try stored { () throws(StorageError) in
            guard let chunk = try store.chunk(name) else { return }
            if ChunkSealer.name(of: chunk) == name {
                state.sending.blocks.hold(name, chunk)
            } else {
                try turn.writingCasually()
                try files.forget(name, in: store)
            }
        }
    }

    /// Takes a block; a whole chunk that is what its name says is kept.
    private mutating func receiveBlock(
        _ body: [UInt8], _ state: OpenState
    ) throws(SessionFault) {
        let block = try decoded { () throws(WireError) in try BlockMessage.decode(body) }
        guard var chunk = state.receiving.blocks.chunk, chunk.askedAt != nil else {
            throw .violation
        }
        let left = chunk.entry.sealedBytes - chunk.bytes.count
        guard block.count == min(left, Limits.blockBytes) else { throw .violation }
        chunk.bytes += block
        chunk.askedAt = nil
        state.receiving.blocks.chunk = chunk
        guard block.count == left else { return }
        state.receiving.blocks.chunk = nil
        let name = chunk.entry.name
        guard ChunkSealer.name(of: chunk.bytes) == name else {
            state.receiving.blocks.hasLied = true
            return
        }
        let waiting = files.came(name)
        guard !waiting.isEmpty else { return }
        try stored { () throws(StorageError) in try turn.writingCasually() }
        do throws(FileReading) {
            try files.keep(name, chunk.bytes, owner: nil, in: store)
        } catch {
            switch error {
            case .storage(let failure): throw .storage(failure)
            case .fault(let fault): for file in waiting { files.fail(file, fault) }
            }
        }
        for file in waiting {
            guard let fetch = files.fetches[file] else { continue }
            turn.outbox.notify(.fileGrew(file, done: fetch.doneBytes, of: fetch.file.size))
        }
    }

    /// Gives the peer the block that it asked for, behind all else that is sent in this call, and
    /// asks it for the next one.
    mutating func speakOfBlocks(
        _ state: OpenState, session: Session, at now: Moment
    ) throws(SessionFault) {
        if let asked = state.sending.blocks.asked.take() {
            if let block = state.sending.blocks.block(asked) {
                try session.send(.block, BlockMessage.encode(block))
            } else {
                try session.send(.blockNone, BlockNoneMessage.encoded)
            }
        }
        guard state.greeting.givesBlocks, state.heardHave, !state.receiving.blocks.hasLied else {
            return
        }
        if state.receiving.blocks.chunk == nil,
            let next = files.take(lacking: state.receiving.blocks.lacking)
        {
            state.receiving.blocks.chunk = BlockAsking.Chunk(file: next.file, entry: next.entry)
        }
        guard var chunk = state.receiving.blocks.chunk else { return }
        let uptime = now.uptimeMilliseconds
        if let askedAt = chunk.askedAt {
            if askedAt + Limits.blockMilliseconds <= uptime { chunk.isGivenUp = true }
        } else {
            let ask = BlockGetMessage(chunk: chunk.entry, offset: chunk.bytes.count)
            try session.send(.blockGet, ask.encode())
            chunk.askedAt = uptime
            chunk.isGivenUp = false
            files.silenceDue = uptime + Limits.blockMilliseconds
        }
        state.receiving.blocks.chunk = chunk
    }

    /// Looks for what is missing of the files that are fetched, ends those that are complete, and
    /// forgets some chunks that no record names.
    mutating func tendFiles(at now: Moment) throws(StorageError) {
        guard !files.fetches.isEmpty || files.mayForget else { return }
        if files.mayForget {
            try turn.writingCasually()
            try files.forgetSome(in: store)
        }
        if files.isTimeToRetry(at: now) {
            for (_, state) in sessions.open { state.receiving.blocks.lacking = OrderedSet() }
        }
        if let due = files.silenceDue, due <= now.uptimeMilliseconds { files.silenceDue = nil }
        let claimed = sessions.open.compactMap { session, state in
            session.isLive ? state.receiving.blocks.claimed : nil
        }
        files.takeBack(butFor: OrderedSet(claimed))
        let hadRoom = !hasNoRoomForFiles
        for over in try files.advance(in: store) {
            turn.outbox.notify(.fileEnded(over.name, over.fault))
        }
        if hadRoom, hasNoRoomForFiles { turn.outbox.warn(.filesDoNotFit) }
    }
}
