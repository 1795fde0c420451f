extension IdentitySnapshot {
    /// The snapshot as one word (a test verifies its size), without a reference.
    @inlinable
    var word: UInt { unsafeBitCast(self, to: UInt.self) }

    /// Makes the snapshot of a word whose object the caller keeps alive.
    @inlinable
    init(word: UInt) { self = unsafeBitCast(word, to: IdentitySnapshot.self) }
}

/// The runtime's description of a type: the one word of a metatype.
func metadata(of type: Any.Type) -> UnsafeRawPointer { unsafeBitCast(type, to: UnsafeRawPointer.self) }
