import Foundation

@testable import SCIMUsers

/// A filter of the directory written as text, with no brackets but those that it needs.
enum FilterText {
    static func of(_ filter: UserFilter) -> String {
        switch filter {
        case .isPresent(let path): "\(name(path)) pr"
        case .compares(let path, let comparison, let value): "\(name(path)) \(comparison.rawValue) \(json(value))"
        case .has(let attribute, let filter): "\(attribute.name)[\(of(filter))]"
        case .not(let filter): "not (\(of(filter)))"
        case .both(let one, let other): "\(bracketed(one, in: .both)) and \(bracketed(other, in: .bothSecond))"
        case .either(let one, let other): "\(of(one)) or \(bracketed(other, in: .eitherSecond))"
        }
    }

    static func of(_ path: AttributePath) -> String {
        let filter = path.filter.map { "[\(of($0))]" } ?? ""
        return path.attribute.name + filter + (path.member.map { ".\($0.name)" } ?? "")
    }

    /// The names and operators of a text in their order, whatever their case, schema, brackets and values.
    static func words(of text: String) -> [String] {
        var (words, word, isValue, isEscaped) = ([String](), "", false, false)
        for scalar in text.lowercased().unicodeScalars {
            let isPart =
                !isValue && scalar.isASCII
                && (scalar.properties.isAlphabetic || ".:_-$0123456789".unicodeScalars.contains(scalar))
            if isPart { word.unicodeScalars.append(scalar) }
            if !isPart, !word.isEmpty {
                words.append(word)
                word = ""
            }
            if scalar == "\"", !isEscaped { isValue.toggle() }
            isEscaped = isValue && scalar == "\\" && !isEscaped
        }
        if !word.isEmpty { words.append(word) }
        let prefix = "\(UserSchema.uri.lowercased()):"
        return words.map { word in
            let name = word.hasPrefix(prefix) ? String(word.dropFirst(prefix.count)) : word
            // What an attribute with several values is compared by.
            return name.hasSuffix(".value") ? String(name.dropLast(6)) : name
        }
    }

    private enum Place { case both, bothSecond, eitherSecond }

    private static func bracketed(_ filter: UserFilter, in place: Place) -> String {
        let needsBrackets =
            switch (filter, place) {
            case (.either, _), (.both, .bothSecond): true
            default: false
            }
        return needsBrackets ? "(\(of(filter)))" : of(filter)
    }

    private static func name(_ path: [SchemaAttribute]) -> String { path.map(\.name).joined(separator: ".") }

    private static func json(_ value: AttributeValue) -> String {
        guard let json = try? JSONEncoder().encode(value) else { fatalError("cannot write \(value)") }
        return String(decoding: json, as: UTF8.self)
    }
}
