extension Collection<UInt8> {
    /// Returns the offset of the first byte that begins no valid UTF-8 sequence, or `nil` where all are valid.
    func offsetOfInvalidUTF8() -> Int? {
        var decoder = UTF8.ForwardParser()
        var bytes = makeIterator()
        var offset = 0
        while true {
            switch decoder.parseScalar(from: &bytes) {
            case .valid(let sequence): offset += sequence.count
            case .emptyInput: return nil
            case .error: return offset
            }
        }
    }
}
