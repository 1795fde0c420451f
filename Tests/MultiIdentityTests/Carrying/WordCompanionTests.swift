import CMultiIdentity
import Testing

@testable import MultiIdentity

@Suite("Companions of one word each", .aboutLastingBindings, .rule("4.9"))
struct WordCompanionTests {
    private enum Local {
        @TaskLocal static var first = 0
        @TaskLocal static var second = 0
    }

    private static let named = CompanionLocals([Companion(Local.$first), Companion(Local.$second)], [])

    private let frame: BindingFrame

    init() {
        // Nothing is lent before any is named.
        IdentityCompanions.carry(Local.$first)
        var contents = BindingFrameContents(identity: ada)
        contents.companions = Local.$first.withValue(1) {
            Local.$second.withValue(2) { CompanionValues(of: Self.named) }
        }
        frame = OriginFrame(contents)
    }

    private static var seen: String { "\(Identity.current?.description ?? "-") \(Local.first) \(Local.second)" }

    /// Looks on a thread that has lasting bindings of both.
    private func onWorker(_ look: @escaping @Sendable (BindingFrame) -> [String?]) async -> [String?] {
        let frame = frame
        return await onNewThread {
            IdentitySnapshot(of: ada).restore {}
            frame.origin.contents.companions?.bind {}
            return mi_companions_lasting_count() == 2 ? look(frame) : ["nothing lasts"]
        }
    }

    @Test("are available in boxed work, whatever is bound around it") func boxed() async {
        let notes = Notes<String>()
        let left = await onWorker { frame in
            let run = {
                let capture = BoundaryCapture(of: IdentitySnapshot(.frame(frame)), at: .async)
                WorkBox.runGivenUp(WorkBox({ notes.add(Self.seen) }, capture).givenUp())
            }
            run()
            Local.$second.withValue(7) { run() }
            run()
            return [Self.seen]
        }
        #expect(notes.all == Array(repeating: "ada@contoso.com 1 2", count: 3) && left == ["- 0 0"])
    }

    @Test("are captured again if one differs, and shared if none does") func captured() {
        let frame = OriginFrame(BindingFrameContents(identity: ada))
        func capture() -> BindingFrame { frame.withCompanions(Self.named.table) }
        func values() -> String {
            var seen = ""
            capture().origin.contents.companions?.bind { seen = Self.seen }
            return seen
        }
        #expect(capture() === capture())
        #expect(values() == "- 0 0")
        Local.$second.withValue(2) { #expect(values() == "- 0 2") }
        Local.$first.withValue(1) { #expect(values() == "- 1 0") }
        #expect(values() == "- 0 0")
    }
}
