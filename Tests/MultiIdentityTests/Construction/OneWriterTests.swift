import Foundation
import Testing

@testable import MultiIdentity

/// Checks in the sources what the argument of Docs/Security.md relies on and no type can express.
@Suite("In the sources") struct OneWriterTests {
    /// The code of each file of all modules, without comment lines; read once for all tests.
    private static let code = Result {
        let sources = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Sources")
        let names = try FileManager.default.subpathsOfDirectory(atPath: sources.path)
        let ours = names.filter { name in
            !name.hasPrefix("Integrations/") && [".swift", ".c", ".h"].contains(where: name.hasSuffix)
        }
        return try ours.map { name in
            let text = try String(contentsOf: sources.appending(path: name), encoding: .utf8)
            return (name, text.split(separator: "\n").filter { !$0.drop { $0 == " " }.hasPrefix("//") })
        }
    }

    /// Returns the files of all modules that have a matching line of code.
    ///
    /// - Parameters:
    ///   - pattern: The pattern.
    ///   - word: A text in each matching line: a search for it is much faster than for the pattern.
    /// - Returns: The paths of those files.
    /// - Throws: The error of reading them.
    private static func files(with pattern: String, of word: String) throws -> Set<String> {
        let expression = try Regex(pattern).wordBoundaryKind(.simple)
        let code = try code.get()
        #expect(code.count > 50, "the sources are there")
        return Set(
            code.filter { _, lines in
                lines.contains { $0.contains(word) && $0.firstMatch(of: expression) != nil }
            }.map(\.0)
        )
    }

    @Test("one file binds the task-local; others only to see how the runtime keeps it", .rule("3.4"))
    func taskLocal() throws {
        #expect(
            try Self.files(with: #"\bbound\.withValue"#, of: "bound.withValue") == [
                "MultiIdentity/Binding/BoundListTrial.swift", "MultiIdentity/Binding/IdentitySnapshot+Bind.swift",
            ]
        )
        #expect(
            try Self.files(with: #"\bmi_bound_p(ush|op)\("#, of: "mi_bound_p") == [
                "CMultiIdentity/BoundList.c", "CMultiIdentity/CMultiIdentity.c", "CMultiIdentity/LastingBinding.c",
                "CMultiIdentity/include/CMultiIdentity.h",
                "MultiIdentity/Binding/ThreadMirror.swift",
            ]
        )
    }

    @Test("one file writes the mirror, and one the mirror and a lasting binding together", .rule("3.4"))
    func mirror() throws {
        let writers = try Self.files(with: #"[.>]mirror *(=[^=]|\+=|-=|\^=)"#, of: "mirror")
        #expect(writers == ["MultiIdentity/Binding/ThreadMirror.swift", "CMultiIdentity/include/LastingBinding.h"])
        #expect(
            try Self.files(with: #"\*(thread->)?lasting *="#, of: "lasting") == [
                "CMultiIdentity/include/LastingBinding.h"
            ]
        )
        let users = try Self.files(with: #"\bmi_lasting_(enter|enter_if_seen|leave)\("#, of: "mi_lasting_")
        #expect(
            users == [
                "CMultiIdentity/include/LastingBinding.h", "CMultiIdentity/WorkBlock.c",
                "MultiIdentity/Binding/ThreadMirror.swift", "CMultiIdentityAutomaticMode/Handing.c",
            ]
        )
    }

    @Test("one file overwrites a binding in place, for a batch and for the mirror")
    func place() throws {
        #expect(
            try Self.files(with: #"place\.pointee *="#, of: "place.pointee") == [
                "MultiIdentity/Binding/BindingPlace.swift"
            ]
        )
        let users = try Self.files(with: #"\bBindingPlace\b"#, of: "BindingPlace").filter { !$0.contains("/Batches/") }
        #expect(
            users == [
                "MultiIdentity/Binding/BindingPlace.swift", "MultiIdentity/Binding/ThreadMirror.swift",
                "MultiIdentity/Binding/IdentitySnapshot+Bind.swift",
            ]
        )
    }

    @Test("one file enters and leaves the mirror", .rule("3.4"))
    func enterAndLeave() throws {
        let callers = try Self.files(with: #"ThreadMirror\.(enter|leave)\("#, of: "ThreadMirror.")
        #expect(callers == ["MultiIdentity/Binding/IdentitySnapshot+Bind.swift"])
    }

    @Test(
        "what stops the program for a caller's mistake gives the reason in release builds too, unlike a precondition",
        .rule("5.1")
    )
    func stopping() throws {
        let silent = try Self.files(with: #"\bprecondition(Failure)?\(.*""#, of: "precondition").filter {
            $0.hasPrefix("MultiIdentity/Boundaries/Callbacks/IdentityCallback")
                || $0.hasPrefix("MultiIdentityFoundation/")
        }
        #expect(silent == [])
        #expect(try Self.files(with: #"\bprecondition\($"#, of: "precondition") == [])
    }

    @Test("one file makes an identity from a claim, behind a verifier")
    func claims() throws {
        // The kit marks one of its own callers as verified, to test that the mark crosses boundaries.
        #expect(
            try Self.files(with: #"\bverifiedBy:"#, of: "verifiedBy:") == [
                "MultiIdentityCarriers/IdentityVerifier.swift",
                "MultiIdentityTesting/Checking/BoundaryCheck+Carrying.swift",
            ]
        )
        // Without the declaration, only the call is left. One place calls the registry, which makes an identity from a name,
        // and calls nothing else: an identity is its name, regardless of the aliases of accounts.
        let makers = try Self.files(with: #"IdentityRegistry\.shared\.record\("#, of: "IdentityRegistry.shared.record(")
        #expect(makers == ["MultiIdentity/Identity/IdentitySpelling.swift"])
        let tables = try Self.files(with: #"\b(RevokedNames|AccountNames)\b"#, of: "Names")
        #expect(tables.allSatisfy { !$0.hasPrefix("MultiIdentity/Identity/") } && tables.count > 2)
    }

    @Test("nothing that binds without a closure is public, and neither is the task-local")
    func visibility() throws {
        #expect(try Self.files(with: #"public .*(static|class) (let|var) bound\b"#, of: "public ") == [])
        // A mutating method changes its own value, such as a stream's, and no level.
        #expect(
            try Self.files(with: #"public (?!mutating ).*func (bind|enter|leave|set|push|pop)\b"#, of: "public ") == []
        )
    }
}
