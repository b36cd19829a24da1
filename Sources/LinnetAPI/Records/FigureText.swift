package import Linnet
import LinnetCRDT
package import LinnetReplication

/// Figures for people and for programs.
package enum FigureText {
    /// One group as an object: its values by their fields, and its figures.
    package static func json(
        _ group: FigureGroup, _ aggregates: [Aggregate], by fields: [String]
    ) -> JSON {
        let values = zip(fields, group.by).map { JSON.Member($0, ValueText.json($1)) }
        let figures = zip(aggregates, group.figures).map { aggregate, figure -> JSON in
            [
                "figure": .text(aggregate.name),
                "field": aggregate.field.map(JSON.text) ?? .null,
                "value": ValueText.json(figure.value), "exact": .bool(figure.isExact),
            ]
        }
        return ["by": .object(values), "figures": .array(figures)]
    }

    /// One group as a line: the values that make it, then its figures. A figure that is rounded has
    /// a sign for it.
    package static func line(
        _ group: FigureGroup, _ aggregates: [Aggregate], by fields: [String]
    ) -> String {
        let values = zip(fields, group.by).map { field, value in
            "\(field) \(TerminalText.neutral(value == .null ? "-" : ValueText.text(value)))"
        }
        let figures = zip(aggregates, group.figures).map { aggregate, figure in
            let sign = figure.isExact ? "" : "≈ "
            let shown = figure.value == .null ? "-" : ValueText.text(figure.value)
            let name = [aggregate.name, aggregate.field].compactMap(\.self).joined(separator: " ")
            return "\(name) \(sign)\(TerminalText.neutral(shown))"
        }
        let all = figures.joined(separator: ", ")
        return values.isEmpty ? all : values.joined(separator: ", ") + ": " + all
    }
}
