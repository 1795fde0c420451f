extension [UInt8] {
    /// Creates bytes by writing them in place, without filling with zeros first.
    ///
    /// `fill`: Writes from the start, and returns how many bytes it wrote.
    package init<Failure: Error>(
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
