import MultiIdentityFiles

/// Key material in separate memory, which is overwritten before it is freed; it is never printed.
// `@unchecked`: the memory is written before `init` returns and in `deinit`, and only read between.
final class SecretBytes: @unchecked Sendable {
    private let memory: UnsafeMutableRawBufferPointer
    private let giveBack: @Sendable (UnsafeMutableRawBufferPointer) -> Void

    /// - Parameters:
    ///   - count: The number of bytes.
    ///   - giveBack: Called with the memory after it is overwritten; tests inspect it.
    ///   - fill: Writes the bytes. The rest is zero.
    /// - Throws: The error of `fill`.
    init<Failure: Error>(
        count: Int,
        givingBack giveBack: @escaping @Sendable (UnsafeMutableRawBufferPointer) -> Void = { $0.deallocate() },
        filledBy fill: (UnsafeMutableRawBufferPointer) throws(Failure) -> Void
    ) throws(Failure) {
        memory = .allocate(byteCount: count, alignment: 16)
        self.giveBack = giveBack
        memory.initializeMemory(as: UInt8.self, repeating: 0)
        try fill(memory)
    }

    /// Creates a copy of bytes; the original is not overwritten.
    convenience init(copying bytes: UnsafeRawBufferPointer) {
        self.init(count: bytes.count) { $0.copyMemory(from: bytes) }
    }

    deinit {
        Cryptography.clear(memory)
        giveBack(memory)
    }

    /// The bytes, for as long as the closure runs.
    func withBytes<Value: ~Copyable, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        defer { withExtendedLifetime(self) {} }
        return try body(UnsafeRawBufferPointer(memory))
    }
}

extension SecretBytes: CustomStringConvertible, CustomReflectable {
    var description: String { "(secret)" }
    var customMirror: Mirror { Mirror(self, children: []) }
}
