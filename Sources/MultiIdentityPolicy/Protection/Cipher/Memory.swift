extension UnsafeRawBufferPointer {
    /// No bytes.
    static var empty: Self { Self(start: nil, count: 0) }

    /// A part of it, which exists.
    func part(_ range: Range<Int>) -> Self { Self(rebasing: self[range]) }
}

extension UnsafeMutableRawBufferPointer {
    /// A part of it, which exists.
    func part(_ range: Range<Int>) -> Self { Self(rebasing: self[range]) }
}

extension [UInt8] {
    /// Bytes that are written where they are to stay, without zeros before.
    ///
    /// `fill`: Writes from the start, and returns how many bytes it wrote.
    init<Failure: Error>(
        capacity: Int,
        filledBy fill: (UnsafeMutableRawBufferPointer) throws(Failure) -> Int
    ) throws(Failure) {
        var failure: Failure?
        self.init(unsafeUninitializedCapacity: capacity) { buffer, count in
            let memory = UnsafeMutableRawBufferPointer(start: buffer.baseAddress, count: capacity)
            do throws(Failure) { count = try fill(memory) } catch { failure = error }
        }
        if let failure { throw failure }
    }
}
