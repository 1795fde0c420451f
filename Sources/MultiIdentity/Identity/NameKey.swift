/// What decides whether two names are one identity: the bytes of the caseless form.
///
/// Not the `String`: its `==` is canonical equivalence as the system's Unicode version has it, which can merge names
/// that the table behind ``CaselessForm`` keeps apart.
struct NameKey: Hashable, Comparable, Sendable {
    private let form: String

    init(_ name: String) { form = CaselessForm.of(name) }

    private init(form: String) { self.form = form }

    /// The key that no name has.
    static let none = NameKey(form: "")

    static func == (one: NameKey, other: NameKey) -> Bool { one.form.utf8.elementsEqual(other.form.utf8) }

    func hash(into hasher: inout Hasher) {
        var form = form
        form.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }

    static func < (one: NameKey, other: NameKey) -> Bool { one.form.utf8.lexicographicallyPrecedes(other.form.utf8) }
}
