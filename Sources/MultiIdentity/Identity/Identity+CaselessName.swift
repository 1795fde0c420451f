extension Identity {
    /// The form of the name that all spellings of this identity share: what a database keys its rows by.
    ///
    /// Two identities are equal exactly if these forms are, byte for byte; keep the ``name`` beside it, which people
    /// know. The form of a name of characters that Unicode 15.0 assigns stays the same in every later version of this
    /// package (source: Unicode Character Encoding Stability Policies). Empty for ``nobody``, as no name is.
    ///
    /// - Complexity: O(1): the form was worked out when the name was first met.
    public var caselessName: String { spelling.record.key.form }
}
