import Foundation

/// A declaration that takes the place of an imported one in the module that it is compiled into.
///
/// Each signature here is the imported one; `.ci/check-forgotten-boundaries` compares them with symbol graphs.
struct Shadow {
    /// The type that is extended; `nil` for a function at the top level.
    let type: String?
    /// The declaration without its body, on one line.
    let declaration: String
    /// The statements of the body, or the accessors of a property.
    let body: String
    /// What to write instead, for the warning.
    let instead: String
    let preference: Preference

    /// Why the compiler prefers a declaration to an imported one.
    enum Preference {
        /// It is in the module itself, and has exactly the same signature.
        case signature
        /// It has fewer parameters, and costs less.
        case overload
        /// It is a property, and the imported one a function: its value is called.
        case property
        /// It is what such a value's call does.
        case call
    }

    init(_ type: String?, _ declaration: String, instead: String, preference: Preference = .signature, _ body: String) {
        (self.type, self.declaration, self.instead, self.body) = (type, declaration, instead, body)
        self.preference = preference
    }

    /// The call that it replaces, such as `DispatchQueue.async`.
    var boundary: String { (type.map { $0.prefix { $0 != " " } + "." } ?? "") + member }

    /// The name of the member, such as `async`.
    var member: String { Self.member(of: declaration) }

    static func member(of declaration: String) -> String {
        let words = declaration.split { " (:<".contains($0) }
        let keyword = words.firstIndex { ["func", "var", "init"].contains($0) }
        return keyword.map { String(words[$0] == "init" ? words[$0] : words[$0 + 1]) } ?? ""
    }

    /// The lines of the declaration, with its body and the module of each type.
    ///
    /// - Parameters:
    ///   - purpose: What the file is for.
    ///   - isInlinable: True if the target's inlinable code may use it.
    ///   - isOverloaded: True if the target has functions of this name.
    /// - Returns: The lines.
    func lines(for purpose: ShadowPurpose, isInlinable: Bool, isOverloaded: Bool) -> [String] {
        // Other modules do not see it, `@testable` or not, and it can still be the witness of a public protocol's requirement.
        // Inlinable code may not use such a declaration.
        var lines = [isInlinable ? "@usableFromInline" : "@_spi(CarriedHops)"]
        // Beside the override of a subclass, such as `IdentityOperationQueue`, it would be ambiguous. But the target's own overload,
        // which may call it, must not be preferred to it.
        let isHiding = [.signature, .overload].contains(preference)
        if isInlinable ? isHiding : type == "OperationQueue" && !isOverloaded {
            lines[0] = "@_disfavoredOverload \(lines[0])"
        }
        if purpose != .carrying, preference != .call {
            lines.append(Self.warning(boundary, instead: instead))
        }
        // Not the module's default isolation. These two have an isolation of their own.
        let isIsolated = ["isolation: isolated", "nonisolated(nonsending) func"].contains(where: declaration.contains)
        let modifiers = (isIsolated ? "" : "nonisolated ") + (isInlinable ? "" : "public ")
        let name = preference == .call ? "func callAsFunction" : "func \(member)"
        let named = QualifiedNames.qualifying(declaration.replacing("func \(member)", with: name))
        lines.append("\(modified(named, modifiers)) {")
        lines += body(for: purpose).split(separator: "\n").map { "    \($0)" }
        lines.append("}")
        return lines
    }

    /// The attribute by which the compiler lists a call.
    static func warning(_ boundary: String, instead: String) -> String {
        "@available(*, deprecated, message: \"`\(boundary)` carries no identity by itself: write \(instead).\")"
    }

    private func body(for purpose: ShadowPurpose) -> String {
        if purpose != .counting { return QualifiedNames.qualifying(body) }
        // What is counted is compiled and never run. Each accessor of a property is a line.
        let accessors = body.hasPrefix("get {") ? body.split(separator: "\n").map { $0.prefix { $0 != "{" } } : []
        return accessors.isEmpty
            ? "Swift.fatalError()" : accessors.map { "\($0){ Swift.fatalError() }" }.joined(separator: "\n")
    }

    /// Puts modifiers after the attributes.
    private func modified(_ declaration: String, _ modifiers: String) -> String {
        let keywords = ["nonisolated(nonsending)", "convenience", "static", "class", "func", "var"]
        let place = keywords.compactMap { declaration.range(of: "\($0) ")?.lowerBound }.min() ?? declaration.startIndex
        return "\(declaration[..<place])\(modifiers)\(declaration[place...])"
    }
}

/// What a file of shadows is for.
package enum ShadowPurpose {
    /// Each hop carries.
    case carrying
    /// Each hop carries, and the compiler warns about it.
    case warning
    /// The compiler warns, and the code never runs: so the file needs no product of this package.
    case counting
}

/// The shadows of one imported module, and what they need.
struct ShadowedModule {
    /// The module that declares what is shadowed.
    let name: String
    /// The product that the target must depend on.
    let product: String
    let shadows: [Shadow]

    static let all: [ShadowedModule] = [
        .concurrency, .observation, .dispatch, .foundation, .networking, .nioCore, .nioPosix,
    ]
}
