/// One spelling of a name, and the record that all its spellings share; an ``Identity`` refers to it.
///
/// `@unchecked` since it has a subclass; both store only constants that are `Sendable`.
@usableFromInline
class IdentitySpelling: @unchecked Sendable {
    final let name: String
    final let record: IdentityRecord

    init(name: String, record: IdentityRecord) {
        self.name = name
        self.record = record
    }

    /// Creates the spelling of a valid name, without verification or actors.
    convenience init(_ name: String) {
        self.init(name: name, record: IdentityRegistry.shared.record(for: NameKey(name)))
    }

    /// The verification; only a described spelling has one.
    ///
    /// Overridden rather than cast, which would take longer than the rest of an admission.
    var verification: IdentityVerification? { nil }
    var actor: IdentityActor? { nil }

    /// Outside the registry: no name has an empty key, so no spelling can be nobody by accident.
    static let nobody = IdentitySpelling(name: "", record: IdentityRecord(key: .none, registry: nil))
}
