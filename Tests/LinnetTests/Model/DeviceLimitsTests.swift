import Linnet
import Testing

struct DeviceLimitsTests {
    @Test func `only a watch holds what is recent alone`() {
        for kind in DeviceKind.allCases {
            #expect(DeviceLimits.of(kind).holdsRecentOnly == (kind == .watch))
            #expect(DeviceLimits.of(kind).usesNetworkBesideLink == (kind != .watch))
        }
        #expect(DeviceLimits.of(.watch).residentBytes == 25_165_824)
        #expect(DeviceLimits.of(.watch).diskBytes == 8_388_608)
        #expect(DeviceKind(rawValue: "hub") == .hub)
    }
}

struct NodeWarningTests {
    private let device = Device(id: String(repeating: "0", count: 64), name: "Watch")

    private func zone(_ milliseconds: Int64) -> String? {
        NodeWarning.clockSkew(device, milliseconds: milliseconds).likelyZoneError
    }

    @Test func `a clock that is off by about a difference of zones is named so`() {
        #expect(zone(7_200_000) == "2 h")
        #expect(zone(-7_230_000) == "2 h")
        #expect(zone(20_700_000 + 119_000) == "5 h 45 min")
        #expect(zone(900_000) == "0 h 15 min")
    }

    @Test(arguments: [0, 60_000, 600_000, 7_200_000 + 300_000, 27 * 3_600_000, .max, .min])
    func `another difference is no zone`(milliseconds: Int64) {
        #expect(zone(milliseconds) == nil)
    }

    @Test func `the sentence names the device and the zone`() {
        let warning = NodeWarning.clockSkew(device, milliseconds: -3_600_000)
        #expect(
            warning.description
                == "the clock of Watch is 3600 s behind this device's"
                + ", as if its zone were wrong by 1 h")
        #expect(NodeWarning.upgradeNeeded.likelyZoneError == nil)
    }
}
