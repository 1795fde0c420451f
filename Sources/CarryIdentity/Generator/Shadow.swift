/// A declaration that takes the place of an imported one in the module that it is compiled into.
///
/// Swift prefers a module's own declaration to an imported one if both have exactly the same signature. So each signature here is
/// the imported one, word for word; `.ci/check-shadows` compares them with the toolchain's symbol graphs.
struct Shadow {
    /// The type that is extended; `nil` for a function at the top level.
    let type: String?
    /// The declaration without its body, on one line.
    let declaration: String
    /// The statements of the body, or the accessors of a property.
    let body: String
    /// What to write instead, for the warning.
    let instead: String
    /// False for an overload that the module adds to the imported ones, since the compiler prefers it and it costs less.
    var hidesImported = true

    init(_ type: String?, _ declaration: String, instead: String, hidesImported: Bool = true, _ body: String) {
        (self.type, self.declaration, self.instead, self.body) = (type, declaration, instead, body)
        self.hidesImported = hidesImported
    }

    /// The name of the member: a class's member that the target overrides must not be shadowed, or Swift refuses the override.
    var member: Substring {
        let words = declaration.split { " (:".contains($0) }
        let keyword = words.firstIndex { ["func", "var", "init"].contains($0) }
        return keyword.map { words[$0] == "init" ? words[$0] : words[$0 + 1] } ?? ""
    }

    /// The lines of the declaration, with its body.
    ///
    /// - Parameters:
    ///   - warning: True if the compiler is to warn about each use.
    ///   - attributes: The lines before the others.
    /// - Returns: The lines, with the module of each type.
    func lines(warning: Bool, attributes: [String]) -> [String] {
        var lines = attributes
        // In this module it hides the imported one in any case; a module that sees both, by `@testable`, gets the imported one.
        lines.append("@_disfavoredOverload")
        if warning {
            lines.append(
                "@available(*, deprecated, message: \"This hop carries no identity by itself: write \(instead).\")"
            )
        }
        lines.append("\(QualifiedNames.qualifying(declaration)) {")
        lines += QualifiedNames.qualifying(body).split(separator: "\n").map { "    \($0)" }
        lines.append("}")
        return lines
    }
}

/// The shadows of one imported module, and what they need.
struct ShadowedModule {
    /// The module whose import in the target's sources asks for these shadows.
    let name: String
    /// The product that the target must depend on.
    let product: String
    let shadows: [Shadow]

    static let all: [ShadowedModule] = [.concurrency, .observation, .dispatch, .foundation, .networking]
}
