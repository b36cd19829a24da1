extension Schema {
    /// The devices of the group, as their people call them: in every schema.
    public static let devices = Collection(
        id: 1, name: "devices", scope: "devices",
        fields: [
            Field(id: 1, name: "name", type: .text),
            Field(
                id: 2, name: "kind", type: .choice(["phone", "watch", "laptop", "hub", "other"])),
        ]
    ).reserved
}
