import LinnetCRDT
import Testing

@testable import LinnetMedication

struct ZoneReadingTests {
    @Test func `a file of version 1 has 32-bit times and no rule for later`() throws {
        var file = ZoneFile(footer: "")
        file.version = 0
        file.types = [.init(offsetSeconds: 3_600), .init(offsetSeconds: 7_200, isDaylight: true)]
        file.transitions = [(-100, 1), (1_000, 0), (2_000, 1)]
        let rules = try ZoneRules(name: "X", file: file.bytes)
        let offsets = [-101, -100, 999, 1_000, 2_000, 5_000_000_000].map {
            rules.offsetSeconds(at: Instant(seconds: $0))
        }
        #expect(offsets == [3_600, 7_200, 7_200, 3_600, 7_200, 7_200])
    }

    @Test(arguments: ["2", "3", "4"])
    func `the versions with 64-bit times are read alike`(version: Unicode.Scalar) throws {
        var file = ZoneFile(footer: "AAA-2")
        file.version = UInt8(ascii: version)
        file.transitions = [(-5_000_000_000, 0), (5_000_000_000, 0)]
        let rules = try ZoneRules(name: "X", file: file.bytes)
        #expect(rules.transitions == [-5_000_000_000, 5_000_000_000])
        #expect(rules.offsetSeconds(at: Instant(seconds: 4_999_999_999)) == 0)
        #expect(rules.offsetSeconds(at: Instant(seconds: 5_000_000_000)) == 7_200)
    }

    @Test func `times that count leap seconds are refused`() throws {
        let bytes = try TestZones.bytes("right/Tokyo")
        #expect(throws: MedicationError.badZone(.leapSeconds)) {
            try ZoneRules(name: "right/Tokyo", file: bytes)
        }
    }

    @Test func `each way to be no zone has its fault`() throws {
        func fault(_ change: (inout ZoneFile) -> Void) -> ZoneFault? {
            var file = ZoneFile(footer: "AAA0")
            change(&file)
            do throws(MedicationError) {
                _ = try ZoneRules(name: "X", file: file.bytes)
            } catch {
                if case .badZone(let fault) = error { return fault }
            }
            return nil
        }
        #expect(fault { _ in } == nil)
        #expect(fault { $0.version = UInt8(ascii: "1") } == .notAZone)
        #expect(fault { $0.types = [] } == .badCounts)
        #expect(fault { $0.names = [] } == .badCounts)
        #expect(fault { $0.indicators = (2, 0) } == .badCounts)
        #expect(fault { $0.indicators = (0, 3) } == .badCounts)
        #expect(fault { $0.leapSeconds = 1 } == .leapSeconds)
        #expect(fault { $0.transitions = [(5, 0), (5, 0)] } == .badTransition)
        #expect(fault { $0.transitions = [(5, 1)] } == .badTransition)
        #expect(fault { $0.transitions = [(.min, 0)] } == .badTransition)
        #expect(fault { $0.transitions = [(.max, 0)] } == .badTransition)
        #expect(fault { $0.types[0].offsetSeconds = 93_600 } == .badLocalTimeType)
        #expect(fault { $0.types[0].offsetSeconds = .min } == .badLocalTimeType)
        #expect(fault { $0.types[0].name = 4 } == .badLocalTimeType)
        #expect(fault { $0.names = Array("LMT".utf8) } == .badLocalTimeType)
        #expect(fault { $0.footer = "AAA0\n" } == .badFooter)
        #expect(fault { $0.footer = "AAA0BBB" } == .badFooter)
        #expect(fault { $0.footer = String(repeating: "A", count: 70_000) } == .tooLarge)
    }

    @Test(arguments: ["Pacific/Apia", "Asia/Kathmandu", "Etc/UTC"])
    func `a file cut anywhere is refused`(zone: String) throws {
        let bytes = try TestZones.bytes(zone)
        for count in 0..<bytes.count {
            #expect(throws: MedicationError.self, "\(zone) \(count)") {
                try ZoneRules(name: zone, file: Array(bytes[..<count]))
            }
        }
    }

    @Test(arguments: TestZones.names)
    func `changed bytes are refused or read, and what is read answers`(zone: String) throws {
        let bytes = try TestZones.bytes(zone)
        var random = TestRandom(seed: UInt64(bytes.count))
        let places = bytes.count < 400 ? Array(bytes.indices) : []
        for place in places + (0..<400).map({ _ in random.below(bytes.count) }) {
            var changed = bytes
            changed[place] = UInt8(random.below(256))
            changed[random.below(bytes.count)] ^= 1 << UInt8(random.below(8))
            guard let rules = try? ZoneRules(name: zone, file: changed) else { continue }
            for milliseconds in [Int64.min, -1, 1_800_000_000_000, .max] {
                let instant = Instant(milliseconds: milliseconds)
                let day = rules.local(at: instant).day
                _ = rules.instant(day: day, hour: 2, minute: 30)
                #expect(LocalTimeType.offsets.contains(rules.offsetSeconds(at: instant)))
            }
        }
    }
}
