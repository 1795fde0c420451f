import Foundation
import Testing

@testable import MultiIdentity

/// What the argument of Docs/Construction.md rests on and no type can say: read from the sources themselves.
@Suite("In the sources") struct OneWriterTests {
    /// The files of all modules in which a line of code matches.
    private static func files(with pattern: String) throws -> Set<String> {
        let sources = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Sources")
        let expression = try Regex(pattern).wordBoundaryKind(.simple)
        var found: Set<String> = []
        let names = try FileManager.default.subpathsOfDirectory(atPath: sources.path)
        for name in names where [".swift", ".c", ".h"].contains(where: name.hasSuffix) {
            let text = try String(contentsOf: sources.appending(path: name), encoding: .utf8)
            let code = text.split(separator: "\n").filter { !$0.drop { $0 == " " }.hasPrefix("//") }
            if code.contains(where: { $0.firstMatch(of: expression) != nil }) { found.insert(name) }
        }
        #expect(names.count > 50, "the sources are there")
        return found
    }

    @Test("one file binds the task-local")
    func taskLocal() throws {
        #expect(try Self.files(with: #"\bbound\.withValue"#) == ["MultiIdentity/Binding/IdentitySnapshot+Bind.swift"])
        #expect(
            try Self.files(with: #"\bmi_bound_p(ush|op)\("#) == [
                "CMultiIdentity/CMultiIdentity.c", "CMultiIdentity/include/CMultiIdentity.h",
                "MultiIdentity/Binding/ThreadMirror.swift",
            ]
        )
    }

    @Test("one file writes the mirror, and one the mirror and a lasting binding together")
    func mirror() throws {
        let writers = try Self.files(with: #"[.>]mirror *(=[^=]|\+=|-=|\^=)"#)
        #expect(writers == ["MultiIdentity/Binding/ThreadMirror.swift", "CMultiIdentity/include/LastingBinding.h"])
        #expect(try Self.files(with: #"\*(thread->)?lasting *="#) == ["CMultiIdentity/include/LastingBinding.h"])
        let users = try Self.files(with: #"\bmi_lasting_(enter|leave)\("#)
        #expect(
            users == [
                "CMultiIdentity/include/LastingBinding.h", "MultiIdentity/Binding/ThreadMirror.swift",
                "CMultiIdentityInterposition/Handing.c",
            ]
        )
    }

    @Test("one file has a binding set anew, for a batch and for the mirror")
    func place() throws {
        #expect(try Self.files(with: #"place\.pointee *="#) == ["MultiIdentity/Binding/BindingPlace.swift"])
        let users = try Self.files(with: #"\bBindingPlace\b"#).filter { !$0.contains("/Batches/") }
        #expect(
            users == [
                "MultiIdentity/Binding/BindingPlace.swift", "MultiIdentity/Binding/ThreadMirror.swift",
                "MultiIdentity/Binding/IdentitySnapshot+Bind.swift",
            ]
        )
    }

    @Test("one file has the mirror entered and left")
    func enterAndLeave() throws {
        let callers = try Self.files(with: #"ThreadMirror\.(enter|leave)\("#)
        #expect(callers == ["MultiIdentity/Binding/IdentitySnapshot+Bind.swift"])
    }

    @Test("one file makes an identity of a claim, behind a verifier")
    func claims() throws {
        #expect(try Self.files(with: #"\bverifiedBy:"#) == ["MultiIdentity/Carriers/IdentityVerifier.swift"])
        // That is the call, its declaration aside; and these two ask the registry, which is what makes an identity.
        let makers = try Self.files(with: #"IdentityRegistry\.shared\.record\("#)
        #expect(
            makers == ["MultiIdentity/Identity/Identity.swift", "MultiIdentity/Carriers/Identity+Verification.swift"]
        )
    }

    @Test("nothing that binds but for a closure is public, and neither is the task-local")
    func visibility() throws {
        #expect(try Self.files(with: #"public .*(static|class) (let|var) bound\b"#) == [])
        // A mutating method changes its own value, as a stream's, and no level.
        #expect(try Self.files(with: #"public (?!mutating ).*func (bind|enter|leave|set|push|pop)\b"#) == [])
    }
}
