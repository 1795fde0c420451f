/// One spelling of a name, and the record that all spellings of it share; what an ``Identity`` refers to.
///
/// `@unchecked` since it has a subclass; what both store are constants that are `Sendable`.
@usableFromInline
class IdentitySpelling: @unchecked Sendable {
    final let name: String
    final let record: IdentityRecord

    init(name: String, record: IdentityRecord) {
        self.name = name
        self.record = record
    }

    /// The spelling of a valid name, which is an identity by that name alone.
    convenience init(_ name: String) {
        self.init(name: name, record: IdentityRegistry.shared.record(for: NameKey(name)))
    }

    /// The way it was verified, and who acts for it: of a described one alone.
    ///
    /// Asked without a cast, which takes longer than all else that an admission does.
    var verification: IdentityVerification? { nil }
    var actor: IdentityActor? { nil }

    /// Outside the registry: no name has an empty key, so that nobody can be spelled by accident.
    static let nobody = IdentitySpelling(name: "", record: IdentityRecord(key: .none, registry: nil))
}
