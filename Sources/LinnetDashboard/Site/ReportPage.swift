import Linnet
import LinnetAPI
import LinnetControl
import LinnetMedication

/// The doctor's report as a page.
enum ReportPage {
    /// Returns the report of the last days.
    @concurrent
    static func answer(_ request: HTTPRequest, of node: Node) async -> HTTPAnswer {
        func value(_ name: String) -> String? { request.query.first { $0.name == name }?.value }
        do throws(ControlFailure) {
            guard let count = Int64(value("days") ?? "30"), (1...400).contains(count) else {
                throw ControlFailure(.usage, "'days' is a whole number from 1 to 400")
            }
            let gateway = Gateway(ofServing: node, isUse: false)
            let desk = try await MedicineDesk.read(gateway, zone: value("zone"))
            let last = desk.zone.local(at: desk.now).day
            let days = last.advanced(byDays: 1 - count)...last
            let lines = try MedicineDesk.asked { () throws(MedicationError) in
                try desk.book.lines(in: desk.range(days), now: desk.now, zones: desk.zones)
            }.filter { $0.status != .upcoming }
            let known = try MedKnowledge(desk, days)
            return .page(MedPage.html(desk, days, lines, known, links: ErrorPage.links))
        } catch {
            return ErrorPage.answer(
                Doorkeeper.Refusal(HTTPAnswer.status(of: error), "\(error.kind)", error.message),
                to: request)
        }
    }
}
