import LinnetFaces

/// The faces of phone, watch and widget, side by side, as text for a terminal.
struct DemoFaces: Equatable {
    private static let gap = 3

    /// One face with its title.
    struct Panel: Equatable {
        let title: String
        let lines: [String]
    }

    let panels: [Panel]

    /// Returns the panels for which a terminal of so many columns has room, without the broadest
    /// ones.
    func fitting(_ columns: Int) -> DemoFaces {
        var panels = panels
        while !panels.isEmpty,
            (DemoFaces(panels: panels).lines.map(FaceText.columns).max() ?? 0) > columns
        {
            let widths = panels.map { $0.lines.map(FaceText.columns).max() ?? 0 }
            if let broadest = widths.indices.max(by: { widths[$0] < widths[$1] }) {
                panels.remove(at: broadest)
            }
        }
        return DemoFaces(panels: panels)
    }

    /// The lines of all panels, side by side as far as so many columns have room for them; what has
    /// none stands below.
    func lines(_ columns: Int) -> [String] {
        var rows: [[Panel]] = []
        for panel in panels {
            let row = (rows.last ?? []) + [panel]
            let isBroad = (DemoFaces(panels: row).lines.map(FaceText.columns).max() ?? 0) > columns
            if rows.isEmpty || isBroad { rows.append([panel]) } else { rows[rows.count - 1] = row }
        }
        return Array(rows.map { DemoFaces(panels: $0).lines }.joined(separator: [""]))
    }

    /// The lines of all panels in one row, the shorter ones filled up.
    var lines: [String] {
        let columns = panels.map { panel in [panel.title] + panel.lines }
        let height = columns.map(\.count).max() ?? 0
        let widths = columns.map { lines in lines.map(FaceText.columns).max() ?? 0 }
        return (0..<height).map { row in
            var text = ""
            for (column, width) in zip(columns, widths) {
                let cell = row < column.count ? column[row] : ""
                let missing = max(0, width - FaceText.columns(cell)) + Self.gap
                text += cell + String(repeating: " ", count: missing)
            }
            let end = text.lastIndex { $0 != " " }.map { text.index(after: $0) }
            return "  " + text[..<(end ?? text.startIndex)]
        }
    }
}
