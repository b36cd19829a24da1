/// A file that a device says is here reads as what was attached, and no chunk stays that no record
/// has named.
final class FilesAreWhole: Checker {
    let invariant = Invariant.filesAreWhole
    let sights: [Sight.Kind] = [.file, .chunks]

    func observe(_ sight: Sight) throws(Violation) {
        switch sight {
        case .file(let device, nil, _):
            throw violation("a file that is said to be here cannot be read", on: device)
        case .file(let device, let content?, false):
            throw violation(
                "a file of \(content.count) bytes is not what was attached", on: device)
        case .chunks(let device, let kept, let named) where kept != named:
            throw violation(
                "\(kept) chunks are kept, of which records have named \(named)", on: device)
        default: break
        }
    }
}
