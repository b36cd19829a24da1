/// The files of the wrong inputs, each with one thing that is wrong in it.
enum WrongInputFiles {
    static let all: [(name: String, bytes: [UInt8])] =
        texts.map { ($0.0, Array($0.1.utf8)) } + [
            ("latin.csv", Array("id,name\nx,Caf".utf8) + [0xe9, 0x0a]),
            ("utf16.csv", [0xff, 0xfe, 0x69, 0x00, 0x64, 0x00, 0x0a, 0x00]),
            ("latin.jsonl", Array(#"{"id":"x","name":"Caf"#.utf8) + [0xe9] + Array("\"}\n".utf8)),
            ("latin.txt", Array("Caf".utf8) + [0xe9]),
        ]

    private static let texts: [(String, String)] =
        [("text.linnet", "hello\n"), ("good.csv", "id,name\nx,A\n")] + csv + jsonLines + schemas

    private static let csv: [(String, String)] = [
        ("empty.csv", ""), ("header.csv", "id,nmae\nx,A\n"), ("twice.csv", "id,name,name\nx,A,B\n"),
        ("cells.csv", "id,name\nx,A,B\n"), ("cut.csv", "id,name\nx,\"A\n"),
        ("after.csv", "id,name\nx,\"A\"b\n"), ("number.csv", "id,amount\nx,many\n"),
        ("choice.csv", "id,form\nx,pill\n"),
        ("longid.csv", "id,name\n\(String(repeating: "x", count: 65)),A\n"),
        ("control.csv", "id,name\nx\u{1}y,A\n"), ("same.csv", "id,name\nx,A\nx,B\n"),
        ("doubles.csv", "id,packageSize\nx,1.5\n"), ("date.csv", "id,startDate\nx,2025-02-30\n"),
        ("noid.csv", "id,isActive\nx,yes\n"), ("quote.csv", "id,name\nx,A\"b\n"),
        ("esc.csv", "id,\u{1b}[2J\nx,A\n"),
        ("log.csv", "id,of,day\n2025-03-31,coffee,2025-03-31\n"),
        ("month.csv", "id,of,day\nabc,tea,2025-03-31\n"),
    ]

    private static let jsonLines: [(String, String)] = [
        ("bad.jsonl", "{\"id\":\"x\",\"name\":\n"), ("array.jsonl", "[\"x\"]\n"),
        ("unknown.jsonl", #"{"id":"x","nmae":"A"}"#),
        ("type.jsonl", #"{"id":"x","packageSize":1.5}"#),
        ("huge.jsonl", #"{"id":"x","amount":1e400}"#),
        ("dec.jsonl", #"{"id":"x","amount":0.1234567890123456789012}"#),
        ("idnum.jsonl", #"{"id":5,"name":"A"}"#),
        ("twice.jsonl", #"{"id":"x","name":"A","name":"B"}"#),
        ("surr.jsonl", #"{"id":"x","name":"\ud800"}"#), ("nan.jsonl", #"{"id":"x","amount":NaN}"#),
        ("group.jsonl", #"{"id":"x","dosage":5}"#),
        ("groupm.jsonl", #"{"id":"x","dosage":{"amuont":5}}"#),
        ("tail.jsonl", #"{"id":"x","name":"A"} x"#), ("bool.jsonl", #"{"id":"x","name":true}"#),
        ("intcut.jsonl", #"{"id":"x","packageSize":99999999999999999999}"#),
        (
            "deep.jsonl",
            #"{"id":"x","tags":"# + String(repeating: "[", count: 300)
                + String(repeating: "]", count: 300) + "}"
        ),
    ]

    private static let schemas: [(String, String)] = [
        ("bad.json", #"{"version": 1,"#), ("noversion.json", #"{"collections": []}"#),
        ("unknown.json", #"{"version":1,"colections":[]}"#),
        ("vers.json", #"{"version":1.5,"collections":[]}"#),
        ("kind.json", schema(#"{"id":1,"name":"x","kind":"lwww","type":"text"}"#)),
        ("low.json", schema(#"{"id":1,"name":"x","type":"text"}"#, id: 5)),
        (
            "dup.json",
            schema(#"{"id":1,"name":"x","type":"text"},{"id":1,"name":"y","type":"text"}"#)
        ),
        ("notype.json", schema(#"{"id":1,"name":"x"}"#)),
        ("ref.json", schema(#"{"id":1,"name":"x","reference":"nowhere"}"#)),
        ("set.json", schema(#"{"id":1,"name":"x","kind":"set"}"#)),
    ]

    private static func schema(_ fields: String, id: Int = 2_000) -> String {
        #"{"version":1,"collections":[{"id":\#(id),"name":"a","scope":"s","fields":[\#(fields)]}]}"#
    }
}
