import Linnet
import LinnetCRDT
import LinnetMedication

/// Files that declare an application's collections, and JSON on its own.
func fuzz(_ input: [UInt8]) {
    if let json = try? JSONReader.read(input) {
        let line = Array(json.line.utf8)
        require((try? JSONReader.read(line)) == json, "a JSON value reads back")
    }
    do throws(SchemaFile.Failure) {
        let file = try SchemaFile(reading: input)
        let again = try? SchemaFile(reading: Array(file.text.utf8))
        require(again == file, "a schema file reads back")
        require(SchemaChange(from: file.schema, to: file.schema).notes.isEmpty, "nothing changes")
        let change = SchemaChange(from: .demonstration, to: file.schema)
        require(change.problems.allSatisfy { !$0.isEmpty }, "a problem is said in words")
    } catch {
        require(error.line > 0 && !error.description.isEmpty, "a failure has a place")
    }
}

func seeds() -> [[UInt8]] {
    let text = """
        {"version": 2, "collections": [
        {"id": 2000, "name": "item", "scope": "home", "delete": "updateWins", "fields": [
        {"id": 1, "name": "name", "type": "text", "index": "clear"},
        {"id": 2, "name": "price", "group": [{"name": "amount", "type": "decimal"},
        {"name": "per", "choice": ["piece", "box"]}]},
        {"id": 3, "name": "tags", "kind": "set", "type": "text", "index": "blind"},
        {"id": 4, "name": "stock", "kind": "tally", "type": "int"},
        {"id": 5, "name": "notes", "kind": "text"}, {"id": 6, "name": "place", "kind": "order"},
        {"id": 8, "name": "title", "type": "text", "copyFrom": 1},
        {"id": 7, "name": "shelf", "kind": "mv", "type": "date"}]},
        {"id": 2001, "name": "bill", "kind": "log", "scope": {"name": "bills", "by": "month"},
        "fields": [{"id": 1, "name": "of", "reference": "item"}]},
        {"id": 2002, "name": "note", "scope": {"optional": "notes"}, "fields": [
        {"id": 1, "name": "at", "type": "instant"}]}]}
        """
    return [
        Array(text.utf8), Array(SchemaFile(.demonstration).text.utf8),
        Array(#"{"version": 1, "builtIn": "medication"}"#.utf8),
        Array(#"["\u00e4\ud83d\ude00", -1.5e3, true, null, {}]"#.utf8),
    ]
}
