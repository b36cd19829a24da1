#if canImport(CSystemd)
    import CSystemd
    import Glibc

    /// A connection to the session bus, for the service `org.freedesktop.Notifications`.
    ///
    /// It is used on one thread. Whoever holds it asks `process` after every call and whenever
    /// `descriptor` is ready or `deadlineMicroseconds` has come, and then asks those two again:
    /// what came in between stands in a queue that no descriptor announces.
    @safe final class SessionBus {
        static let service = "org.freedesktop.Notifications"
        private static let path = "/org/freedesktop/Notifications"
        private static let daemon = "org.freedesktop.DBus"
        /// The time that a server may take to answer, in microseconds.
        private static let patienceMicroseconds: UInt64 = 5_000_000

        private let bus: OpaquePointer
        /// The events that came and were not told yet.
        private(set) var events: [DesktopEvent] = []
        /// The name on the bus of whoever shows notices; what others say does not count.
        private var owner: String?

        /// Connects to the bus at an address; nil takes that of the person's session.
        init(address: String?) throws(DesktopError) {
            var opened: OpaquePointer?
            let result = unsafe Self.open(address, &opened)
            guard result >= 0, let bus = unsafe opened else { throw .noBus(-result) }
            unsafe self.bus = bus
        }

        deinit {
            unsafe _ = sd_bus_flush_close_unref(bus)
        }

        /// Returns what happened since the last time, and forgets it.
        func takeEvents() -> [DesktopEvent] {
            defer { events = [] }
            return events
        }

        /// Does what is to be done without waiting; throws when the bus is gone.
        func process() throws(DesktopError) {
            while true {
                let result = unsafe sd_bus_process(bus, nil)
                if result < 0 { throw .noBus(-result) }
                if result == 0 { return }
            }
        }

        var descriptor: Int32 { unsafe sd_bus_get_fd(bus) }

        /// True when the descriptor is waited for until it can be written to.
        var wantsToWrite: Bool { unsafe sd_bus_get_events(bus) & Int32(POLLOUT) != 0 }

        /// The time of the monotonic clock at which `process` is to be called; nil without one.
        var deadlineMicroseconds: UInt64? {
            var deadline: UInt64 = 0
            guard unsafe sd_bus_get_timeout(bus, &deadline) > 0, deadline != .max else {
                return nil
            }
            return deadline
        }

        private static func open(
            _ address: String?, _ opened: inout OpaquePointer?
        ) -> Int32 {
            guard let address else { return unsafe sd_bus_open_user(&opened) }
            for step in 0...3 {
                let result =
                    switch step {
                    case 0: unsafe sd_bus_new(&opened)
                    case 1: unsafe sd_bus_set_address(opened, address)
                    case 2: unsafe sd_bus_set_bus_client(opened, 1)
                    default: unsafe sd_bus_start(opened)
                    }
                if result < 0 {
                    unsafe opened = sd_bus_unref(opened)
                    return result
                }
            }
            return 0
        }
    }

    extension SessionBus {
        /// Listens to what the server of notices says, and to whether there is one. The bus must
        /// not be moved to another place afterwards: it is handed to C.
        func listen() throws(DesktopError) {
            let own = unsafe Unmanaged.passUnretained(self).toOpaque()
            for (member, rule) in [
                ("ActionInvoked", Self.rule("ActionInvoked")),
                ("NotificationClosed", Self.rule("NotificationClosed")),
                (
                    "NameOwnerChanged",
                    "type='signal',sender='\(Self.daemon)',interface='\(Self.daemon)',"
                        + "member='NameOwnerChanged',arg0='\(Self.service)'"
                ),
            ] {
                let result = unsafe sd_bus_add_match(bus, nil, rule, Self.handler(of: member), own)
                if result < 0 { throw .noBus(-result) }
            }
        }

        private static func rule(_ member: String) -> String {
            "type='signal',path='\(path)',interface='\(service)',member='\(member)'"
        }

        private static func handler(of member: String) -> sd_bus_message_handler_t {
            switch member {
            case "ActionInvoked":
                { message, own, _ in
                    unsafe SessionBus.heard(message, own) { bus, message in
                        guard let id = message.unsigned(), let action = message.text() else {
                            return
                        }
                        bus.note(.chosen(id, action: action), from: message)
                    }
                }
            case "NotificationClosed":
                { message, own, _ in
                    unsafe SessionBus.heard(message, own) { bus, message in
                        guard let id = message.unsigned() else { return }
                        bus.note(.closed(id), from: message)
                    }
                }
            default:
                { message, own, _ in
                    unsafe SessionBus.heard(message, own) { bus, message in
                        guard message.text() != nil, message.text() != nil,
                            let owner = message.text()
                        else { return }
                        bus.owner = owner.isEmpty ? nil : owner
                        bus.events.append(.serverChanged(isThere: !owner.isEmpty))
                    }
                }
            }
        }

        private static func heard(
            _ message: OpaquePointer?, _ own: UnsafeMutableRawPointer?,
            _ body: (SessionBus, BusMessage) -> Void
        ) -> Int32 {
            guard let message = unsafe message, let own = unsafe own else { return 0 }
            let bus = unsafe Unmanaged<SessionBus>.fromOpaque(own).takeUnretainedValue()
            body(bus, unsafe BusMessage(borrowing: message))
            return 0
        }

        /// Keeps what the server says; the bus lets anybody else say the same.
        private func note(_ event: DesktopEvent, from message: BusMessage) {
            guard let owner, message.sender == owner else { return }
            events.append(event)
        }
    }

    extension SessionBus {
        /// Calls the server of notices, which the bus starts where it can, and returns its answer.
        func ask(
            _ member: String, _ write: (BusMessage) -> Void = { _ in }
        ) throws(DesktopError) -> BusMessage {
            let answer = try call(Self.service, Self.path, Self.service, member, write)
            owner = answer.sender
            return answer
        }

        /// Calls the bus itself.
        func askBus(
            _ member: String, _ write: (BusMessage) -> Void = { _ in }
        ) throws(DesktopError) -> BusMessage {
            try call(Self.daemon, "/org/freedesktop/DBus", Self.daemon, member, write)
        }

        private func call(
            _ service: String, _ path: String, _ interface: String, _ member: String,
            _ write: (BusMessage) -> Void
        ) throws(DesktopError) -> BusMessage {
            var made: OpaquePointer?
            let result = unsafe sd_bus_message_new_method_call(
                bus, &made, service, path, interface, member)
            guard result >= 0, let made = unsafe made else { throw .failed(member, -result) }
            let request = unsafe BusMessage(adopting: made)
            write(request)
            if request.failure < 0 { throw .failed(member, -request.failure) }
            var error = unsafe sd_bus_error()
            defer { unsafe sd_bus_error_free(&error) }
            var reply: OpaquePointer?
            let code = unsafe sd_bus_call(
                bus, made, Self.patienceMicroseconds, &error, &reply)
            if code >= 0, let reply = unsafe reply { return unsafe BusMessage(adopting: reply) }
            guard let name = unsafe error.name else { throw .noBus(-code) }
            throw Self.error(
                unsafe String(cString: name),
                unsafe error.message.map { unsafe String(cString: $0) } ?? "")
        }

        private static func error(_ name: String, _ text: String) -> DesktopError {
            switch name {
            case "org.freedesktop.DBus.Error.ServiceUnknown",
                "org.freedesktop.DBus.Error.NameHasNoOwner":
                .noServer
            case "System.Error.ENOTCONN", "System.Error.ECONNRESET", "System.Error.EPIPE":
                .noBus(ENOTCONN)
            default: .refused(text.isEmpty ? name : text)
            }
        }
    }
#endif
