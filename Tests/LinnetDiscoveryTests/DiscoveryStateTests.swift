import LinnetDiscovery
import Testing

struct DiscoveryStateTests {
    @Test(arguments: [
        (Int32(-65_570), DiscoveryState.permissionRefused), (-72_008, .permissionRefused),
        (-65_537, .noDaemon), (-65_563, .noDaemon), (1, .noDaemon), (.min, .noDaemon),
    ])
    func `the two refusals of permission are told from a missing daemon`(
        code: Int32, state: DiscoveryState
    ) {
        #expect(DiscoveryState(error: code) == state)
    }

    @Test(arguments: [
        (0, 0, DiscoveryState.noMulticast), (0, 2, .searching), (1, 0, .found), (3, 1, .found),
    ])
    func `what was found counts more than what the interfaces promise`(
        resolved: Int, interfaces: Int, state: DiscoveryState
    ) {
        #expect(
            DiscoveryState(resolvedInstances: resolved, multicastInterfaces: interfaces) == state)
    }
}
