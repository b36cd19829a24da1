internal import CDNSSD

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// An answer of a DNS-SD operation, copied out of C before anything is decided.
enum Reply: Equatable {
    case failed(Int32)
    case registered(name: [UInt8])
    case browsed(isAdd: Bool, interfaceIndex: UInt32, name: [UInt8])
    case resolved(host: [UInt8], port: UInt16, txt: [UInt8])
    case address(IPAddress)
}

/// One running `DNSServiceRef`; used on the DNS-SD thread only.
///
/// Callbacks only append replies: nothing is deallocated from inside one.
@safe
final class ServiceHandle {
    /// The place to which `process` copies the replies; lives as long as the reference that points
    /// to it.
    fileprivate final class Inbox {
        var replies: [Reply] = []
    }

    private var reference: DNSServiceRef?
    private let inbox = Inbox()

    /// The descriptor to poll, -1 when closed.
    private(set) var descriptor: Int32 = -1

    /// Starts an operation; the closure gets the place for the reference and the context.
    private init(
        _ start: (UnsafeMutablePointer<DNSServiceRef?>, UnsafeMutableRawPointer) -> Int32
    ) throws(DaemonFailure) {
        Self.isPrepared
        unsafe reference = nil
        var started: DNSServiceRef?
        let context = unsafe Unmanaged.passUnretained(inbox).toOpaque()
        let code = unsafe start(&started, context)
        guard code == 0, let started = unsafe started else {
            throw DaemonFailure(code: code == 0 ? Int32(kDNSServiceErr_Unknown) : code)
        }
        unsafe reference = started
        descriptor = unsafe DNSServiceRefSockFD(started)
    }

    deinit { close() }

    /// Ends the operation; safe to repeat, never to be called from a callback.
    func close() {
        if let reference = unsafe reference { unsafe DNSServiceRefDeallocate(reference) }
        unsafe reference = nil
        descriptor = -1
        inbox.replies = []
    }

    /// Reads what is readable, returns the replies; call only when `descriptor` is readable.
    func process() -> [Reply] {
        guard let reference = unsafe reference else { return [] }
        let code = unsafe DNSServiceProcessResult(reference)
        let replies = inbox.replies
        inbox.replies = []
        return code == 0 ? replies : replies + [.failed(code)]
    }

    /// Done once: Avahi's layer needs zeroed memory, and writes an advertisement to stderr.
    private static let isPrepared: Void = linnet_prepare_dns_sd()

    private static func inbox(_ context: UnsafeMutableRawPointer?) -> Inbox? {
        guard let context = unsafe context else { return nil }
        return unsafe Unmanaged<Inbox>.fromOpaque(context).takeUnretainedValue()
    }

    /// At most 256 bytes of a C string: a domain name is no longer.
    private static func copy(_ text: UnsafePointer<CChar>?) -> [UInt8]? {
        guard let text = unsafe text else { return nil }
        let count = unsafe strnlen(text, 256)
        return (0..<count).map { unsafe UInt8(bitPattern: text[$0]) }
    }

    private static func copy(_ data: UnsafeRawPointer?, count: UInt16) -> [UInt8] {
        guard let data = unsafe data else { return [] }
        return unsafe Array(UnsafeRawBufferPointer(start: data, count: Int(count)))
    }
}

/// The code with which a `dns_sd.h` call failed.
struct DaemonFailure: Error, Equatable {
    let code: Int32

    /// True when it says that somebody on this machine holds the name already.
    var isNameConflict: Bool { code == Int32(kDNSServiceErr_NameConflict) }
}

extension ServiceHandle {
    /// The only domain we speak in: wide-area DNS would carry our traffic to strangers.
    private static let domain = "local."

    /// Browses a type on all interfaces.
    static func browsing(_ type: ServiceType) throws(DaemonFailure) -> ServiceHandle {
        try unsafe ServiceHandle { reference, context in
            unsafe DNSServiceBrowse(
                reference, 0, 0, type.rawValue, domain,
                { _, flags, interface, code, name, _, _, context in
                    guard let inbox = unsafe ServiceHandle.inbox(context) else { return }
                    guard code == 0, let name = unsafe ServiceHandle.copy(name) else {
                        inbox.replies.append(.failed(code))
                        return
                    }
                    let isAdd = flags & UInt32(kDNSServiceFlagsAdd) != 0
                    inbox.replies.append(
                        .browsed(isAdd: isAdd, interfaceIndex: interface, name: name))
                }, context)
        }
    }

    /// Registers an instance on all interfaces, under the machine's host name.
    ///
    /// The flag against renaming is not offered by Avahi's layer, so the owner compares names.
    static func registering(
        _ type: ServiceType, _ announcement: Announcement
    ) throws(DaemonFailure) -> ServiceHandle {
        try unsafe ServiceHandle { reference, context in
            unsafe DNSServiceRegister(
                reference, 0, 0, announcement.name.text, type.rawValue, domain, nil,
                announcement.port.bigEndian, UInt16(announcement.txt.count), announcement.txt,
                { _, _, code, name, _, _, context in
                    guard let inbox = unsafe ServiceHandle.inbox(context) else { return }
                    guard code == 0, let name = unsafe ServiceHandle.copy(name) else {
                        inbox.replies.append(.failed(code))
                        return
                    }
                    inbox.replies.append(.registered(name: name))
                }, context)
        }
    }

    /// Asks for the service and TXT record of one instance on one interface.
    static func resolving(
        _ key: InstanceKey, interfaceIndex: UInt32
    ) throws(DaemonFailure) -> ServiceHandle {
        try unsafe ServiceHandle { reference, context in
            unsafe DNSServiceResolve(
                reference, 0, interfaceIndex, key.name.text, key.type.rawValue, domain,
                { _, _, _, code, _, host, port, txtCount, txt, context in
                    guard let inbox = unsafe ServiceHandle.inbox(context) else { return }
                    guard code == 0, let host = unsafe ServiceHandle.copy(host) else {
                        inbox.replies.append(.failed(code))
                        return
                    }
                    inbox.replies.append(
                        .resolved(
                            host: host, port: UInt16(bigEndian: port),
                            txt: unsafe ServiceHandle.copy(UnsafeRawPointer(txt), count: txtCount)))
                }, context)
        }
    }

    /// Asks for the addresses of a host on one interface, of one family.
    static func addresses(
        of host: String, isIPv6: Bool, interfaceIndex: UInt32
    ) throws(DaemonFailure) -> ServiceHandle {
        let recordType = UInt16(isIPv6 ? kDNSServiceType_AAAA : kDNSServiceType_A)
        return try unsafe ServiceHandle { reference, context in
            unsafe DNSServiceQueryRecord(
                reference, 0, interfaceIndex, host, recordType, UInt16(kDNSServiceClass_IN),
                { _, flags, _, code, _, _, _, count, data, _, context in
                    guard let inbox = unsafe ServiceHandle.inbox(context) else { return }
                    guard code == 0 else {
                        inbox.replies.append(.failed(code))
                        return
                    }
                    guard flags & UInt32(kDNSServiceFlagsAdd) != 0,
                        let address = IPAddress(
                            bytes: unsafe ServiceHandle.copy(data, count: count))
                    else { return }
                    inbox.replies.append(.address(address))
                }, context)
        }
    }
}
