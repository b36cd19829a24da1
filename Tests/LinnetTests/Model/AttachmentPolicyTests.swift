import LinnetReplication
import Testing

@testable import Linnet

@Suite struct AttachmentPolicyTests {
    @Test func `the replica follows what the node was told`() {
        #expect(NodeOptions().attachments == .onDemand)
        #expect(AttachmentPolicy.onDemand.ofReplica == .onDemand)
        #expect(AttachmentPolicy.all.ofReplica == .all)
        #expect(AttachmentPolicy.recent(days: 30).ofReplica == .recent(days: 30))
    }

    @Test(arguments: [(0, 1), (-5, 1), (1, 1), (36_500, 36_500), (.max, 36_500), (.min, 1)])
    func `days outside of the range count as the nearest ones`(given: Int, taken: Int) {
        #expect(AttachmentPolicy.recent(days: given) == .recent(days: taken))
        #expect(AttachmentPolicy.recent(days: given).ofReplica == .recent(days: taken))
    }
}
