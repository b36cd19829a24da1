/// A call of the program that somebody is typing: the words before the cursor, in which the last
/// one, perhaps empty, is what a shell completes.
struct UnfinishedCall {
    /// The place of the word that is typed.
    enum Place: Equatable {
        /// It names the command.
        case command
        /// It is the value of an option.
        case value(Option)
        /// It is one of the words that the command takes.
        case word
        /// Nothing is known of it.
        case unknown
    }

    /// The command; nil before it, or when there is none of that name.
    private(set) var command: Command?
    /// The words of the command that are finished.
    private(set) var words: [String] = []
    /// The directory of the device, if an option names one.
    private(set) var home: String?
    /// The place of the word that is typed.
    private(set) var place = Place.command
    /// The word that is typed; of `--option=value` the value alone.
    private(set) var current = ""

    init(_ line: [String]) {
        let typed = line.last ?? ""
        var isRest = false
        var awaited: Option?
        for word in line.dropLast() {
            if let option = awaited {
                take(option, word)
                awaited = nil
            } else if word == "--", !isRest {
                isRest = true
            } else if !isRest, word.hasPrefix("--") {
                let parts = Self.parts(of: word)
                let option = option(named: parts.name)
                if let value = parts.value { take(option, value) } else { awaited = option }
            } else if command == nil, place == .command {
                command = CommandTable.all.first { $0.name == word }
                place = command == nil ? .unknown : .word
            } else {
                words.append(word)
            }
        }
        let parts = Self.parts(of: typed)
        if let awaited {
            current = typed
            place = .value(awaited)
        } else if !isRest, typed.hasPrefix("--"), let value = parts.value {
            current = value
            place = option(named: parts.name).map(Place.value) ?? .unknown
        } else {
            current = typed
        }
    }

    private mutating func take(_ option: Option?, _ value: String) {
        if option?.name == "home" { home = value }
    }

    /// Returns an option that takes a value.
    private func option(named name: String) -> Option? {
        let known = (command?.options ?? []) + Option.common
        return known.first { $0.name == name && $0.value != nil }
    }

    private static func parts(of word: String) -> (name: String, value: String?) {
        let parts = word.dropFirst(2).split(
            separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        return (String(parts.first ?? ""), parts.count == 2 ? String(parts[1]) : nil)
    }
}
