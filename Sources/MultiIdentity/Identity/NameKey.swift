/// The key that decides whether two names are one identity: the bytes of the caseless form.
///
/// Not the `String`: its `==` is canonical equivalence as the system's Unicode version has it, which can merge names that the
/// table of ``CaselessForm`` distinguishes.
struct NameKey: Hashable, Comparable, Sendable {
    let form: String
    /// Computed once: it chooses the registry's shard, and finds the entry there at creation and removal.
    let hashOfForm: Int

    init(_ name: String) { self.init(form: CaselessForm.of(name)) }

    private init(form: String) {
        var (form, hasher) = (form, Hasher())
        form.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        self.form = form
        hashOfForm = hasher.finalize()
    }

    /// The key that no name has.
    static let none = NameKey(form: "")

    static func == (one: NameKey, other: NameKey) -> Bool { one.form.isExactly(other.form) }

    func hash(into hasher: inout Hasher) { hasher.combine(hashOfForm) }

    static func < (one: NameKey, other: NameKey) -> Bool { one.form.utf8.lexicographicallyPrecedes(other.form.utf8) }
}
