/// The reason why an emergency card cannot be read or made.
public enum CardError: Error, Equatable, Sendable {
    /// The bytes or texts are no card.
    case notACard
    /// A newer version of Linnet made it.
    case fromTheFuture
    /// It ends too early.
    case truncated
    /// It is not as it was made.
    case damaged
    /// A part is not as it was made; this is its number.
    case damagedPart(Int)
    /// The parts belong to several cards, with these names.
    case mixed([String])
    /// These parts of so many are missing.
    case missing([Int], of: Int)
    /// It is sealed by a passphrase, and none was given.
    case passphraseNeeded
    /// The passphrase does not open it, or it is not as it was made.
    case wrongPassphrase
    /// A passphrase for a card has at least 12 characters.
    case passphraseTooShort
    /// A passphrase has too many bytes.
    case passphraseTooLong
    /// It opens, but the device that it names did not sign it.
    case badSignature
    /// The records do not fit on a card.
    case tooLarge
    /// It does not fit into the parts that a card may have.
    case tooManyParts
    /// Its title is too long.
    case longTitle
    /// It would expire before it is made, or too late.
    case badExpiry
    /// The machine has no memory for the passphrase.
    case outOfMemory
}

extension CardError: CustomStringConvertible {
    /// A sentence that says what is wrong.
    public var description: String {
        switch self {
        case .notACard: "this is no emergency card"
        case .fromTheFuture: "a newer version of Linnet made this card"
        case .truncated: "the card ends too early"
        case .damaged: "the card is damaged, or was changed"
        case .damagedPart(0): "a part of the card is damaged or cut short"
        case .damagedPart(let number): "part \(number) of the card is damaged or cut short"
        case .mixed(let names): "these are parts of several cards: \(names.joined(separator: ", "))"
        case .missing(let numbers, let count):
            "of the card's \(count) parts these are missing: "
                + numbers.map(String.init).joined(separator: ", ")
        case .passphraseNeeded: "the card is sealed by a passphrase"
        case .wrongPassphrase: "the passphrase does not open the card, or the card was changed"
        case .passphraseTooShort: "the passphrase of a card has at least 12 characters"
        case .passphraseTooLong: "the passphrase of the card is too long"
        case .badSignature: "the device that the card names did not sign it"
        case .tooLarge: "this is too much for a card"
        case .tooManyParts: "the card needs more QR codes than anybody scans"
        case .longTitle: "the title of a card has at most 256 bytes"
        case .badExpiry: "a card is valid for 1 to 366 days"
        case .outOfMemory: "there is no memory for the passphrase of the card"
        }
    }

    /// A sentence that says what to do.
    public var remedy: String {
        switch self {
        case .notACard:
            "Give the file, or the texts of all its codes: each begins with LINNETCARD1 and a"
                + " colon."
        case .fromTheFuture: "Read it with that version."
        case .truncated, .damaged: "Scan or copy all of it again."
        case .damagedPart: "Scan its code again."
        case .mixed: "Read one card at a time; the name stands behind the first colon of a part."
        case .missing: "Scan these codes, too."
        case .passphraseNeeded: "Give the passphrase, or the words that were drawn for it."
        case .wrongPassphrase: "Try again."
        case .passphraseTooShort:
            "Whoever has the card can guess as often as he likes: choose a longer one, or let words"
                + " be drawn."
        case .passphraseTooLong: "Choose a shorter one."
        case .badSignature: "Do not rely on what it says."
        case .tooLarge: "Choose fewer scopes."
        case .tooManyParts: "Choose fewer scopes, or make a file."
        case .longTitle: "Choose a shorter one."
        case .badExpiry: "Choose another number."
        case .outOfMemory: "Close other programs."
        }
    }
}
