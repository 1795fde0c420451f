extension IdentitySnapshot {
    /// The snapshot as the one word that it is (a test checks that), without a reference of its own.
    @inlinable
    var word: UInt { unsafeBitCast(self, to: UInt.self) }

    /// The snapshot of a word, whose object the caller keeps alive.
    @inlinable
    init(word: UInt) { self = unsafeBitCast(word, to: IdentitySnapshot.self) }
}

/// The runtime's description of a type, whose one word a metatype is.
func metadata(of type: Any.Type) -> UnsafeRawPointer { unsafeBitCast(type, to: UnsafeRawPointer.self) }
