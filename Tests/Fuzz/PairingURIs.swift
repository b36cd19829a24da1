import LinnetCRDT
import LinnetCrypto
import LinnetMembership
import LinnetWire

/// What a person types or scans.
func fuzz(_ input: [UInt8]) {
    let text = String(decoding: input, as: UTF8.self)
    if let code = try? PairingCode(parsing: text) {
        require((try? PairingCode(parsing: code.digits)) == code, "a code reads back")
    }
    if let ticket = try? PairingTicket(parsing: text) {
        require((try? PairingTicket(parsing: ticket.text)) == ticket, "a ticket reads back")
    }
}

func seeds() -> [[UInt8]] {
    var entropy = Entropy(seed: SecretBytes(zeroed: 32))
    let addresses = ["192.168.1.7:4711", "[fe80::1]:65535"].compactMap {
        PairingAddress(parsing: $0[...])
    }
    let tickets = [addresses, []].map {
        PairingTicket(device: .zero, addresses: $0, entropy: &entropy)
    }
    return tickets.map { Array($0.text.utf8) } + [Array("123 456".utf8), Array("linnet:2?".utf8)]
}
