import LinnetCrypto
import LinnetDiscovery
import Testing

struct InstanceNameTests {
    @Test func `a name is twelve base32 characters`() {
        var entropy = Samples.entropy()
        for _ in 0..<100 {
            let name = InstanceName(entropy: entropy.bytes(8))
            #expect(name.text.utf8.count == 12)
            #expect(InstanceName(heard: Array(name.text.utf8)) == name)
        }
    }

    @Test func `names known from RFC 4648 come out`() {
        #expect(InstanceName(entropy: Array("foobarfo".utf8)).text == "mzxw6ytbojtg")
        #expect(InstanceName(entropy: Array("foobarfo".utf8)).shortForm == "mzx")
    }

    @Test(arguments: [
        "", "mzxw6ytboj", "mzxw6ytbojtgg", "MZXW6YTBOJTG", "mzxw6.tbojtg", "mzxw6ytboj1g",
        "mzxw6ytbo\u{0}tg", "mzxw6ytbo\\09", "Bob's laptop", "mzxw6ytböjt",
    ])
    func `any other name is refused`(text: String) {
        #expect(InstanceName(heard: Array(text.utf8)) == nil)
    }

    @Test func `bytes that are no text are refused`() {
        #expect(InstanceName(heard: [UInt8](repeating: 0xff, count: 12)) == nil)
        #expect(InstanceName(heard: [UInt8](repeating: 0, count: 12)) == nil)
    }
}
