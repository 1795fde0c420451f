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
