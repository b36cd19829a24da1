import Glibc
import Linnet
import LinnetAPI
import LinnetCLI
import LinnetCRDT
import LinnetCard
import LinnetCrypto
import LinnetMembership
import LinnetWire
import Testing

/// Emergency cards, made by one process and shown by another one that has no home.
@Suite(.timeLimit(.minutes(15)))
struct CardCommandTests {
    /// A device with a medicine and a stock.
    private func owner() throws -> TestDevice {
        let device = try TestDevice.founder()
        #expect(try device.run("set", "medication/m1", "name=Warfarin", "unit=mg").code == 0)
        #expect(try device.run("set", "stock/m1", "stock=31337").code == 0)
        return device
    }

    /// Runs `card show` where no home is, nor can be.
    private func show(_ words: [String], on device: TestDevice) throws -> TestDevice.Outcome {
        let outcome = try device.run(
            ["card", "show"] + words,
            environment: [
                ("HOME", "\(device.directory)/nobody"), ("LINNET_HOME", ""), ("XDG_DATA_HOME", ""),
            ])
        #expect(!TestDevice.exists("\(device.directory)/nobody"))
        return outcome
    }

    /// A card that some device of no group here signed.
    private func signed(
        title: String = "", issued: Int64 = SystemClockText.now, field: String = "x"
    ) throws -> EmergencyCard {
        var entropy = Entropy(seed: SecretBytes(copying: [UInt8](repeating: 1, count: 32)))
        let keys = DeviceKeys(createdMilliseconds: 0, entropy: &entropy)
        let entry = EmergencyCard.Entry(
            id: field, fields: [EmergencyCard.Field(name: field, text: field)])
        let section = EmergencyCard.Section(name: field, entries: [entry])
        let inner = try CardContent(
            group: GroupID(repeating: 1), device: keys.device, title: title,
            issuedMilliseconds: issued, days: 1,
            scopes: [EmergencyCard.Scope(name: field, sections: [section])]
        ).encoded
        return try EmergencyCard(inner, signature: keys.signing.sign(.card, inner))
    }

    @Test func `pages are read by a process without a home, whatever stands around`() throws {
        let device = try owner()
        let page = "\(device.directory)/card.svg"
        let made = try device.run(
            "card", "--scopes", "meds", "--days", "3", "--title", "Ada <&>", "--svg", page)
        #expect(made.code == 0, "\(made.error)")
        let shown = try show([page], on: device)
        #expect(shown.code == 0, "\(shown.error)")
        for text in [
            "Emergency card: Ada <&>", "medication/m1", "name = Warfarin", "signed by the key",
            "whether that is who you think is not known", "to be relied on until",
        ] {
            #expect(shown.output.contains(text), "\(shown.output)")
        }
        let rows = try show([page, "--json"], on: device).objects()
        #expect(rows.first?["title"]?.string == "Ada <&>")
        let again = try device.run("card", "--svg", page)
        #expect(again.code == 1 && again.error.contains("exists already"))
    }

    @Test func `a scope that was left out is not in the card`() throws {
        let device = try owner()
        let page = "\(device.directory)/card.svg"
        #expect(try device.run("card", "--scopes", "meds", "--svg", page).code == 0)
        let bytes = try EmergencyCard(reading: Array(device.read(page).utf8)).bytes
        let text = String(decoding: bytes, as: UTF8.self)
        #expect(text.contains("Warfarin"))
        for word in ["31337", "stock", "inventory", "Laptop", "devices"] {
            #expect(!text.contains(word), "\(word)")
        }
        let all = "\(device.directory)/all.svg"
        #expect(try device.run("card", "--svg", all).code == 0)
        let whole = try EmergencyCard(reading: Array(device.read(all).utf8))
        #expect(whole.scopes.map(\.name).contains("inventory"))
        #expect(!whole.scopes.map(\.name).contains("devices"))
    }

