import LinnetWire
import Testing

@Suite struct MessageTypeTests {
    @Test func `the numbers of messages and close codes never change`() {
        #expect(
            MessageType.allCases.map(\.rawValue) == [
                0x01, 0x02, 0x03, 0x10, 0x11, 0x12, 0x13, 0x14, 0x15, 0x16, 0x17, 0x18, 0x19, 0x1a,
                0x1b, 0x1c, 0x20, 0x21, 0x22, 0x23, 0x24, 0x25, 0x26, 0x27, 0x28, 0x30, 0x31, 0x32,
                0x33, 0x34, 0x7f,
            ])
        #expect(MessageType(rawValue: 0x1d) == nil)
        #expect(CloseCode.allCases.map(\.rawValue) == [0, 1, 2, 3, 4, 5, 6, 7, 8])
        #expect(CloseCode.protocolViolation.rawValue == 4)
    }
}
