/// Words in the form that a shell reads (POSIX, Shell Command Language, 2.2), to be typed as
/// printed.
enum ShellWord {
    /// Joins words to a command line.
    static func line(_ words: [String]) -> String {
        words.map(quoted).joined(separator: " ")
    }

    /// Returns the word, in quotes where a shell would take it apart.
    static func quoted(_ word: String) -> String {
        let isPlain = word.utf8.allSatisfy { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5a, 0x61...0x7a: true
            default: "-_./:=,+@%".utf8.contains(byte)
            }
        }
        if isPlain, !word.isEmpty { return word }
        var quoted = "'"
        for character in word.unicodeScalars {
            if character == "'" { quoted += "'\\'" }
            quoted.unicodeScalars.append(character)
        }
        return quoted + "'"
    }
}
