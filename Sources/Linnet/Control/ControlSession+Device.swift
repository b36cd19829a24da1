import LinnetWire

// Requests about the device itself.
extension ControlSession {
    func carryOut(_ request: ControlDeviceRequest) async throws(LinnetError) {
        switch request {
        case .lock: try await node.lock()
        case .unlock(let passphrase):
            try await node.unlock(passphrase)
            if let problem = node.unwritable {
                send(.findings([HealthFinding("disk", .broken, problem.commandText)]))
            }
        case .changePassphrase(let change): try await node.changePassphrase(change)
        case .backUp(let path, let passphrase, let replaces):
            let send = send
            try await node.backUp(to: path, passphrase: passphrase, replacing: replaces) {
                send(.progress(done: $0.doneBytes, total: $0.totalBytes))
            }
        case .examine(let isDeep):
            let send = send
            send(
                .findings(
                    try await node.examine(isDeep: isDeep, isServing: isServing) {
                        send(.progress(done: UInt64($0), total: UInt64($1)))
                    }))
        case .acknowledge:
            let kept = try await node.status().warnings.filter(\.isKept)
            try await node.acknowledgeWarnings()
            send(.warnings(kept.map(ControlWarning.init)))
        case .untold:
            send(.warnings(await node.takeUntoldWarnings().map(ControlWarning.init)))
        case .stop:
            let node = node
            Task { await node.stop() }
        }
    }
}
