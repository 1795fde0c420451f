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

    /// Outside the registry: no name has an empty key, so that nobody can be spelled by accident.
    static let nobody = IdentitySpelling(name: "", record: IdentityRecord(key: .none, registry: nil))
}
