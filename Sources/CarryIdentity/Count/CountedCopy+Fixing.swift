import Foundation

extension CountedCopy {
    /// What was changed, and what was not.
    struct Fix {
        fileprivate(set) var changed: [QueueDeclaration] = []
        fileprivate(set) var left: [QueueDeclaration] = []
        /// The products that targets lack, by target.
        fileprivate(set) var missing: [String: Set<String>] = [:]
        /// The changed files of the package, by path, as they were copied and as they are to be.
        fileprivate var texts: [String: (copied: String, changed: String)] = [:]
    }

    /// Changes the declarations of queues in the copy, as far as it compiles, and counts again.
    ///
    /// - Parameter note: Is called with what happens.
    /// - Throws: What `count()` throws.
    /// - Returns: The change, which `write(_:)` applies to the package.
    mutating func fix(note: (String) -> Void) throws -> Fix {
        var (fix, originals, candidates) = (Fix(), [String: String](), [QueueDeclaration]())
        for target in counted {
            for file in target.files {
                let text = try String(contentsOf: copy.folder.appending(path: file), encoding: .utf8)
                for declaration in QueueDeclaration.all(in: text, file: file) {
                    if target.dependencies.contains(declaration.kind.product) {
                        candidates.append(declaration)
                        originals[file] = text
                    } else {
                        fix.missing[target.name, default: []].insert(declaration.kind.product)
                    }
                }
            }
        }
        func apply(_ declarations: [QueueDeclaration]) throws -> [String: (copied: String, changed: String)] {
            let changed = Dictionary(grouping: declarations, by: \.file)
            let texts = try originals.map { file, text in
                (file, QueueDeclaration.changing(changed[file] ?? [], in: text))
            }
            // A file that stays as it is is not compiled again.
            .filter { try String(contentsOf: copy.folder.appending(path: $0), encoding: .utf8) != $1 }
            try copy.renew(texts.map(\.0), with: Dictionary(uniqueKeysWithValues: texts))
            return changed.reduce(into: [:]) { texts, file in
                let copied = originals[file.key] ?? ""
                texts[file.key] = (copied, QueueDeclaration.changing(file.value, in: copied))
            }
        }
        fix.changed = try QueueDeclaration.compiling(candidates[...]) { declarations in
            _ = try apply(declarations)
            let ok = try compiles()
            note(
                "\(declarations.count) of \(candidates.count) declarations changed: it \(ok ? "compiles" : "does not compile")"
            )
            return ok
        }
        fix.left = candidates.filter { !fix.changed.contains($0) }
        fix.texts = try apply(fix.changed)
        if !fix.changed.isEmpty { try count() }
        return fix
    }

    /// Writes what compiled to the package itself.
    ///
    /// - Throws: `PackageCopy.Failure`, before it writes anything, if a file was edited meanwhile.
    func write(_ fix: Fix) throws {
        let files = fix.texts.map { (copy.original.appending(path: $0).resolvingSymlinksInPath(), $1) }
        for (place, text) in files where try String(contentsOf: place, encoding: .utf8) != text.copied {
            throw PackageCopy.Failure(reason: "nothing was changed: \(place.lastPathComponent) was edited meanwhile")
        }
        for (place, text) in files { try text.changed.write(to: place, atomically: true, encoding: .utf8) }
    }
}
