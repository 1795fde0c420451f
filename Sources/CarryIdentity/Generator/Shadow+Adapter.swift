/// Shadows that call the method of the same name and parameters that an adapter has.
extension Shadow {
    static func carrying(_ declarations: [String], of type: String, as value: String, orElse: String = "") -> [Shadow] {
        declarations.map { declaration in
            let isStatic = declaration.contains("static func")
            // The adapter of a type is named after it.
            let view = isStatic ? "Identity\(type.dropFirst("EventLoop".count))." : "propagatingIdentity."
            let effects = declaration.contains(") async throws ->") ? "try await " : ""
            let (call, arguments) = (view + member(of: declaration), arguments(of: declaration))
            let receiver = isStatic ? "" : declaration.contains("class func") ? "\(type)." : "\(value)."
            let body = "\(effects)\(call)(\(arguments.joined(separator: ", ")))"
            return Shadow(type, declaration, instead: "`\(receiver)\(call)`\(orElse)", body)
        }
    }

    /// Members of a view that only its event loop uses: so the closure need not be sendable, and the future is such a view.
    static func isolated(_ declarations: [String], of type: String) -> [Shadow] {
        let end = type.hasSuffix(".Isolated") ? ".Isolated" : ""
        let unsendable = declarations.map {
            $0.replacing(#/@preconcurrency |@Sendable /#, with: "")
                .replacing(#/\) -> EventLoopFuture<\w+>(?= where|$)/#) { $0.output + end }
        }
        return boxing(unsendable, of: type, as: "isolated", via: "nonisolated().")
    }

    /// Shadows of what takes a closure last that need not be sendable.
    static func boxing(_ declarations: [String], of type: String, as value: String, via: String = "") -> [Shadow] {
        declarations.map { declaration in
            let (others, closure) = (arguments(of: declaration).dropLast(), arguments(of: declaration).last ?? "")
            let taken = declaration.firstMatch(of: #/@escaping \(([^)]*)/#)?.1.replacing(#/<.*?>/#, with: "") ?? ""
            let passed = (0..<taken.split(separator: ",").count).map { "$\($0)" }.joined(separator: ", ")
            let effects = declaration.contains(" throws -> ") ? "try " : ""
            let call = "\(via)propagatingIdentity.\(member(of: declaration))"
            let end = declaration.contains(".Isolated") ? ".assumeIsolatedUnsafeUnchecked()" : ""
            return Shadow(
                type,
                declaration,
                instead: "`\(value).\(call)`",
                """
                let work = ShadowedWork(\(closure.split(separator: " ").last ?? ""))
                return \(call)(\(others.joined(separator: ", "))) { \(effects)work.run(\(passed)) }\(end)
                """
            )
        }
    }

    /// Shadows of a protocol's requirements, which no function of an extension hides.
    ///
    /// But Swift prefers a property to a function of the same name, and calls its value.
    static func requirements(_ declarations: [String], of type: String, as value: String) -> [Shadow] {
        var properties: [String: Shadow] = [:]
        let calls = carrying(declarations, of: type, as: value).map { shadow in
            let callee = "Carried\(shadow.member.prefix(1).uppercased())\(shadow.member.dropFirst())"
            let (property, made) = ("var \(shadow.member): \(callee)", "\(callee)(base: self)")
            properties[callee] = Shadow(type, property, instead: shadow.instead, preference: .property, made)
            return Shadow(callee, shadow.declaration, instead: "", preference: .call, "base.\(shadow.body)")
        }
        return properties.values.sorted { $0.member < $1.member } + calls
    }

    /// What passes the parameters on: `in: delay`.
    private static func arguments(of declaration: String) -> [String] {
        var (parameters, depth, before) = ([""], 0, Character(" "))
        for character in declaration.drop(while: { $0 != "(" }).dropFirst() {
            if "([<".contains(character) { depth += 1 }
            if ")]".contains(character) || character == ">" && before != "-" { depth -= 1 }
            if depth < 0 { break }
            if depth == 0, character == "," {
                parameters.append("")
            } else {
                parameters[parameters.count - 1] += "\(character)"
            }
            before = character
        }
        return parameters.map { parameter in
            let names = parameter.prefix { $0 != ":" }.split(separator: " ")
            let (label, name) = (names.first ?? "", names.last == "in" ? "`in`" : names.last ?? "")
            return label == "_" ? "\(name)" : "\(label): \(name)"
        }
    }
}
