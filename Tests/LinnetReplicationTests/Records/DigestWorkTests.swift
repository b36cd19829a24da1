import LinnetCRDT
import LinnetStorage
import LinnetWire
import Testing

@testable import LinnetReplication

@Suite struct DigestWorkTests {
    private let fleet = Fleet()
    private let device: Device

    init() throws {
        device = try #require(try fleet.group(["laptop", "watch"]).first)
        for number in 0..<50 {
            try device.set("m\(number)", 1, .text("name \(number)"), at: fleet.now)
        }
        fleet.run()
    }

    private func digest(inStepsOf limit: Int) throws -> (Bytes32?, steps: Int) {
        let work = DigestWork(fleet.schema)
        var steps = 0
        while steps < 1_000 {
            steps += 1
            guard let reader = device.replica?.reader else { break }
            if let digest = try work.step(reader, atMost: limit) { return (digest, steps) }
        }
        return (nil, steps)
    }

    @Test(arguments: [1, 3, 7, 49, 50, 51])
    func `a digest in steps is the digest in one go`(limit: Int) throws {
        let whole = try device.replica?.reader.digest()
        let (digest, steps) = try digest(inStepsOf: limit)
        #expect(digest != nil && digest == whole)
        #expect(steps >= 50 / limit)
    }

    @Test func `a record that nobody sees is no part of it`() throws {
        let before = try device.replica?.reader.digest()
        try device.set("late", 1, .text("x"), at: fleet.now)
        #expect(try device.replica?.reader.digest() != before)
        #expect(try digest(inStepsOf: 2).0 == device.replica?.reader.digest())
    }
}
