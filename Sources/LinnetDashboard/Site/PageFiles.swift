import CDashboardPage

#if DEBUG
    import LinnetAPI
    import LinnetControl
#endif

/// The files of the page, as they are within the program.
struct PageFiles: Sendable {
    private let files: [String: HTTPAnswer]

    #if DEBUG
        /// The directory from which the files are read anew each time, for whoever works on them.
        private let directory = Environment.value("LINNET_DASHBOARD_PAGE")
    #endif

    init() {
        var files: [String: HTTPAnswer] = [:]
        for index in 0..<dashboard_file_count() {
            let file = unsafe dashboard_file_at(index)
            guard let path = unsafe file.path, let type = unsafe file.type,
                let bytes = unsafe file.bytes
            else { continue }
            let content = unsafe [UInt8](UnsafeBufferPointer(start: bytes, count: file.count))
            unsafe files[String(cString: path)] = HTTPAnswer(
                type: String(cString: type), content)
        }
        self.files = files
    }

    /// True when there is a file of that name.
    func has(_ name: String) -> Bool { files[name] != nil }

    /// Returns a file; nil when there is none of that name.
    func answer(_ name: String) -> HTTPAnswer? {
        guard var answer = files[name] else { return nil }
        #if DEBUG
            if let directory {
                do {
                    answer.body = try FileText.read("\(directory)/\(name)")
                } catch {
                    return .refusal(404, "path", error.message)
                }
            }
        #endif
        return answer
    }
}
