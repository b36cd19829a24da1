/// The facts about a program and its surroundings; nil stands for what could not be told.
package struct IntegrityFacts: Equatable, Sendable {
    /// The state of core files.
    package struct Cores: Equatable, Sendable {
        /// True when a crash may write a file of any size.
        package var areAllowed: Bool
        /// True when the kernel may dump this process, and others of this user may read it.
        package var isDumpable: Bool

        /// Joins the facts.
        package init(areAllowed: Bool, isDumpable: Bool) {
            (self.areAllowed, self.isDumpable) = (areAllowed, isDumpable)
        }
    }

    /// A place to which memory is written.
    package struct Swap: Equatable, Sendable {
        /// The partition or file.
        package var path: String
        /// The encryption of the disk under it.
        package var disk: DiskEncryption

        /// Joins the facts.
        package init(path: String, disk: DiskEncryption) { (self.path, self.disk) = (path, disk) }
    }

    /// The evidence about the clock.
    package enum Clock: Equatable, Sendable {
        /// Nothing speaks against it.
        case believable(String)
        /// It cannot be right; the sentence says why.
        case wrong(String)
        /// Somebody's clock is wrong, and it cannot be told whose.
        case doubtful(String)
    }

    /// The evidence about the program's file.
    package enum Program: Equatable, Sendable {
        /// It is the one that was known.
        case same(path: String)
        /// It has changed.
        case changed(path: String)
        /// Nothing was known of a program at this place.
        case new(path: String)
    }

    /// The process that follows this one; 0 for none.
    package var tracer: Int32?
    /// The libraries that were loaded without being asked for.
    package var preloads: [String]?
    /// The state of core files.
    package var cores: Cores?
    /// Sentences about what is wrong with the home's files, and what to do.
    package var openFiles: [String] = []
    /// True when the key file asks for a passphrase.
    package var hasPassphrase: Bool?
    /// The encryption of the disk that holds the home.
    package var disk = DiskEncryption.unknown("nobody looked")
    /// The places to which memory is written.
    package var swaps: [Swap]?
    /// The evidence about the clock.
    package var clock: Clock?
    /// The evidence about the program.
    package var program: Program?
    /// The effective user.
    package var userID: UInt32

    /// Begins without any facts but the user.
    package init(userID: UInt32) { self.userID = userID }
}

extension IntegrityFacts {
    /// One finding for each thing that was looked at, in the order of
    /// ``IntegrityFinding/Check``.
    package var findings: [IntegrityFinding] {
        [
            debugger, preload, coreFiles, files, keyDisk, swapSpace, clockFinding, programFinding,
            user,
        ]
    }

    private var debugger: IntegrityFinding {
        switch tracer {
        case nil:
            IntegrityFinding(.debugger, .unknown, "the system does not say who follows the program")
        case 0?: IntegrityFinding(.debugger, .good, "no other program follows this one")
        case let process?:
            IntegrityFinding(
                .debugger, .found, "process \(process) follows this program and can read its keys",
                remedy:
                    "End that process; if you did not start it, change the passphrase on another"
                    + " machine and remove this device from the group.")
        }
    }

    private var preload: IntegrityFinding {
        guard let preloads else {
            return IntegrityFinding(
                .preload, .unknown, "the system does not say which libraries it loads first")
        }
        guard !preloads.isEmpty else {
            return IntegrityFinding(.preload, .good, "no library was loaded before its own")
        }
        return IntegrityFinding(
            .preload, .found,
            "libraries were loaded into the program: \(preloads.joined(separator: ", "))",
            remedy: "Unset LD_PRELOAD and LD_AUDIT and look at /etc/ld.so.preload; start the"
                + " program again.")
    }

