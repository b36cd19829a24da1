import LinnetSystem

/// The desktop of the person who runs this program, as far as it shows notices. It has a thread of
/// its own, since a server may be slow to answer.
package final actor Desktop {
    private nonisolated let loop: EventLoop
    private let address: String?
    private let tell: @Sendable (DesktopEvent) -> Void

    #if canImport(CSystemd)
        private var bus: SessionBus?
        private var watched: Int32?
        private var timer: TimerID?
        private var capabilities: [String] = []
    #endif

    /// The loop, on whose thread the desktop works.
    package nonisolated var unownedExecutor: UnownedSerialExecutor {
        unsafe loop.asUnownedSerialExecutor()
    }

    /// Prepares; nil when the system has no thread left. Nothing is connected before the first
    /// call.
    ///
    /// - Parameters:
    ///   - address: that of the bus; nil takes the one of the person's session.
    ///   - tell: is told what happens, on the thread of the desktop.
    package init?(address: String? = nil, tell: @escaping @Sendable (DesktopEvent) -> Void) {
        guard let loop = EventLoop() else { return nil }
        self.loop = loop
        self.address = address
        self.tell = tell
    }

    /// Takes every notice with it that the server ties to this connection. Nothing may be called
    /// afterwards.
    package func stop() {
        disconnect()
        loop.stop()
    }
}

#if canImport(CSystemd)
    extension Desktop {
        /// Shows a notice, in the place of one with the number `replaced` where that is still
        /// there, and returns its number.
        package func show(
            _ notice: DesktopNotice, replacing replaced: UInt32?
        ) throws(DesktopError) -> UInt32 {
            try using { (bus) throws(DesktopError) in
                if capabilities.isEmpty { capabilities = try bus.ask("GetCapabilities").texts() }
                let shown = notice.text(for: capabilities)
                let answer = try bus.ask("Notify") { message in
                    message.write("Linnet")
                    message.write(replaced ?? 0)
                    message.write("")
                    message.write(shown.title)
                    message.write(shown.body)
                    message.writeArray(of: "s") {
                        for action in shown.actions {
                            message.write(action.key)
                            message.write(action.label)
                        }
                    }
                    message.writeArray(of: "{sv}") {
                        message.writeEntry("urgency", of: "y") {
                            message.write(shown.isUrgent ? 2 as UInt8 : 1)
                        }
                    }
                    // It stays until somebody or this program closes it.
                    message.write(0 as Int32)
                }
                guard let number = answer.unsigned() else {
                    throw .refused("the answer has no number")
                }
                return number
            }
        }

        /// Closes a notice; one that is gone is not missed.
        package func close(_ number: UInt32) throws(DesktopError) {
            do throws(DesktopError) {
                try using { (bus) throws(DesktopError) in
                    _ = try bus.ask("CloseNotification") { $0.write(number) }
                }
            } catch .refused {
                return
            }
        }

        /// Looks who shows notices, without showing one and without starting anybody.
        package func server() -> DesktopServer {
            do throws(DesktopError) {
                return try using { (bus) throws(DesktopError) in
                    let hasOwner = try bus.askBus("NameHasOwner") { $0.write(SessionBus.service) }
                    if hasOwner.boolean() == true {
                        let name = try bus.ask("GetServerInformation").text() ?? ""
                        let has = try bus.ask("GetCapabilities").texts().contains("actions")
                        return .answers(name: name, hasActions: has)
                    }
                    let names = try bus.askBus("ListActivatableNames").texts()
                    return names.contains(SessionBus.service) ? .startable : .missing
                }
            } catch {
                if case .noBus(let code) = error { return .noBus(code) }
                return .missing
            }
        }

        /// Connects where there is no connection.
        package func connect() throws(DesktopError) {
            try using { (_) throws(DesktopError) in }
        }

        private func using<Result>(
            _ body: (SessionBus) throws(DesktopError) -> Result
        ) throws(DesktopError) -> Result {
            let used: SessionBus
            if let bus {
                used = bus
            } else {
                used = try SessionBus(address: address)
                try used.listen()
                bus = used
            }
            do throws(DesktopError) {
                let result = try body(used)
                try settle(used)
                return result
            } catch {
                if case .noBus = error { lose() } else { turn() }
                throw error
            }
        }

        /// Does what the bus has to do, and waits for what it waits for from now on.
        private func settle(_ bus: SessionBus) throws(DesktopError) {
            try bus.process()
            for event in bus.takeEvents() {
                if case .serverChanged = event { capabilities = [] }
                tell(event)
            }
            let descriptor = bus.descriptor
            let interest: Readiness = bus.wantsToWrite ? [.read, .write] : .read
            if watched == descriptor {
                loop.setInterest(interest, of: descriptor)
            } else {
                watched = descriptor
                loop.watch(descriptor, for: interest) { [weak self] _ in self?.turnOnLoop() }
            }
            if let timer { loop.cancel(timer) }
            timer = bus.deadlineMicroseconds.map { deadline in
                loop.schedule(at: Int64(clamping: deadline / 1_000) + 1) { [weak self] in
                    self?.turnOnLoop()
                }
            }
        }

        private nonisolated func turnOnLoop() {
            assumeIsolated { $0.turn() }
        }

        private func turn() {
            guard let bus else { return }
            do throws(DesktopError) { try settle(bus) } catch { lose() }
        }

        private func lose() {
            guard bus != nil else { return }
            disconnect()
            tell(.lost)
        }

        private func disconnect() {
            if let watched { loop.unwatch(watched) }
            if let timer { loop.cancel(timer) }
            (watched, timer, bus) = (nil, nil, nil)
            capabilities = []
        }
    }
#else
    extension Desktop {
        /// Throws: this system has no session bus.
        package func show(
            _ notice: DesktopNotice, replacing replaced: UInt32?
        ) throws(DesktopError) -> UInt32 {
            throw .noBus(0)
        }

        /// Does nothing.
        package func close(_ number: UInt32) throws(DesktopError) {}

        /// Returns that there is no bus.
        package func server() -> DesktopServer { .noBus(0) }

        /// Throws: this system has no session bus.
        package func connect() throws(DesktopError) { throw .noBus(0) }

        private func disconnect() {}
    }
#endif

extension DesktopNotice {
    /// Returns what a server is given that can do these things. A body is read as markup where the
    /// server says so, so its signs are written out; actions are left out where it has none.
    func text(for capabilities: [String]) -> DesktopNotice {
        var shown = self
        if capabilities.contains("body-markup") {
            shown.body = ""
            for character in body {
                switch character {
                case "&": shown.body += "&amp;"
                case "<": shown.body += "&lt;"
                case ">": shown.body += "&gt;"
                default: shown.body.append(character)
                }
            }
        }
        if !capabilities.contains("actions") { shown.actions = [] }
        return shown
    }
}
