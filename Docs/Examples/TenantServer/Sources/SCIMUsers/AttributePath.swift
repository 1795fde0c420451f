/// A path to an attribute: `userName`, `name.familyName`, `emails[type eq "work"].value`.
struct AttributePath: Sendable {
    let attribute: SchemaAttribute
    let filter: UserFilter?
    let member: SchemaAttribute?

    /// Reads a name with or without a member, and with or without the schema before it.
    ///
    /// - Parameter text: The name.
    /// - Returns: The path; `nil` where no attribute is called so.
    static func named(_ text: String) -> AttributePath? {
        var name = Substring(text)
        let prefix = UserSchema.uri + ":"
        if name.lowercased().hasPrefix(prefix.lowercased()) { name = name.dropFirst(prefix.count) }
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count),
            let attribute = SchemaAttribute.find(String(parts[0]), in: UserSchema.writable + [UserSchema.id])
        else { return nil }
        guard parts.count == 2 else { return AttributePath(attribute: attribute, filter: nil, member: nil) }
        guard let member = SchemaAttribute.find(String(parts[1]), in: attribute.members) else { return nil }
        return AttributePath(attribute: attribute, filter: nil, member: member)
    }

    /// The path of a patch's operation.
    ///
    /// - Parameter text: The path.
    /// - Returns: The path; `nil` where it is of another schema, which is passed over.
    /// - Throws: ``SCIMError`` where it names nothing, or what is not the client's to change.
    static func ofPatch(_ text: String) throws(SCIMError) -> AttributePath? {
        guard text.utf8.count <= 2_048 else { throw SCIMError(.invalidPath, "The path is longer than 2,048 bytes.") }
        if UserSchema.readOnly.contains(text.lowercased()) || text.lowercased().hasPrefix("meta.") {
            throw SCIMError(.mutability, "The path is of an attribute that is not the client's to change.")
        }
        let isOfAnother =
            text.lowercased().hasPrefix("urn:") && !text.lowercased().hasPrefix(UserSchema.uri.lowercased() + ":")
        if isOfAnother { return nil }
        guard let open = text.firstIndex(of: "[") else {
            guard let path = named(text) else { throw SCIMError(.invalidPath, "The path names no attribute.") }
            return path
        }
        guard let close = text.lastIndex(of: "]"), close > open, let path = named(String(text[..<open])),
            path.member == nil, path.attribute.isMultivalued
        else { throw SCIMError(.invalidPath, "The path names no attribute with several values.") }
        let filter = try UserFilter(String(text[text.index(after: open)..<close]), of: path.attribute.members)
        let rest = text[text.index(after: close)...]
        if rest.isEmpty { return AttributePath(attribute: path.attribute, filter: filter, member: nil) }
        guard rest.first == ".", let member = SchemaAttribute.find(String(rest.dropFirst()), in: path.attribute.members)
        else { throw SCIMError(.invalidPath, "The path names no attribute of its values.") }
        return AttributePath(attribute: path.attribute, filter: filter, member: member)
    }
}
