import LinnetCRDT
import LinnetCrypto
import LinnetMembership
import LinnetStorage
package import LinnetWire

/// A signed statement of what one device holds and shows at one moment. Anybody who knows the
/// members of the group can check it later, without a network.
package struct HoldingStatement: Equatable, Sendable {
    /// The digest that it has.
    package let form: Form
    /// The group.
    package let group: GroupID
    /// The device that states it.
    package let device: DeviceID
    /// The digest of the version vector, which is equal where the same batches are held.
    package let vector: Bytes32
    /// The digest of all that is visible, which is equal where the same is shown, under one schema.
    package let visible: Bytes32
    /// The time of the statement by the device's own clock, in Unix milliseconds.
    package let wallMilliseconds: Int64
    /// The canonical bytes, signature included.
    package let encoded: [UInt8]

    /// The digest that a statement has, as the number with which it begins.
    package enum Form: UInt64, Equatable, Sendable {
        /// The digest that every device takes.
        case whole = 1
        /// The digest as a tree of pages.
        case tree = 2
    }

    init(
        _ form: Form = .tree, group: GroupID, vector: Bytes32, visible: Bytes32,
        wallMilliseconds: Int64, signer: borrowing SigningKey, device: DeviceID
    ) {
        self.form = form
        self.group = group
        self.device = device
        self.vector = vector
        self.visible = visible
        self.wallMilliseconds = max(0, wallMilliseconds)
        var inner = CBORWriter()
        inner.array(6)
        inner.unsigned(form.rawValue)
        inner.bytes(group)
        inner.bytes(device)
        inner.bytes(vector)
        inner.bytes(visible)
        inner.signed(self.wallMilliseconds)
        var outer = CBORWriter()
        outer.array(2)
        outer.raw(inner.bytes)
        outer.bytes(signer.sign(.convergence, inner.bytes))
        encoded = outer.bytes
    }

    /// Reads a statement; nil unless the device that it names signed it.
    package init?(decoding bytes: [UInt8]) {
        do throws(WireError) {
            var outer = CBORReader(bytes)
            try outer.array(exactly: 2)
            let inner = try outer.rawItem()
            let signature = try outer.bytes()
            try outer.finish()
            var reader = CBORReader(inner)
            try reader.array(exactly: 6)
            guard let form = Form(rawValue: try reader.unsigned()) else { return nil }
            self.form = form
            group = try reader.bytes32()
            device = try reader.bytes32()
            vector = try reader.bytes32()
            visible = try reader.bytes32()
            wallMilliseconds = Int64(try reader.unsigned(max: UInt64(Int64.max)))
            try reader.finish()
            encoded = bytes
            guard SigningKey.isValid(signature, .convergence, inner, publicKey: device.array)
            else { return nil }
        } catch {
            return nil
        }
    }
}

extension Replica {
    /// Returns a signed statement of what this device holds durably and shows. In the form
    /// ``HoldingStatement/Form/whole`` this reads every record.
    ///
    /// - Parameter visible: the digest of what shows now, in that form; nil makes it.
    package func holdingStatement(
        _ form: HoldingStatement.Form = .tree, _ visible: Bytes32? = nil, at now: Moment
    ) throws(ReplicaError) -> HoldingStatement {
        guard let group else { throw .notAMember }
        let shown: Bytes32
        if let visible {
            shown = visible
        } else {
            shown = try form == .tree ? reader.root() : reader.digest()
        }
        return HoldingStatement(
            form, group: group.log.group,
            vector: try storage { () throws(StorageError) in try chains.vectorDigest(in: store) },
            visible: shown, wallMilliseconds: now.wallMilliseconds, signer: keys.signing,
            device: device)
    }
}

extension GroupState {
    /// Returns true when a statement is of this group and of a device that belongs to it.
    func accepts(_ statement: HoldingStatement) -> Bool {
        statement.group == log.group
            && log.state.members.contains { $0.device == statement.device }
    }
}
