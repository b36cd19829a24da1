/// One attempt to learn where an instance is: first its service record, then its addresses.
final class Resolution {
    /// Time for the service record, and then for the first address.
    static let answerMilliseconds: Int64 = 3_000
    /// Time after the first address in which more may come.
    static let graceMilliseconds: Int64 = 1_000
    /// Addresses that are kept of one host on one interface.
    static let addressesPerHost = 16

    let key: InstanceKey
    let interfaceIndex: UInt32
    /// The number of attempts that failed before this one.
    let failures: Int
    private(set) var handles: [ServiceHandle]
    private(set) var deadlineMilliseconds: Int64
    private(set) var host = ""
    private(set) var port: UInt16 = 0
    private(set) var txt: [UInt8] = []
    private(set) var addresses: [IPAddress] = []

    /// Asks for the service record.
    init(
        _ key: InstanceKey, interfaceIndex: UInt32, failures: Int, atMilliseconds now: Int64
    ) throws(DaemonFailure) {
        self.key = key
        self.interfaceIndex = interfaceIndex
        self.failures = failures
        handles = [try .resolving(key, interfaceIndex: interfaceIndex)]
        deadlineMilliseconds = now + Self.answerMilliseconds
    }

    /// Asks for the addresses of the host that the service record named.
    func askForAddresses(
        host: String, port: UInt16, txt: [UInt8], atMilliseconds now: Int64
    ) throws(DaemonFailure) {
        close()
        self.host = host
        self.port = port
        self.txt = txt
        for isIPv6 in [false, true] {
            handles.append(
                try .addresses(of: host, isIPv6: isIPv6, interfaceIndex: interfaceIndex))
        }
        deadlineMilliseconds = now + Self.answerMilliseconds
    }

    /// Keeps an address; false when it is known already or one too many.
    func keep(_ address: IPAddress, atMilliseconds now: Int64) -> Bool {
        guard !addresses.contains(address), addresses.count < Self.addressesPerHost else {
            return false
        }
        if addresses.isEmpty { deadlineMilliseconds = now + Self.graceMilliseconds }
        addresses.append(address)
        return true
    }

    /// Ends all operations.
    func close() {
        for handle in handles { handle.close() }
        handles = []
    }
}
