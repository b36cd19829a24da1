import LinnetCRDT
import LinnetChannel
import LinnetCrypto
import LinnetMembership
import LinnetWire
import Testing

@testable import LinnetReplication

/// Batches out of the files: verified, opened, decoded, and applied to an empty replica.
@Suite struct BatchReadingTests {
    /// The records of the group of all files, as the file of the membership has them.
    private func records() throws -> [[UInt8]] {
        let file = try Facts(file: "membership")
        return try file["logs"].items[0]["records"].items.map { try $0["record"].bytes }
    }

    private func sealed(_ facts: Facts) throws -> SealedBatch {
        let batch = try facts.sealedBatch()
        #expect(batch.id == (try facts["id"].bytes32))
        #expect(batch.headerBytes == (try facts["header"].bytes))
        let key = SecretBytes(copying: try facts["batchKey"].bytes)
        #expect(try batch.open(key: key) == facts["plaintext"].bytes)
        return batch
    }

    private func check(_ facts: Facts) throws {
        let body = try BatchBody.decode(plaintext: try facts["plaintext"].bytes)
        let stated = try facts["operations"].items
        #expect(body.operations.count == stated.count)
        for (operation, facts) in zip(body.operations, stated) {
            #expect(operation.collection == UInt32(try facts["collection"].number))
            #expect(operation.record.description == (try facts["record"].text))
            #expect(operation.generation == UInt32(try facts["generation"].number))
            #expect(operation.field == UInt32(try facts["field"].number))
            #expect(operation.kind == UInt8(try facts["kind"].number))
            #expect(operation.stampDelta == (try facts["stampDelta"].number))
            #expect(operation.payload == (try facts["payload"].bytes))
        }
    }

    /// The digest from its preimage alone.
    private func digest(of shown: Facts) throws -> [UInt8] {
        var whole = BLAKE2bHasher(count: 32)
        whole.update(Label.digest.bytes)
        for part in try shown["parts"].items {
            let records = try part["records"].items.flatMap { try $0.bytes }
            #expect(try part["hash"].bytes == Hash.blake2b(nil, records))
            let (scope, collection) = (try part["scope"].text, try part["collection"].number)
            whole.update(
                item {
                    $0.array(2)
                    $0.text(scope)
                    $0.unsigned(collection)
                })
            whole.update(try part["hash"].bytes)
        }
        return whole.finish()
    }

    @Test(arguments: ["batches", "merging"])
    func `an empty replica that gets the batches shows what is stated`(_ name: String) throws {
        for story in try Facts(file: name)["stories"].items {
            let vessel = try Vessel(Kit.b, records: try records())
            let name = try story["name"].text
            for facts in try story["batches"].items {
                try check(facts)
                try vessel.apply([try sealed(facts)])
            }
            let shown = try story["shown"]
            #expect(try vessel.digest() == shown["digest"].bytes32, "\(name)")
            #expect(try vessel.treeDigest() == shown["treeDigest"].bytes32, "\(name)")
            #expect(try digest(of: shown) == shown["digest"].bytes, "\(name)")
        }
    }

    @Test func `the four forms of one batch show the same`() throws {
        let digests = try Facts(file: "batches")["stories"].items.prefix(4).map {
            try $0["shown"]["digest"].text
        }
        #expect(Set(digests).count == 1)
    }

    @Test func `branches have the stated names, whichever comes first`() throws {
        let file = try Facts(file: "forks")
        let (trunk, left) = (try file["trunk"].items, try file["left"].items)
        let right = try file["right"].items
        for order in [trunk + left + right, trunk + right + left] {
            let vessel = try Vessel(Kit.b, records: try records())
            try vessel.apply(try order.map(sealed))
            #expect(try vessel.digest() == file["shown"]["digest"].bytes32)
            let chains = OrderedSet(vessel.replica.log.vectorEntries().map(\.chain))
            for branch in try file["branches"].items {
                #expect(chains.contains(try branch["chain"].bytes16))
            }
        }
        let fork = try ForkMessage.decode(try file["fork"].bytes)
        #expect(try fork.encode() == file["fork"].bytes)
    }

    @Test func `refused batches are refused`() throws {
        let group = try Facts(file: "membership")["group"].bytes32
        for facts in try Facts(file: "refused")["batches"].items {
            let header = try facts["header"].bytes
            let zeros = try facts["ciphertext"].item as? Int
            let ciphertext =
                try zeros.map { [UInt8](repeating: 0, count: $0) } ?? facts["ciphertext"].bytes
            let signature = try facts["signature"].bytes
            #expect(throws: BatchRefusal.self, facts.comment("why")) {
                _ = try SealedBatch(
                    headerBytes: header, ciphertext: ciphertext, signature: signature,
                    group: group)
            }
        }
    }

    @Test func `void batches are stored and show nothing, not even what is good in them`() throws {
        let empty = try Vessel(Kit.b, records: try records()).digest()
        for facts in try Facts(file: "refused")["void"].items {
            let why = try facts["why"].text
            let vessel = try Vessel(Kit.b, records: try records())
            try vessel.apply([try sealed(try facts["batch"])])
            let entries = vessel.replica.log.vectorEntries()
            #expect(entries.map(\.seq) == [1] && entries.map(\.visible) == [1], "\(why)")
            #expect(try vessel.digest() == empty, "\(why)")
            let plaintext = try facts["batch"]["plaintext"].bytes
            #expect(throws: CRDTError.self, "\(why)") {
                _ = try BatchBody.decode(plaintext: plaintext)
            }
        }
    }
}

extension Facts {
    /// The batch whose facts these are, with its signature checked.
    func sealedBatch() throws -> SealedBatch {
        let message = try BatchMessage.decode(try self["message"].bytes)
        return try SealedBatch(
            headerBytes: try message.headerBytes(after: nil), ciphertext: message.ciphertext,
            signature: message.signature, group: try Facts(file: "membership")["group"].bytes32)
    }
}
