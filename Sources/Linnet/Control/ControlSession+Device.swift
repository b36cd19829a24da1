import LinnetWire

// What a command asks about the device itself.
extension ControlSession {
    func carryOut(_ request: ControlDeviceRequest) async throws(LinnetError) {
        switch request {
        case .lock: try await node.lock()
        case .unlock(let passphrase): try await node.unlock(passphrase)
        case .changePassphrase(let change): try await node.changePassphrase(change)
        case .backUp(let path, let passphrase, let replaces):
            let send = send
            try await node.backUp(to: path, passphrase: passphrase, replacing: replaces) {
                send(.progress(done: $0.doneBytes, total: $0.totalBytes))
            }
        case .stop:
            let node = node
            Task { await node.stop() }
        }
    }
}
