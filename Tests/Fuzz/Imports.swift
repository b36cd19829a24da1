import Linnet
import LinnetCRDT
import LinnetReplication

@testable import LinnetCLI

/// Files that are imported, and the words of a call: conditions and assignments.
func fuzz(_ input: [UInt8]) {
    guard let collection else { return }
    let csv = try? CSVImport.rows(input, collection)
    let lines = try? JSONLinesImport.rows(input, collection)
    for row in (csv ?? []) + (lines ?? []) {
        require(row.line > 0, "a row has a line")
        for cell in row.cells {
            require(collection.field(id: cell.field) != nil, "a cell belongs to a field")
        }
    }
    var reader = CSVReader(input)
    while let row = try? reader.next() {
        require(!row.cells.isEmpty, "a row has cells")
    }
    let text = String(decoding: input, as: UTF8.self)
    if let condition = try? WhereParser.condition(text, in: collection) {
        require(depth(of: condition) <= 64, "conditions nest only so deep")
    }
    _ = try? Assignment.changes(text.split(separator: " ").map(String.init), collection)
    _ = try? Assignment.changes([text], collection)
}

private func depth(of condition: Condition) -> Int {
    switch condition {
    case .all(let parts), .any(let parts): 1 + (parts.map(depth).max() ?? 0)
    case .not(let part): 1 + depth(of: part)
    case .test, .isNull: 1
    }
}

/// A field of every kind and type.
private let collection = try? SchemaFile(
    reading: Array(
        """
        {"version": 1, "collections": [{"id": 2000, "name": "item", "scope": "home", "fields": [
        {"id": 1, "name": "name", "type": "text"}, {"id": 2, "name": "size", "type": "int"},
        {"id": 3, "name": "price", "group": [{"name": "amount", "type": "decimal"},
        {"name": "per", "choice": ["piece", "box"]}]},
        {"id": 4, "name": "tags", "kind": "set", "type": "text"},
        {"id": 5, "name": "stock", "kind": "tally", "type": "decimal"},
        {"id": 6, "name": "notes", "kind": "text"}, {"id": 7, "name": "place", "kind": "order"},
        {"id": 8, "name": "day", "kind": "mv", "type": "date"},
        {"id": 9, "name": "at", "type": "instant"}, {"id": 10, "name": "half", "type": "double"},
        {"id": 11, "name": "isOpen", "type": "bool"}, {"id": 12, "name": "raw", "type": "bytes"}
        ]}]}
        """.utf8)
).schema.collection(named: "item")

func seeds() -> [[UInt8]] {
    [
        "id,name,size,tags,day\na,\"Tea, \"\"green\"\"\",3,\"[\"\"x\"\"]\",2026-11-21\n,B,,,\n",
        "name,price.amount,price.per,isOpen,raw,at\r\n"
            + "A,1.50,box,true,00ff,2026-11-21T10:00:00Z\r\n",
        #"{"id":"a","name":"Tea","size":3,"tags":["x"],"price":{"amount":"1.5","per":"box"}}"#,
        #"{"name":"B","stock":2,"notes":"long","half":"0.5","raw":"00ff","day":"2026-11-21"}"#,
        "name = 'Tea' and (size < 10 or not isOpen = true) and tags contains x",
        "price.amount >= 1.5 or day is null and name begins T",
        "name=Tea tags+=x tags-=y stock+=3 stock-=1@monday size=2 price.per=box",
    ].map { Array($0.utf8) }
}
