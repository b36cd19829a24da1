import LinnetDiscovery
import Testing

struct HostNameTests {
    @Test(arguments: ["laptop.local.", "laptop.local", "LAPTOP-2.Local.", "a_b.local."])
    func `a host under local is followed`(text: String) {
        let dotted = text.hasSuffix(".") ? text : text + "."
        #expect(HostName.local(Array(text.utf8)) == dotted)
    }

    @Test(arguments: [
        "", ".", "local.", ".local.", "victim.example.com.", "a.b.local.", "local.example.",
        "a b.local.", "a\u{0}.local.", "a\\.b.local.", "ä.local.", "xlocal.",
        String(repeating: "a", count: 260) + ".local.",
    ])
    func `any other target is not`(text: String) {
        #expect(HostName.local(Array(text.utf8)) == nil)
    }

    @Test func `bytes that are no text are not`() {
        #expect(HostName.local([0xff, 0xfe] + Array(".local.".utf8)) == nil)
    }
}
