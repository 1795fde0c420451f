/// The operations of a PATCH (RFC 7644, 3.5.2), done one after the other, all or none.
struct UserPatch: Sendable {
    private struct Operation: Sendable {
        enum Kind: String, Sendable { case add, replace, remove }

        let kind: Kind
        let path: AttributePath
        let value: AttributeValue?
    }

    private let operations: [Operation]

    /// Reads the operations, of which those on other schemas are passed over.
    ///
    /// - Parameter body: The body.
    /// - Throws: ``SCIMError``.
    init(_ body: AttributeValue) throws(SCIMError) {
        guard case .list(let given) = body.members?["operations"] else {
            throw SCIMError(.invalidSyntax, "The body has no list of Operations.")
        }
        guard given.count <= 100 else { throw SCIMError(.tooMany, "There are more than 100 operations.") }
        var operations: [Operation] = []
        for operation in given {
            guard let members = operation.members, let name = members["op"]?.text,
                let kind = Operation.Kind(rawValue: name.lowercased())
            else { throw SCIMError(.invalidSyntax, "An operation is none of add, replace and remove.") }
            if let path = members["path"], path != .null {
                guard let text = path.text else { throw SCIMError(.invalidPath, "A path is no text.") }
                guard let path = try AttributePath.ofPatch(text) else { continue }
                operations.append(Operation(kind: kind, path: path, value: members["value"]))
                continue
            }
            guard kind != .remove else { throw SCIMError(.noTarget, "A removal has no path.") }
            guard let values = members["value"]?.members else {
                throw SCIMError(.invalidValue, "An operation without a path has no object with the attributes.")
            }
            for (name, value) in values.sorted(by: { $0.key < $1.key }) {
                // Whole resources are sent so, with what is not the client's to change.
                if UserSchema.readOnly.contains(name) { continue }
                guard let path = try AttributePath.ofPatch(name) else { continue }
                operations.append(Operation(kind: kind, path: path, value: value))
            }
        }
        self.operations = operations
    }

    /// Returns the attributes after all operations.
    func applied(to attributes: UserAttributes) throws(SCIMError) -> UserAttributes {
        var values = attributes.values
        for operation in operations { try apply(operation, to: &values) }
        return try UserAttributes(values)
    }

    private func apply(_ operation: Operation, to values: inout [String: AttributeValue]) throws(SCIMError) {
        let attribute = operation.path.attribute
        guard attribute.name != UserSchema.id.name else {
            throw SCIMError(.mutability, "The id is not the client's to change.")
        }
        if operation.kind != .remove, operation.value == nil { throw SCIMError(.invalidValue, "A value is missing.") }
        if attribute.isMultivalued {
            guard case .list(var elements) = values[attribute.name] ?? [] else { return }
            try apply(operation, to: &elements)
            values[attribute.name] = try UserAttributes.checked(.list(elements), attribute)
        } else if let member = operation.path.member {
            var object = values[attribute.name]?.object ?? [:]
            object[member.name] = operation.kind == .remove ? nil : operation.value
            values[attribute.name] = try UserAttributes.checked(.object(object), attribute)
        } else if operation.kind == .remove {
            guard !attribute.isRequired else { throw SCIMError(.mutability, "\(attribute.name) cannot be removed.") }
            values[attribute.name] = nil
        } else if let value = operation.value {
            let checked = try UserAttributes.checked(value, attribute)
            // What an object does not name is left as it was.
            if let new = checked?.object, let old = values[attribute.name]?.object {
                values[attribute.name] = .object(old.merging(new) { $1 })
            } else {
                values[attribute.name] = checked
            }
        }
    }

    /// The values of an attribute with several.
    private func apply(_ operation: Operation, to elements: inout [AttributeValue]) throws(SCIMError) {
        let path = operation.path
        guard path.filter != nil || path.member != nil else {
            return try applyToAll(operation, &elements)
        }
        let chosen = elements.indices.filter { path.filter?.matches(elements[$0].object ?? [:]) ?? true }
        if chosen.isEmpty {
            guard operation.kind == .add, let new = path.filter?.example, let value = operation.value else {
                throw SCIMError(.noTarget, "The path finds no value of \(path.attribute.name).")
            }
            let object = path.member.map { [$0.name: value] } ?? value.members ?? [:]
            return elements.append(.object(new.merging(object) { $1 }))
        }
        for index in chosen {
            var object = elements[index].object ?? [:]
            if let member = path.member {
                object[member.name] = operation.kind == .remove ? nil : operation.value
            } else if operation.kind == .remove {
                object = [:]
            } else if let new = try operation.value.flatMap({ (value) throws(SCIMError) in
                try UserAttributes.checked(value, Self.one(of: path.attribute))?.object
            }) {
                object = operation.kind == .add ? object.merging(new) { $1 } : new
            }
            elements[index] = object.isEmpty ? .null : .object(object)
        }
    }

    private func applyToAll(_ operation: Operation, _ elements: inout [AttributeValue]) throws(SCIMError) {
        switch operation.kind {
        case .remove: elements = []
        case .add, .replace:
            let checked = try operation.value.flatMap { (value) throws(SCIMError) in
                try UserAttributes.checked(value, operation.path.attribute)
            }
            guard case .list(let new) = checked ?? [] else { return }
            if operation.kind == .replace { return elements = new }
            // One is primary at most: the new one, where it says so.
            if new.contains(where: { $0.object?["primary"] == true }) {
                elements = elements.map { element in
                    guard element.object?["primary"] == true else { return element }
                    return .object((element.object ?? [:]).merging(["primary": false]) { $1 })
                }
            }
            elements += new
        }
    }

    private static func one(of attribute: SchemaAttribute) -> SchemaAttribute {
        var attribute = attribute
        attribute.isMultivalued = false
        return attribute
    }
}

extension UserFilter {
    /// A value that meets a filter of equalities alone, as `type eq "work"`.
    fileprivate var example: [String: AttributeValue]? {
        switch self {
        case .compares(let path, .eq, let value) where path.count == 1: [path[0].name: value]
        case .both(let one, let other):
            if let one = one.example, let other = other.example { one.merging(other) { $1 } } else { nil }
        default: nil
        }
    }
}
