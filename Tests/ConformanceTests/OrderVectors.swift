import LinnetCRDT

/// Keys of the kind order, and texts that are none.
enum OrderVectors {
    static func make() throws -> JSON {
        [
            "about":
                "docs/protocol.md, Order keys: what is a key, and in which order records stand.",
            "texts": .array(
                texts.map { name, text in
                    let isKey = FractionalKey(text) != nil
                    return [
                        "name": .text(name), "text": .text(text), "key": .bool(isKey),
                        "taken": true,
                    ]
                }),
            "ascending": .array(
                ["1", "A", "V", "V00001", "V1", "Vz", "a", "zzzzzzzz"].map(JSON.text)),
            "line": [
                "says": "records as (id, place), in the order in which a reader sees them",
                "records": [
                    ["q", "A"], ["p", "V"], ["r", "V"], ["o", "a"], ["a", .null], ["b", ""],
                    ["c", "V0"], ["d", .null],
                ],
            ],
            "between": .array(
                [(nil, nil), ("V", nil), (nil, "V"), ("V", "W"), ("V", "V1"), ("zz", nil)].map {
                    (lower: String?, upper: String?) in
                    let key = FractionalKey.between(
                        lower.flatMap(FractionalKey.init), upper.flatMap(FractionalKey.init),
                        tiebreak: [])
                    return [
                        "lower": lower.map(JSON.text) ?? .null,
                        "upper": upper.map(JSON.text) ?? .null,
                        "thisImplementationWrites": key.map { .text($0.description) } ?? .null,
                    ]
                }),
        ]
    }

    private static let texts: [(String, String)] = [
        ("a digit", "V"), ("several", "0z1"),
        ("4,096 digits", String(repeating: "z", count: 4_096)),
        ("nothing", ""), ("a zero at the end", "V0"), ("the lowest digit alone", "0"),
        ("4,097 digits", String(repeating: "z", count: 4_097)), ("another character", "V-"),
        ("a letter beyond ASCII", "\u{e9}"),
    ]
}
