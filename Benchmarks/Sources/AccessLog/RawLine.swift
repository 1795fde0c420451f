/// One line's bytes without its line end.
struct RawLine {
    var bytes: [UInt8] = []

    /// True if the line was longer than the limit; `bytes` then holds only its beginning.
    var isTooLong = false
}