    private var coreFiles: IntegrityFinding {
        guard let cores else {
            return IntegrityFinding(.cores, .unknown, "the system does not say what a crash writes")
        }
        guard cores.areAllowed && cores.isDumpable else {
            return IntegrityFinding(.cores, .good, "a crash writes no memory to a file")
        }
        return IntegrityFinding(
            .cores, .found, "a crash would write memory, keys included, to a file",
            remedy: "Start it after 'ulimit -c 0', or let the application set RLIMIT_CORE to 0.")
    }

    private var files: IntegrityFinding {
        openFiles.isEmpty
            ? IntegrityFinding(.files, .good, "the home and its keys are closed to others")
            : IntegrityFinding(
                .files, .found, openFiles.joined(separator: "; "),
                remedy: "Close them as said; if others use this machine, take the keys for known"
                    + " and join again as a new device.")
    }

    private var keyDisk: IntegrityFinding {
        switch (hasPassphrase, disk) {
        case (true?, _):
            return IntegrityFinding(.disk, .good, "the key file asks for a passphrase")
        case (_, .encrypted):
            return IntegrityFinding(.disk, .good, "the disk that holds the home is encrypted")
        case (false?, .plain):
            return IntegrityFinding(
                .disk, .found,
                "the key file has no passphrase, and the disk below it is not encrypted as far as"
                    + " the system tells",
                remedy: "Give the key file a passphrase, or move the home to an encrypted disk.")
        case (nil, _):
            return IntegrityFinding(.disk, .unknown, "the key file cannot be read")
        case (_, .unknown(let reason)):
            return IntegrityFinding(
                .disk, .unknown,
                "the key file has no passphrase, and encryption of the disk is not known: "
                    + reason,
                remedy: "Give the key file a passphrase to be sure.")
        }
    }

    private var swapSpace: IntegrityFinding {
        guard let swaps else {
            return IntegrityFinding(.swap, .unknown, "the system does not say where it swaps to")
        }
        let plain = swaps.filter { $0.disk == .plain }.map(\.path)
        if !plain.isEmpty {
            return IntegrityFinding(
                .swap, .found,
                "memory can be swapped to \(plain.joined(separator: ", ")), which is not encrypted",
                remedy: "Encrypt the swap space, or switch it off with 'swapoff -a'.")
        }
        let open = swaps.filter { $0.disk != .encrypted }.map(\.path)
        if !open.isEmpty {
            return IntegrityFinding(
                .swap, .unknown,
                "encryption of the swap space \(open.joined(separator: ", ")) is not known")
        }
        return IntegrityFinding(
            .swap, .good, swaps.isEmpty ? "there is no swap space" : "the swap space is encrypted")
    }

    private var clockFinding: IntegrityFinding {
        switch clock {
        case nil:
            IntegrityFinding(.clock, .unknown, "the home is not open, so nothing speaks for it")
        case .believable(let text)?: IntegrityFinding(.clock, .good, text)
        case .doubtful(let text)?: IntegrityFinding(.clock, .unknown, text)
        case .wrong(let text)?:
            IntegrityFinding(
                .clock, .found, text,
                remedy: "Set the clock, for instance with timedatectl, and have the network set it."
            )
        }
    }

    private var programFinding: IntegrityFinding {
        switch program {
        case nil:
            IntegrityFinding(.program, .unknown, "the system does not say which file runs")
        case .new(let path)?:
            IntegrityFinding(
                .program, .unknown, "nothing is remembered of \(path) in this home",
                remedy: "Accept the program to have it remembered, if you trust it as it is now.")
        case .same(let path)?:
            IntegrityFinding(.program, .good, "\(path) is as it was when it was accepted")
        case .changed(let path)?:
            IntegrityFinding(
                .program, .found, "\(path) is another program than the one that was accepted",
                remedy: "If you or your system replaced it, accept it; else use a good copy.")
        }
    }

    private var user: IntegrityFinding {
        userID == 0
            ? IntegrityFinding(
                .user, .found, "the program runs as root: a fault in it reaches the whole machine",
                remedy: "Run it as a user of its own.")
            : IntegrityFinding(.user, .good, "the program does not run as root")
    }
}
