import Linnet
import LinnetAPI
package import LinnetControl

/// The words of a call, sorted into options and the rest.
package struct Arguments: Equatable, Sendable {
    private var given: [(name: String, value: String)] = []
    /// The words that are not options, in order.
    package private(set) var words: [String] = []

    /// Sorts `words`; throws a `usage` failure that says what is wrong with them and, for an
    /// unknown option, which one was probably meant.
    package init(_ words: [String], options: [Option]) throws(ControlFailure) {
        var rest = words[...]
        while let word = rest.popFirst() {
            if word == "--" {
                self.words += rest
                return
            }
            if word == "-h" {
                given.append(("help", ""))
            } else if word.hasPrefix("--") {
                try take(word.dropFirst(2), from: &rest, options)
            } else if word.count > 1 && word.hasPrefix("-") {
                throw .usage("unknown option '\(word)': options begin with two dashes")
            } else {
                self.words.append(word)
            }
        }
    }

    /// Returns the value of an option, the last one when it was given several times; nil when it
    /// was not given.
    package func value(_ name: String) -> String? {
        given.last { $0.name == name }?.value
    }

    /// Returns the values of an option that may be given several times, in order.
    package func values(_ name: String) -> [String] {
        given.filter { $0.name == name }.map(\.value)
    }

    /// Returns true when an option was given.
    package func has(_ name: String) -> Bool {
        given.contains { $0.name == name }
    }

    /// Returns the words; throws when there are more or fewer than `names`.
    package func words(_ names: String...) throws(ControlFailure) -> [String] {
        if words.count < names.count {
            throw .usage("missing argument \(names[words.count])")
        }
        if words.count > names.count {
            throw .usage("unexpected argument '\(words[names.count])'")
        }
        return words
    }

    /// Returns true when options and words are equal, in the same order.
    package static func == (left: Arguments, right: Arguments) -> Bool {
        left.words == right.words && left.given.elementsEqual(right.given, by: ==)
    }

    private mutating func take(
        _ word: Substring, from rest: inout ArraySlice<String>, _ options: [Option]
    ) throws(ControlFailure) {
        let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let name = String(parts[0])
        let attached = parts.count == 2 ? String(parts[1]) : nil
        guard let option = options.first(where: { $0.name == name }) else {
            let near = NearMiss.best(for: name, among: options.map(\.name))
            let hint = near.map { "; did you mean '--\($0)'?" } ?? ""
            throw .usage("unknown option '--\(name)'\(hint)")
        }
        if has(name) && !option.repeats && option.value != nil {
            throw .usage("option '--\(name)' is given twice")
        }
        guard option.value != nil else {
            if attached != nil { throw .usage("option '--\(name)' takes no value") }
            given.append((name, ""))
            return
        }
        if let attached {
            given.append((name, attached))
        } else if let next = rest.first, !next.hasPrefix("--") {
            given.append((name, next))
            rest.removeFirst()
        } else {
            throw .usage("option '--\(name)' needs a value: \(option.usage)")
        }
    }
}
