extension Schema {
    /// The fields of a piece of a published schema, by number.
    package enum PieceFields {
        /// The bytes of this piece.
        package static let piece: UInt32 = 1
        /// The name of what follows it.
        package static let rest: UInt32 = 2
    }

    /// What the group's devices published of their schemas, in pieces. Every replica merges it and
    /// no schema lists it: applications meet what the pieces say, not the pieces.
    package static let published = Collection.log(
        id: 2, name: "schema", scope: devices.scope,
        fields: [
            Field(id: PieceFields.piece, name: "piece", type: .bytes),
            Field(id: PieceFields.rest, name: "rest", type: .bytes),
        ])

    /// What a device knows before it has learned its group's schema: the devices alone.
    package static let unknown = Schema(version: 0, checked: [devices])

    /// Whether nothing is known yet but that there are devices.
    package var isUnknown: Bool { self == .unknown }
}
