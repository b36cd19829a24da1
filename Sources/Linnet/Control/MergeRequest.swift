package import LinnetControl
import LinnetWire

/// The wish to bring what another group wrote into this one.
package struct MergeRequest: ControlRequest {
    package typealias Answer = ControlMerge
    package static let number: UInt64 = 98
    package static let isLong = true
    package static var form: ControlForm<Self> {
        ControlForm(Self.init(path:passphrase:isPreview:), \.path, \.passphrase, \.isPreview)
    }

    /// The home of a device of the other group, as an absolute path.
    package var path: String
    /// The passphrase of its keys; nil where they have none.
    package var passphrase: Passphrase?
    /// True when nothing is to be written.
    package var isPreview: Bool

    /// Joins the parts.
    package init(path: String, passphrase: Passphrase?, isPreview: Bool) {
        (self.path, self.passphrase, self.isPreview) = (path, passphrase, isPreview)
    }
}

extension MergeRequest: NodeRequest {
    package func carryOut(_ answers: Answers<ControlMerge>) async throws(LinnetError) {
        let other = try await Node.open(at: path, schemaFile: nil, passphrase: passphrase)
        do throws(LinnetError) {
            let report = try await answers.node.merge(from: other, isPreview: isPreview) {
                answers.progress(done: $0, of: $1)
            }
            await other.stop()
            answers(ControlMerge(report))
        } catch {
            await other.stop()
            throw error
        }
    }
}

extension ControlMerge {
    init(_ report: MergeReport) {
        self.init(
            brought: UInt64(report.brought), changes: UInt64(report.changes),
            known: UInt64(report.known), waiting: UInt64(report.waiting),
            devices: UInt64(report.devices), both: report.both,
            bothCount: UInt64(report.bothCount))
    }
}
