package import LinnetCRDT
import LinnetWire

/// A walk over the chunks of a file in their order. What the lists say is checked on the way, so
/// that a list that lies ends the walk.
package struct ChunkWalk: Sendable {
    /// The chunk at which a walk stands.
    package enum Step: Equatable, Sendable {
        /// A part of the list, which has to be opened before the walk goes on.
        case list(ChunkEntry)
        /// A piece of the content.
        case content(ChunkEntry)
        /// Nothing is left.
        case end
    }

    private let file: FileValue
    /// The number of the part of the list that comes next.
    private var part = 0
    private var list: ChunkList
    private var index = 0
    /// The bytes of content before this place.
    package private(set) var offset: UInt64 = 0

    /// Begins before the first chunk.
    package init(_ file: FileValue) {
        self.file = file
        list = file.isDeep ? ChunkList() : file.chunks
    }

    /// The chunk at which the walk stands.
    package var step: Step {
        if index < list.count { return .content(list[index]) }
        return file.isDeep && part < file.chunks.count ? .list(file.chunks[part]) : .end
    }

    /// Goes on past a piece of the content.
    package mutating func pass() {
        offset += UInt64(list[index].length)
        index += 1
    }

    /// Goes on into a part of the list, given its opened bytes.
    package mutating func enter(_ bytes: [UInt8]) throws(FileFault) {
        part += 1
        let isLast = part == file.chunks.count
        guard let next = ChunkList(bytes), next.count > 0, next.areContent(endsFile: isLast)
        else { throw .malformed }
        let end = offset + next.total
        guard isLast ? end == file.size : end < file.size else { throw .malformed }
        list = next
        index = 0
    }
}
