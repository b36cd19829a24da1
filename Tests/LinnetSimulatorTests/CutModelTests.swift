import CutModel
import LinnetSimulator
import Testing

@Suite struct CutModelTests {
    private static let everything = Set(CutTrouble.allCases)

    @Test func `no history of two devices that write twice and cut once goes wrong`() {
        let search = CutSearch(all: CutWorld(devices: 2, writes: 2, cuts: 1), most: 100_000)
        #expect(search.isWhole)
        #expect(search.found == nil)
        #expect(search.visited > 1_000)
    }

    @Test(arguments: [2, 3], [UInt64(1), 2, 3])
    func `histories of chance with every trouble go wrong in no fleet that keeps the rules`(
        devices: Int, seed: UInt64
    ) {
        let search = walk(devices: devices, troubles: Self.everything, seed: seed, walks: 40)
        #expect(search.found == nil, "\(String(describing: search.found))")
        #expect(search.visited > 500)
    }

    @Test(arguments: BrokenRule.all)
    func `a fleet without one of the rules is caught going wrong`(broken: BrokenRule) {
        let search = walk(
            devices: broken.devices, troubles: broken.troubles, seed: broken.seed, walks: 400,
            without: broken.rule)
        #expect(search.found != nil)
    }

    private func walk(
        devices: Int, troubles: Set<CutTrouble>, seed: UInt64, walks: Int,
        without rule: CutRule? = nil
    ) -> CutSearch {
        let start = CutWorld(
            devices: devices, newcomers: troubles.contains(.newcomer) ? 1 : 0, writes: 6, cuts: 3,
            troubles: troubles, times: troubles.isEmpty ? 0 : 3, without: rule)
        var walker = Walker(random: SeededRandom(seed: seed))
        return CutSearch(walks: walks, of: 40, from: start, using: &walker)
    }

    private struct Walker: RandomNumberGenerator {
        var random: SeededRandom
        mutating func next() -> UInt64 { random.next() }
    }

    /// A rule, and where a short walk shows what it is for.
    struct BrokenRule: Sendable, CustomTestStringConvertible {
        let rule: CutRule
        let devices: Int
        let troubles: Set<CutTrouble>
        let seed: UInt64
        var testDescription: String { "\(rule)" }

        static let all = [
            BrokenRule(
                rule: .promisesWhatItShows, devices: 2, troubles: [.newcomer], seed: 8),
            BrokenRule(rule: .holdsTheUndecided, devices: 2, troubles: [.lapse], seed: 1),
            BrokenRule(rule: .listedIsOrdinary, devices: 2, troubles: everything, seed: 1),
            BrokenRule(rule: .storesPromises, devices: 2, troubles: everything, seed: 7),
            BrokenRule(rule: .risesOnly, devices: 2, troubles: everything, seed: 1),
            BrokenRule(rule: .foldsWhatIsListed, devices: 2, troubles: [], seed: 1),
            BrokenRule(rule: .asksNewcomers, devices: 2, troubles: [.newcomer], seed: 2),
        ]
    }
}
