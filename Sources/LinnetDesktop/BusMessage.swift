#if canImport(CSystemd)
    import CSystemd

    /// A message of the bus, written and read piece by piece.
    ///
    /// A piece that cannot be written leaves its error in `failure`; what cannot be read is nil.
    @safe final class BusMessage {
        private let message: OpaquePointer
        /// The first error of writing, below zero; 0 without one.
        private(set) var failure: Int32 = 0

        /// Takes over a reference.
        init(adopting message: OpaquePointer) {
            unsafe self.message = message
        }

        /// Takes a reference of its own.
        init(borrowing message: OpaquePointer) {
            unsafe self.message = message
            unsafe _ = sd_bus_message_ref(message)
        }

        deinit {
            unsafe _ = sd_bus_message_unref(message)
        }

        /// The name on the bus of who sent it.
        var sender: String? {
            unsafe sd_bus_message_get_sender(message).map { unsafe String(cString: $0) }
        }

        func write(_ text: String) {
            note(
                unsafe text.withCString {
                    unsafe sd_bus_message_append_basic(message, Self.s, $0)
                })
        }

        func write(_ number: UInt32) {
            var number = number
            note(unsafe sd_bus_message_append_basic(message, Self.u, &number))
        }

        func write(_ number: Int32) {
            var number = number
            note(unsafe sd_bus_message_append_basic(message, Self.i, &number))
        }

        func write(_ number: UInt8) {
            var number = number
            note(unsafe sd_bus_message_append_basic(message, Self.y, &number))
        }

        /// Writes an array of elements of a type, `s` or `{sv}`.
        func writeArray(of type: String, _ body: () -> Void) {
            contain(Self.a, type, body)
        }

        /// Writes an entry of a dictionary from texts to variants.
        func writeEntry(_ key: String, of type: String, _ value: () -> Void) {
            contain(Self.e, "sv") {
                write(key)
                contain(Self.v, type, value)
            }
        }

        func unsigned() -> UInt32? {
            var number: UInt32 = 0
            return unsafe sd_bus_message_read_basic(message, Self.u, &number) > 0 ? number : nil
        }

        func boolean() -> Bool? {
            var number: Int32 = 0
            return unsafe sd_bus_message_read_basic(message, Self.b, &number) > 0
                ? number != 0 : nil
        }

        func text() -> String? {
            var text: UnsafePointer<CChar>?
            guard unsafe sd_bus_message_read_basic(message, Self.s, &text) > 0,
                let text = unsafe text
            else { return nil }
            return unsafe String(cString: text)
        }

        /// Reads an array of texts; an empty one where there is something else.
        func texts() -> [String] {
            guard unsafe sd_bus_message_enter_container(message, Self.a, "s") > 0 else { return [] }
            defer { unsafe _ = sd_bus_message_exit_container(message) }
            var texts: [String] = []
            while let text = text() { texts.append(text) }
            return texts
        }

        private func contain(_ kind: CChar, _ contents: String, _ body: () -> Void) {
            note(unsafe sd_bus_message_open_container(message, kind, contents))
            body()
            note(unsafe sd_bus_message_close_container(message))
        }

        private func note(_ result: Int32) {
            if result < 0, failure == 0 { failure = result }
        }

        // The bus names its types by letters.
        private static let (s, u, i, y) = (letter("s"), letter("u"), letter("i"), letter("y"))
        private static let (a, b, e, v) = (letter("a"), letter("b"), letter("e"), letter("v"))

        private static func letter(_ letter: Unicode.Scalar) -> CChar { CChar(letter.value) }
    }
#endif
