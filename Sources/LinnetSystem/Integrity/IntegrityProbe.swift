#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Asks the system about the program that runs and its surroundings, through /proc, /sys and /etc.
package struct IntegrityProbe: Sendable {
    /// The directory in which these three stand; empty for those of the system itself.
    private let root: String
    private let environment: @Sendable (String) -> String?

    /// The probe of the program that runs.
    package static let system = IntegrityProbe(root: "", environment: { Self.variable($0) })

    /// Looks at a tree below `root`, with these variables.
    package init(root: String, environment: @escaping @Sendable (String) -> String?) {
        self.root = root
        self.environment = environment
    }

    /// Returns the facts that follow from the system alone and from the place of the home.
    package func facts(home: String, userID: UInt32 = geteuid()) -> IntegrityFacts {
        var facts = IntegrityFacts(userID: userID)
        facts.tracer = tracer()
        facts.preloads = preloads()
        facts.cores = Self.cores()
        facts.disk = disk(of: home)
        facts.swaps = swaps()
        return facts
    }

    /// The process that follows this one; 0 for none, nil when that is not known.
    package func tracer() -> Int32? {
        guard let status = SystemFile.text("\(root)/proc/self/status") else { return nil }
        for line in status.split(separator: "\n") where line.hasPrefix("TracerPid:") {
            return Int32(line.dropFirst("TracerPid:".count).filter { !$0.isWhitespace })
        }
        return nil
    }

    /// The libraries that the loader was told to load first; nil when that is not known.
    package func preloads() -> [String]? {
        let separators: (Character) -> Bool = { $0 == ":" || $0.isWhitespace }
        var found = ["LD_PRELOAD", "LD_AUDIT"].flatMap { name in
            (environment(name) ?? "").split(whereSeparator: separators).map(String.init)
        }
        let path = "\(root)/etc/ld.so.preload"
        if let text = SystemFile.text(path) {
            for line in text.split(separator: "\n") {
                let words = line.prefix { $0 != "#" }
                found += words.split(whereSeparator: separators).map(String.init)
            }
        } else if !SystemFile.isMissing(path), found.isEmpty {
            return nil
        }
        return found
    }

    /// The encryption of the disk that holds a directory.
    package func disk(of directory: String) -> DiskEncryption {
        var status = stat()
        guard unsafe stat(directory, &status) == 0 else {
            return .unknown("the home cannot be looked at")
        }
        return disk(number: UInt64(truncatingIfNeeded: status.st_dev))
    }

    /// The encryption of a disk by its number, as stat(2) gives it.
    package func disk(number: UInt64) -> DiskEncryption {
        let major = (number >> 8 & 0xfff) | (number >> 32 & 0xffff_f000)
        let minor = (number & 0xff) | (number >> 12 & 0xffff_ff00)
        if major == 0 {
            return .unknown("its file system is not on a disk of its own")
        }
        return DiskEncryption.of(
            "\(root)/sys/dev/block/\(major):\(minor)", classes: "\(root)/sys/class/block")
    }

    /// The places to which memory is written; nil when that is not known. Compressed memory is
    /// none.
    package func swaps() -> [IntegrityFacts.Swap]? {
        guard let text = SystemFile.text("\(root)/proc/swaps") else { return nil }
        return text.split(separator: "\n").dropFirst().compactMap { line in
            let words = line.split { $0 == " " || $0 == "\t" }.map(String.init)
            guard words.count >= 2, let name = words[0].split(separator: "/").last else {
                return IntegrityFacts.Swap(path: String(line), disk: .unknown("it has no name"))
            }
            if name.hasPrefix("zram") { return nil }
            let disk =
                words[1] == "partition"
                ? DiskEncryption.of(
                    "\(root)/sys/class/block/\(name)", classes: "\(root)/sys/class/block")
                : disk(of: root + words[0])
            return IntegrityFacts.Swap(path: words[0], disk: disk)
        }
    }

    /// The program that runs; nil when that is not known.
    package func program() -> ProgramFile? { ProgramFile(link: "\(root)/proc/self/exe") }

    /// The state of core files of this process; nil when that is not known.
    package static func cores() -> IntegrityFacts.Cores? {
        var limit = rlimit()
        #if canImport(Glibc)
            guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &limit) == 0 else {
                return nil
            }
        #else
            guard unsafe getrlimit(RLIMIT_CORE, &limit) == 0 else { return nil }
        #endif
        return IntegrityFacts.Cores(
            areAllowed: limit.rlim_cur > 0, isDumpable: ProcessHardening.isDumpable)
    }

    private static func variable(_ name: String) -> String? {
        unsafe getenv(name).map { unsafe String(cString: $0) }
    }
}
