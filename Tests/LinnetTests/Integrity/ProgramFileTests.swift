import LinnetCrypto
import LinnetWire
import Testing

@testable import LinnetSystem

struct ProgramFileTests {
    @Test func `the program that runs is found and hashed as a whole`() throws {
        let program = try #require(IntegrityProbe.system.program())
        #expect(program.path.hasPrefix("/"))
        let tree = try SystemTree()
        // Longer than one reading.
        let text = String(repeating: "0123456789abcdef", count: 100_000)
        try tree.write("program", text)
        try tree.link("proc/self/exe", to: "\(tree.root)/program")
        let other = try #require(tree.probe().program())
        var hasher = BLAKE2bHasher()
        hasher.update(Array(text.utf8))
        let expected = Bytes32(hasher.finish())
        #expect(other.hashed() == expected)
        #expect(other.stamp != program.stamp && other.pathHash != program.pathHash)
    }
}
