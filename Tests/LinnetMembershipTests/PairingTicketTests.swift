import LinnetCrypto
import LinnetMembership
import LinnetWire
import Testing

struct PairingTicketTests {
    private let device = TestDevice(1).device

    private func ticket() throws -> PairingTicket {
        var entropy = entropy(3)
        let addresses = ["192.168.1.20:47001", "[fe80::1]:47001"].compactMap {
            PairingAddress(parsing: $0[...])
        }
        return PairingTicket(device: device, addresses: addresses, entropy: &entropy)
    }

    private func refusal(_ text: String) -> MembershipError? {
        membershipError { _ = try PairingTicket(parsing: text) }
    }

    @Test func `a ticket reads back as it was written`() throws {
        let ticket = try ticket()
        let read = try PairingTicket(parsing: ticket.text)
        #expect(read == ticket)
        #expect(read.text == ticket.text)
        #expect(read.psk.bytes.exposed() == ticket.psk.bytes.exposed())
    }

    @Test func `the text has the form that the protocol describes`() throws {
        let ticket = try ticket()
        let check = TextAlphabet.base32.encode(
            Hash.blake2b(nil, Array("linnet/check/1".utf8), device.array)
        ).prefix(4)
        let secret = TextAlphabet.base64URL.encode(ticket.secret.bytes.exposed())
        #expect(
            ticket.text
                == "linnet:1?d=\(TextAlphabet.base32.encode(device.array))\(check)&s=\(secret)"
                + "&a=192.168.1.20:47001,[fe80::1]:47001")
        #expect(
            ticket.psk.bytes.exposed()
                == Hash.keyed(by: ticket.secret.bytes, nil, Array("linnet/pair/qr/1".utf8)))
    }

    @Test func `order, unknown fields and case of the name do not matter`() throws {
        let ticket = try ticket()
        let fields = ticket.text.split(separator: "?")[1].split(separator: "&")
        let text = "LINNET:1?\(fields[2])&\(fields[1])&x=new&\(fields[0])"
        #expect(try PairingTicket(parsing: text) == ticket)
        let upper = ticket.text.replacing(
            TextAlphabet.base32.encode(device.array),
            with: TextAlphabet.base32.encode(device.array).uppercased())
        #expect(try PairingTicket(parsing: upper) == ticket)
        let bare = "linnet:1?\(fields[0])&\(fields[1])"
        #expect(try PairingTicket(parsing: bare).addresses.isEmpty)
        #expect(try PairingTicket(parsing: bare + "&a=").addresses.isEmpty)
    }

    @Test func `a mistyped device is noticed`() throws {
        let text = try ticket().text
        let start = text.utf8.count - text.utf8.count + "linnet:1?d=".utf8.count
        for offset in start..<start + 56 {
            var bytes = Array(text.utf8)
            bytes[offset] =
                bytes[offset] == UInt8(ascii: "a") ? UInt8(ascii: "b") : UInt8(ascii: "a")
            #expect(refusal(String(decoding: bytes, as: UTF8.self)) == .badTicket)
        }
    }

    @Test func `a later version asks for an upgrade`() throws {
        #expect(refusal("linnet:2?whatever") == .ticketFromTheFuture)
        #expect(refusal("linnet:99") == .ticketFromTheFuture)
        #expect(refusal("linnet:0?d=") == .badTicket)
        #expect(refusal("linnet:x?d=") == .badTicket)
    }

    @Test func `hostile texts are refused`() throws {
        let good = try ticket().text
        let fields = good.split(separator: "?")[1].split(separator: "&").map(String.init)
        let many = [String](repeating: "1.2.3.4:5", count: 17).joined(separator: ",")
        for text in [
            "", "linnet", "linnet:", "linnet:1", "linnet:1?", "https://linnet:1?d=1", good + "&",
            good + "&d=1", good + "&&", good + ",", good + ",host:1", good + "#", good + "\u{0}",
            "linnet:1?\(fields[0])", "linnet:1?\(fields[1])", "linnet:1?d=&s=&a=",
            "linnet:1?\(fields[0])&s=\(String(repeating: "A", count: 42))",
            "linnet:1?\(fields[0])&s=\(String(repeating: "A", count: 44))",
            "linnet:1?\(fields[0])&s=\(String(repeating: "A", count: 42))B",
            "linnet:1?\(fields[0])&\(fields[1])&a=\(many)",
            "linnet:1?\(fields[0])&\(fields[1])&a=evil.example:5",
            good + "&x=" + String(repeating: "y", count: 2_048),
        ] {
            #expect(refusal(text) == .badTicket, "\(text)")
        }
    }

    @Test func `random changes never crash the reader`() throws {
        let text = Array(try ticket().text.utf8)
        var entropy = entropy(12)
        for _ in 0..<3_000 {
            var bytes = text
            for _ in 0...entropy.uniform(below: 3) {
                let index = Int(entropy.uniform(below: UInt32(bytes.count)))
                bytes[index] = UInt8(entropy.uniform(below: 256))
            }
            let changed = String(decoding: bytes, as: UTF8.self)
            guard let read = try? PairingTicket(parsing: changed) else { continue }
            #expect(read.device == device)
        }
    }

    @Test func `more addresses than a ticket holds are left out`() throws {
        var entropy = entropy(3)
        let address = try #require(PairingAddress(host: "1.2.3.4", port: 5))
        let ticket = PairingTicket(
            device: device, addresses: [PairingAddress](repeating: address, count: 40),
            entropy: &entropy)
        #expect(ticket.addresses.count == PairingTicket.mostAddresses)
        #expect(try PairingTicket(parsing: ticket.text) == ticket)
    }

    @Test func `two tickets have two secrets`() throws {
        var entropy = entropy(3)
        let first = PairingTicket(device: device, addresses: [], entropy: &entropy)
        let second = PairingTicket(device: device, addresses: [], entropy: &entropy)
        #expect(first != second)
    }
}
