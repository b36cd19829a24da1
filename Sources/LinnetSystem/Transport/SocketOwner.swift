import LinnetDiscovery

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Asks the system which user holds the other end of a TCP connection within this machine.
package enum SocketOwner {
    /// Returns the user of the socket that is bound to `local` and connected to `remote`; nil when
    /// the system does not tell, or when no process holds that socket any more.
    package static func userID(of local: SocketAddress, to remote: SocketAddress) -> UInt32? {
        #if os(Linux)
            guard let answer = ask(question(local, remote)) else { return nil }
            return owner(in: answer)
        #else
            return nil
        #endif
    }

    #if os(Linux)
        // These are struct nlmsghdr and struct inet_diag_req_v2 of the kernel (sock_diag(7)).
        private static let headerCount = 16
        private static let requestCount = 72
        private static let byFamily: UInt16 = 20
        private static let requestFlag: UInt16 = 1
        private static let socketDiagnosis: Int32 = 4
        private static let allStates: UInt32 = 0xffff_ffff

        static func question(_ local: SocketAddress, _ remote: SocketAddress) -> [UInt8] {
            var bytes: [UInt8] = []
            func add(_ number: UInt32) {
                unsafe withUnsafeBytes(of: number) { unsafe bytes.append(contentsOf: $0) }
            }
            func add(_ number: UInt16) {
                unsafe withUnsafeBytes(of: number) { unsafe bytes.append(contentsOf: $0) }
            }
            func add(_ ip: IPAddress) {
                bytes += ip.bytes + [UInt8](repeating: 0, count: 16 - ip.bytes.count)
            }
            add(UInt32(requestCount))
            add(byFamily)
            add(requestFlag)
            add(UInt32(1))
            add(UInt32(0))
            bytes += [UInt8(truncatingIfNeeded: local.family), UInt8(IPPROTO_TCP), 0, 0]
            add(allStates)
            add(local.port.bigEndian)
            add(remote.port.bigEndian)
            add(local.ip)
            add(remote.ip)
            add(UInt32(0))
            // No cookie is known: both halves are all ones.
            add(UInt32.max)
            add(UInt32.max)
            return bytes
        }

        private static func ask(_ question: [UInt8]) -> [UInt8]? {
            let kind = Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
            let descriptor = socket(AF_NETLINK, kind, socketDiagnosis)
            guard descriptor >= 0 else { return nil }
            defer { SystemCall.close(descriptor) }
            guard case .count(question.count) = Socket.send(descriptor, question, from: 0) else {
                return nil
            }
            // The kernel has answered by the time that the question is sent.
            guard Socket.makeNonBlocking(descriptor) else { return nil }
            var answer = [UInt8](repeating: 0, count: 1_024)
            guard case .count(let count) = Socket.receive(descriptor, into: &answer) else {
                return nil
            }
            return Array(answer.prefix(count))
        }

        /// Reads struct inet_diag_msg; a socket that no process holds has no inode.
        static func owner(in answer: [UInt8]) -> UInt32? {
            func number(at offset: Int) -> UInt32 {
                answer[offset..<offset + 4].reversed().reduce(0) { $0 << 8 | UInt32($1) }
            }
            let (userOffset, inodeOffset) = (headerCount + 64, headerCount + 68)
            guard answer.count >= inodeOffset + 4,
                UInt16(answer[4]) | UInt16(answer[5]) << 8 == byFamily,
                number(at: inodeOffset) != 0
            else { return nil }
            return number(at: userOffset)
        }
    #endif
}
