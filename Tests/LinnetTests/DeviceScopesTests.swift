import Linnet
import Testing

struct DeviceScopesTests {
    @Test func `scopes are read as they are written`() {
        for scopes in [DeviceScopes.all, .only(["log"]), .only(["log", "meds"])] {
            #expect(DeviceScopes(text: scopes.text) == scopes)
        }
        #expect(DeviceScopes(text: "") == nil && DeviceScopes(text: "log,,meds") == nil)
    }
}
