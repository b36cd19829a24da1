internal import CSQLite

/// The bytes that were written over a file that stays as it is, in pieces of one size.
final class ChangesInMemory {
    /// Reads a piece of the file below into bytes that are zero; returns SQLite's code.
    typealias Below = (inout [UInt8], Int) -> Int32

    private static let pieceBytes = 4096

    /// The length of the file, changes included.
    private(set) var size: Int
    /// The length of the part of the file below that still shows.
    private var sizeBelow: Int
    private var pieces: [[UInt8]?] = []

    /// Nothing was written yet over a file of `size` bytes.
    init(size: Int) {
        self.size = size
        sizeBelow = size
    }

    struct Failed: Error {}

    /// `count` bytes from `offset` on, zero where there are none.
    func read(_ count: Int, at offset: Int, _ below: Below) -> Result<[UInt8], Failed> {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count)
        while bytes.count < count {
            let place = offset + bytes.count
            let (index, start) = place.quotientAndRemainder(dividingBy: Self.pieceBytes)
            let length = min(Self.pieceBytes - start, count - bytes.count)
            if index < pieces.count, let piece = pieces[index] {
                bytes += piece[start..<start + length]
            } else if let found = original(length, at: place, below) {
                bytes += found
            } else {
                return .failure(Failed())
            }
        }
        return .success(bytes)
    }

    /// Keeps bytes; false when the file below could not be read.
    func write(_ bytes: [UInt8], at offset: Int, _ below: Below) -> Bool {
        var done = 0
        while done < bytes.count {
            let place = offset + done
            let (index, start) = place.quotientAndRemainder(dividingBy: Self.pieceBytes)
            let length = min(Self.pieceBytes - start, bytes.count - done)
            while pieces.count <= index { pieces.append(nil) }
            if pieces[index] == nil {
                guard
                    let piece = original(Self.pieceBytes, at: index * Self.pieceBytes, below)
                else { return false }
                pieces[index] = piece
            }
            pieces[index]?.replaceSubrange(
                start..<start + length, with: bytes[done..<done + length])
            done += length
        }
        size = max(size, offset + bytes.count)
        return true
    }

    /// Ends the file at `size`; what is written after it later has zeros before it.
    func truncate(to size: Int) {
        self.size = size
        sizeBelow = min(sizeBelow, size)
        let (index, start) = size.quotientAndRemainder(dividingBy: Self.pieceBytes)
        if index < pieces.count {
            if start > 0, var piece = pieces[index] {
                piece.replaceSubrange(
                    start..., with: [UInt8](repeating: 0, count: Self.pieceBytes - start))
                pieces[index] = piece
            }
            let kept = start > 0 ? index + 1 : index
            pieces.removeLast(pieces.count - kept)
        }
    }

    /// Bytes of the file below, zero where it has none; nil when it cannot be read.
    private func original(_ count: Int, at offset: Int, _ below: Below) -> [UInt8]? {
        let shown = max(0, min(count, sizeBelow - offset))
        var bytes = [UInt8](repeating: 0, count: shown)
        if shown > 0, below(&bytes, offset) != SQLITE_OK { return nil }
        return bytes + [UInt8](repeating: 0, count: count - shown)
    }
}
