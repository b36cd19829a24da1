import LinnetCrypto
import LinnetReplication
import LinnetWire
import Testing

@testable import Linnet

struct ConnectionDeskTests {
    @Test func `a link through the shared directory connects the watch, another one does not`() {
        var desk = ConnectionDesk(
            Entropy(seed: SecretBytes(copying: [UInt8](repeating: 7, count: 32))))
        var answers = [desk.isCompanionConnected]
        let carrier = FrameCarrier.pair().0
        let other = desk.links.nextID()
        desk.links.add(Link(carrier: carrier, origin: .attached), as: other)
        answers.append(desk.isCompanionConnected)
        let id = desk.links.nextID()
        desk.links.add(Link(carrier: carrier, origin: .companion(isAccepted: true)), as: id)
        answers.append(desk.isCompanionConnected)
        #expect(answers == [false, false, true])
    }
}
