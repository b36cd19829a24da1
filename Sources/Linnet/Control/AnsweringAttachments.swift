package import LinnetControl

// A node answers what is asked of files.

extension AttachRequest: NodeRequest {
    package func carryOut(_ answers: Answers<ControlReceipt>) async throws(LinnetError) {
        let node = answers.node
        let receipt = try await node.attachFile(
            at: path, to: FilePlace(key: key, field: field), name: name, mediaType: mediaType
        ) { answers.progress(done: $0.doneBytes, of: $0.totalBytes) }
        answers(ControlReceipt(receipt, in: node.schema))
    }
}

extension FetchRequest: NodeRequest {
    package func carryOut(_ answers: Answers<ControlAttachment>) async throws(LinnetError) {
        let node = answers.node
        let file = try await node.file(at: FilePlace(key: key, field: field))
        var needsOthers = false
        if !answers.isServing { needsOthers = try await !node.isHere(file) }
        if needsOthers { try await answers.start(for: meeting) }
        if needsOthers || answers.isServing { try await node.dial(meeting.peers) }
        try await node.fetch(file, idle: meeting.timeout) {
            answers.progress(done: $0.doneBytes, of: $0.totalBytes)
        }
        let target = path.hasSuffix("/") ? path + file.name : path
        if !target.isEmpty { try await node.write(file, to: target, replacing: replaces) }
        let shown = Attachment(file)
        answers(
            ControlAttachment(
                name: shown.name, mediaType: shown.mediaType, byteCount: shown.byteCount,
                hash: shown.hash, path: target))
    }
}
