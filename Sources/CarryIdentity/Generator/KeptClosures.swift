/// The declarations by which the compiler lists closures that a target keeps in an array, to be run later.
///
/// Such a closure runs as its caller, and only its author knows whether it belongs to one user: it is listed, and never carried.
/// Swift prefers a declaration that is not generic, so each member hides the standard library's own with one that comes last.
package enum KeptClosures {
    package static let boundary = "kept closure"

    private static let members = [
        (name: "append", place: "", body: "append(contentsOf: Swift.CollectionOfOne(newElement))"),
        (name: "insert", place: ", at i: Index", body: "insert(contentsOf: Swift.CollectionOfOne(newElement), at: i)"),
    ]

    // A pack of parameters cannot be passed on.
    /// Closures with up to three parameters, and their generic ones.
    private static let closures = ["", "A", "A, B", "A, B, C"].flatMap {
        parameters -> [(generic: String, type: String)] in
        ["", "@Sendable ", "@MainActor "].flatMap { isolation in
            ["", " throws", " async", " async throws"].map { effects in
                ("\(parameters.isEmpty ? "" : "\(parameters), ")R", "\(isolation)(\(parameters))\(effects) -> R")
            }
        }
    }

    static func lines(in sources: TargetSources) -> [String] {
        var lines: [String] = []
        for (name, place, body) in members {
            let isInlinable = sources.isUsedInInlinableCode(name)
            let marks = isInlinable ? "@usableFromInline nonisolated" : "@_spi(CarriedHops) nonisolated public"
            func declare(_ generic: String, _ type: String, _ condition: String) {
                let parameters = "_ newElement: __owned \(type)\(place)"
                lines.append("    \(marks) mutating func \(name)\(generic)(\(parameters))\(condition) { \(body) }")
            }
            for type in ["RangeReplaceableCollection", "Array"] {
                lines += ["", "extension Swift.\(type) {", "    @_disfavoredOverload"]
                declare("", "Element", "")
                lines.append("}")
            }
            lines += ["", "extension Swift.Array {"]
            for (generic, type) in closures {
                lines.append(
                    "    " + Shadow.warning(boundary, instead: "`IdentitySnapshot.capture().wrap { }` around it")
                )
                declare("<\(generic)>", "@escaping \(type)", " where Element == \(type)")
            }
            lines.append("}")
        }
        return lines
    }
}
