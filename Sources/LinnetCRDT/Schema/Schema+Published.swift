extension Schema {
    /// The fields of a piece of a published schema, by number.
    package enum PieceFields {
        /// The bytes of this piece.
        package static let piece: UInt32 = 1
        /// The name of what follows it.
        package static let rest: UInt32 = 2
    }

    /// The schemas that the group's devices published, in pieces. Every replica merges the pieces
    /// and no schema lists them: applications meet what they say, not the pieces themselves.
    package static let published = Collection.log(
        id: 2, name: "schema", scope: devices.scope,
        fields: [
            Field(id: PieceFields.piece, name: "piece", type: .bytes),
            Field(id: PieceFields.rest, name: "rest", type: .bytes),
        ])

    /// The schema of a device that has not learned its group's schema yet: the devices alone.
    package static let unknown = Schema(version: 0, checked: [devices])

    /// True when nothing is known yet but that there are devices.
    package var isUnknown: Bool { self == .unknown }
}