    @Test func `a file opens with its words alone`() throws {
        let device = try owner()
        let file = "\(device.directory)/card.lnt"
        let made = try device.run("card", "--file", file, "--json")
        #expect(made.code == 0, "\(made.error)")
        guard case .array(let drawn)? = try made.objects().first?["words"] else {
            Issue.record("no words: \(made.output)")
            return
        }
        #expect(drawn.count == 7)
        let right = try device.write(
            "right", drawn.compactMap(\.string).joined(separator: "-") + "\n")
        let wrong = try device.write("wrong", "these are not the words\n")
        for path in [right, wrong] { #expect(unsafe chmod(path, 0o600) == 0) }
        let shown = try show([file, "--card-passphrase-file", right], on: device)
        #expect(shown.code == 0 && shown.output.contains("31337"), "\(shown)")
        #expect(try show([file, "--passphrase-file", right], on: device).code == 0)
        let refused = try show([file, "--card-passphrase-file", wrong], on: device)
        #expect(refused.code == 1 && refused.error.contains("does not open the card"), "\(refused)")
        #expect(!refused.output.contains("31337"))
        let unasked = try show([file], on: device)
        #expect(unasked.code == 1 && unasked.error.contains("--card-passphrase-file"))
        let other = "\(device.directory)/other.lnt"
        let own = try device.run("card", "--file", other, "--card-passphrase-file", wrong)
        #expect(own.code == 0 && !own.output.contains("words"), "\(own)")
        #expect(try show([other, "--card-passphrase-file", wrong], on: device).code == 0)
        let both = try show([file, other], on: device)
        #expect(both.code == 2 && both.error.contains("show it alone"))
    }

    @Test func `parts come in any order, and what is wrong with them is told`() throws {
        let device = TestDevice()
        let long = (0..<40).map { "\($0 * 7_919 % 1_000_003) \($0 * 104_729 % 999_983)" }
        let texts = try signed(field: long.joined(separator: " ")).parts()
        #expect(texts.count > 1)
        let files = try texts.enumerated().map { try device.write("part\($0)", $1 + "\n") }
        #expect(try show(files.reversed() + files, on: device).code == 0)
        let missing = try show(Array(files.dropFirst()), on: device)
        #expect(missing.code == 1 && missing.error.contains("these are missing: 1"), "\(missing)")
        let other = try device.write("other", signed().parts()[0])
        let mixed = try show([files[0], other], on: device)
        #expect(mixed.code == 1 && mixed.error.contains("parts of several cards"), "\(mixed)")
        let bent = try device.write("bent", texts[1].replacing(":2/", with: ":1/"))
        let damaged = try show([files[0], bent], on: device)
        #expect(damaged.code == 1 && damaged.error.contains("part 1 of the card is damaged"))
        let cut = try device.write("cut", String(texts[1].dropLast(9)))
        #expect(try show([files[0], cut], on: device).error.contains("part 2"))
        let none = try device.write("none", "nothing")
        #expect(try show([none], on: device).error.contains("no emergency card"))
    }

    @Test func `a card that expired is shown on request alone, and marked`() throws {
        let device = TestDevice()
        let old = try signed(title: "Old", issued: 1_700_000_000_000).parts()
        let page = try device.write("old", old.joined(separator: "\n"))
        let refused = try show([page], on: device)
        #expect(refused.code == 1 && refused.output.isEmpty)
        #expect(refused.error.contains("the card expired") && refused.error.contains("--expired"))
        let shown = try show([page, "--expired"], on: device)
        #expect(shown.code == 0 && shown.output.contains("EXPIRED"), "\(shown)")
        let row = try show([page, "--expired", "--json"], on: device).objects().first
        #expect(row?["expired"] == true)
        let future = try signed(issued: 4_000_000_000_000).parts()
        let early = try device.write("early", future.joined(separator: "\n"))
        #expect(try show([early], on: device).output.contains("clock is before that"))
    }

    @Test func `a stranger's card sends no codes to the terminal and fills no memory`() throws {
        let device = TestDevice()
        let evil = "\u{1b}[2J\u{7}\u{202e}x\r\n y"
        let page = try device.write(
            "evil", signed(title: evil, field: evil).parts().joined(separator: "\n"))
        let shown = try show([page], on: device)
        #expect(shown.code == 0, "\(shown.error)")
        #expect(shown.output.contains("\\u{1b}[2J\\u{7}\\u{202e}x\\u{d}\\u{a} y"))
        #expect(!shown.output.utf8.contains(0x1b) && !shown.output.contains("\u{202e}"))
        var size: [UInt8] = []
        BigEndian.append(UInt32(Limits.cardBytes), to: &size)
        let zeros = [UInt8](repeating: 0, count: Limits.messageBytes)
        let head = Array("LNTC".utf8) + [1, 0] + [UInt8](repeating: 1, count: 56)
        let bomb =
            head
            + XChaCha.seal(
                key: SecretBytes(copying: [UInt8](repeating: 1, count: 32)),
                nonce: [UInt8](repeating: 1, count: 24),
                plaintext: size + Deflate.compress(zeros), associatedData: head)
        let file = "\(device.directory)/bomb"
        try FileText.write(bomb, to: file)
        let refused = try show([file], on: device)
        #expect(refused.code == 1 && refused.error.contains("damaged"), "\(refused)")
        try FileText.write([UInt8](repeating: 0x41, count: 1 << 20 + 1), to: "\(file)2")
        #expect(try show(["\(file)2"], on: device).error.contains("larger than 1 MiB"))
    }

    @Test func `a running node makes the card that a command seals`() throws {
        let device = try owner()
        let node = try device.follow(["run", "--json", "--no-discovery", "--listen", "127.0.0.1:0"])
        _ = try node.next("ready")
        let page = "\(device.directory)/card.svg"
        #expect(try device.run("card", "--scopes", "meds,inventory", "--svg", page).code == 0)
        let missing = try device.run("card", "--scopes", "nix", "--svg", page)
        #expect(missing.code == 1 && missing.error.contains("no collection has a scope"))
        #expect(node.end() == 0)
        #expect(try show([page], on: device).output.contains("31337"))
    }
}

/// The time of this machine.
private enum SystemClockText {
    static var now: Int64 { Int64(time(nil)) * 1_000 }
}
