import LinnetCRDT
import LinnetChannel
import LinnetCrypto
import LinnetDiscovery
import LinnetMembership
import LinnetWire
import Testing

@testable import LinnetReplication

/// What stands in the files is read by the product, from the files alone.
@Suite struct ReadingTests {
    @Test func `items, values and identifiers are read or refused as stated`() throws {
        let file = try Facts(file: "encoding")
        for item in try file["items"].items {
            let bytes = try item["bytes"].bytes
            var reader = CBORReader(bytes)
            let raw = try reader.rawItem()
            try reader.finish()
            #expect(raw == bytes)
        }
        for item in try file["refusedItems"].items {
            let bytes = try item["bytes"].bytes
            #expect(throws: WireError.self, item.comment("name")) {
                var reader = CBORReader(bytes)
                _ = try reader.rawItem()
                try reader.finish()
            }
        }
        for value in try file["values"].items {
            let bytes = try value["bytes"].bytes
            #expect(try Value.decode(bytes).encoded() == bytes)
        }
        for value in try file["refusedValues"].items {
            let bytes = try value["bytes"].bytes
            #expect(throws: CRDTError.self, value.comment("name")) {
                _ = try Value.decode(bytes)
            }
        }
        for id in try file["recordIDs"].items {
            let text = String(validating: try id["bytes"].bytes, as: UTF8.self)
            let isLegal = try id["legal"].number == 1
            #expect((text.flatMap(RecordID.init) != nil) == isLegal, id.comment("name"))
        }
    }

    @Test func `order keys are told from other texts, and stand in the stated line`() throws {
        let file = try Facts(file: "orders")
        for item in try file["texts"].items {
            let key = FractionalKey(try item["text"].text)
            #expect((key != nil) == (try item["key"].number == 1), item.comment("name"))
        }
        let ascending = try file["ascending"].items.map { FractionalKey(try $0.text) }
        for (lower, upper) in zip(ascending, ascending.dropFirst()) {
            #expect(try #require(lower) < #require(upper))
        }
        var scribe = try Scribe()
        let line = try file["line"]["records"].items.map { try $0.items }
        let operations = try line.reversed().map { pair in
            let place = pair[1].item as? String
            return try op(
                2_000, try pair[0].text, 7, 12, place.map { text($0) } ?? [0xf6])
        }
        let vessel = try Vessel(Kit.b)
        try vessel.apply([
            try scribe.write(by: Kit.a, in: "things", operations).batch
        ])
        let shown = try vessel.orderedRecords(of: 2_000, by: 7)
        #expect(try shown == line.map { try $0[0].text })
    }

    @Test func `tags and records of discovery are recognised`() throws {
        let file = try Facts(file: "discovery")
        for tag in try file["tags"].items {
            let network = SecretBytes(copying: try tag["networkKey"].bytes)
            let key = DiscoveryKey(epoch: try tag["epoch"].bytes32, networkKey: network)
            let name = try #require(InstanceName(heard: Array(try tag["instance"].text.utf8)))
            let made = DiscoveryTag.tag(
                key: key, name: name, port: UInt16(try tag["port"].number),
                hour: try tag["hour"].number)
            #expect(made == (try tag["tag"].bytes8))
        }
        let record = try #require(TXTRecord(heard: try file["record"]["bytes"].bytes))
        #expect(try record.tags == file["record"]["tags"].items.map { try $0.bytes8 })
        #expect(TXTRecord.isPairing(heard: try file["pairingRecord"].bytes))
    }

    @Test func `tickets are read or refused as stated`() throws {
        let file = try Facts(file: "pairing")
        for facts in try file["tickets"].items {
            let ticket = try PairingTicket(parsing: try facts["uri"].text)
            #expect(ticket.device == (try facts["device"].bytes32))
            #expect(
                try ticket.addresses.map(\.text) == facts["addresses"].items.map { try $0.text })
            #expect(ticket.psk.bytes.equals(SecretBytes(copying: try facts["psk"].bytes)))
        }
        for uri in try file["refusedTickets"].items {
            let text = try uri.text
            #expect(throws: MembershipError.self, "\(text)") {
                _ = try PairingTicket(parsing: text)
            }
        }
    }

    @Test func `sets of membership records come to the stated outcomes, in any order`() throws {
        let sets = try Facts(file: "membership")["sets"].items
        #expect(sets.count >= 20)
        for facts in sets {
            let records = try facts["records"].items.map { try MemberRecord(decoding: $0.bytes) }
            let stated = try facts["outcome"]
            let name = facts.comment("name")
            for order in [records, records.reversed()] {
                var log = try MembershipLog(genesis: records[0])
                for record in order where record.id != log.group { _ = try log.insert(record) }
                #expect(log.records.count == records.count, name)
                try expect(log.state.verdict, stated, name)
            }
        }
    }

    private func expect(_ verdict: Verdict, _ stated: Facts, _ name: Comment) throws {
        let members = try stated["members"].items
        #expect(try verdict.members.keys == members.map { try $0["device"].bytes32 }, name)
        #expect(
            try verdict.members.values.map { UInt64($0.role.rawValue) }
                == members.map { try $0["role"].number }, name)
        for (member, facts) in zip(verdict.members.values, members) {
            var scopes = ScopeGrant.all
            if let some = facts.optional("scopes") {
                scopes = .some(try some.items.map { try #require(Bytes16(try $0.bytes)) })
            }
            #expect(member.scopes == scopes, name)
        }
        #expect(try verdict.void.elements == stated["void"].items.map { try $0.bytes32 }, name)
        #expect(try verdict.lost.elements == stated["lost"].items.map { try $0.bytes32 }, name)
        #expect(try verdict.currentEpoch == stated.optional("currentEpoch")?.bytes32, name)
        #expect(try verdict.recovery == stated.optional("recoveryKey")?.bytes32, name)
        for facts in try stated["restrictions"].items {
            let judged = try #require(verdict.restrictions[try facts["record"].bytes32])
            #expect(try judged.stands == (facts["stands"].number == 1), name)
            #expect(try judged.isForked == (facts["isForked"].number == 1), name)
            #expect(try judged.yes == facts["for"].items.map { try $0.bytes32 }, name)
            #expect(try judged.no == facts["against"].items.map { try $0.bytes32 }, name)
        }
        for facts in try stated["batches"].items {
            let counted = try #require(verdict.batches[try facts["device"].bytes32])
            let counts = try facts["counts"]
            switch counted {
            case .none: #expect(try counts.text == "none", name)
            case .all: #expect(try counts.text == "all", name)
            case .within(let scopes, let heads):
                #expect(try scopes == counts["scopes"].items.map { try $0.bytes16 }, name)
                #expect(
                    try heads.map(\.batch)
                        == counts["heads"].items.map { try $0["batch"].bytes32 }, name)
            case .upTo(let heads):
                #expect(
                    try heads.map(\.batch) == counts.items.map { try $0["batch"].bytes32 }, name)
            }
        }
    }

    @Test func `membership logs are read, and refused records are refused`() throws {
        let file = try Facts(file: "membership")
        for story in try file["logs"].items {
            var log: MembershipLog?
            for facts in try story["records"].items {
                let record = try MemberRecord(decoding: try facts["record"].bytes)
                #expect(record.id == (try facts["id"].bytes32))
                if log == nil { log = try MembershipLog(genesis: record) }
                _ = try log?.insert(record)
                let state = try #require(log?.state)
                let after = try facts["after"]
                #expect(
                    try state.members.map(\.device)
                        == after["members"].items.map { try $0["device"].bytes32 })
                #expect(
                    try state.currentEpoch?.id == after.optional("currentEpoch")?.bytes32)
                #expect(state.upgradeNeeded == (try after["upgradeNeeded"].number == 1))
            }
        }
        let log = try Kit.log()
        for refused in try file["refused"].items {
            let bytes = try refused["record"].bytes
            #expect(throws: MembershipError.self, refused.comment("why")) {
                var trial = log
                _ = try trial.insert(try MemberRecord(decoding: bytes))
            }
        }
    }
}
