import Foundation

/// A mistake of the person at the terminal, in words.
struct Mistake: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}

/// Prints a line at once, also into a pipe.
func say(_ text: String) {
    FileHandle.standardOutput.write(Data((text + "\n").utf8))
}
