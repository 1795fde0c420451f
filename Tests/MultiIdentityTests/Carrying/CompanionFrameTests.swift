import CMultiIdentity
import Dispatch
import Testing

@testable import MultiIdentity

@Suite("The values of companions, in one frame") struct CompanionFrameTests {
    private enum Local {
        @TaskLocal static var number = 0
        @TaskLocal static var text: String?
        @TaskLocal static var pair = (1, "one")
    }

    private static let named = CompanionLocals([local(Local.$number), local(Local.$text), local(Local.$pair)], [])

    private static func local<Value: Sendable>(_ local: TaskLocal<Value>) -> any CompanionLocal { Companion(local) }

    private let frame: BindingFrame = OriginFrame(BindingFrameContents(identity: ada))

    private var captured: BindingFrame { frame.withCompanions(Self.named.table) }

    private static var seen: String { "\(Local.number) \(Local.text ?? "-") \(Local.pair)" }

    @Test(
        "are shared by all captures of a scope that find the same values, and by captures made in their work",
        .rule("4.9")
    )
    func shared() {
        let (first, second) = (captured, captured)
        #expect(first === second && first !== frame)
        Local.$text.withValue("a text that is too long to stand in the value") {
            let inside = captured
            #expect(inside !== first && inside === captured)
            #expect(inside.withCompanions(Self.named.table) === inside)
        }
        #expect(captured === first)
    }

    @Test("are distinguished if one byte differs", .rule("4.9"))
    func apart() {
        func values() -> String {
            var seen = ""
            captured.origin.contents.companions?.bind { seen = Self.seen }
            return seen
        }
        for number in [1, 2, 1 << 40] { Local.$number.withValue(number) { #expect(values() == Self.seen) } }
        for text in ["a", "b", nil] { Local.$text.withValue(text) { #expect(values() == Self.seen) } }
        Local.$pair.withValue((1, "two")) { #expect(values() == Self.seen) }
        #expect(values() == "0 - (1, \"one\")")
    }

    @Test("are stored with a scope for only a few captures, however often they differ, and whatever captures them")
    func bounded() {
        func kept() -> Int {
            var (count, next) = (0, frame.captured.frame)
            while let frame = next { (count, next) = (count + 1, frame.object.captured.frame) }
            return count
        }
        for number in 1...100 { Local.$number.withValue(number) { _ = captured } }
        #expect(kept() == 4)
        var last = frame
        for number in 1...100 { Local.$number.withValue(-number) { last = last.withCompanions(Self.named.table) } }
        #expect(kept() == 4 && last.captured.frame == nil)
    }
}

@Suite("A worker's lasting bindings of companions", .aboutLastingBindings, .rule("4.9"))
struct LastingCompanionTests {
    private enum Local {
        @TaskLocal static var number = 0
        @TaskLocal static var text = "none"
        @TaskLocal static var later = "none"
    }

    init() { IdentityCompanions.carry(Local.$number, Local.$text) }

    private static var seen: String { "\(Local.number) \(Local.text) \(Local.later)" }

    /// Returns work that expects `number` and `text`, for a thread to run.
    private func work(
        _ number: Int,
        _ text: String,
        _ look: @escaping @Sendable () -> Void
    ) -> @Sendable () -> Void {
        Local.$number.withValue(number) {
            Local.$text.withValue(text) {
                withIdentity(ada) { IdentitySnapshot.capture().wrap(look) }
            }
        }
    }

    @Test("have the values of each piece of work while it runs, and the defaults in between") func holdEach() async {
        let notes = Notes<String>()
        let look: @Sendable () -> Void = { notes.add(Self.seen) }
        let pieces = [work(1, "one", look), work(2, "two", look), work(1, "one", look)]
        let lasting = await onNewThread {
            look()
            for piece in pieces {
                piece()
                look()
            }
            return mi_companions_lasting_count()
        }
        let expected = ["one", "two", "one"].flatMap { ["\($0 == "one" ? 1 : 2) \($0) none", "0 none none"] }
        #expect(notes.all == ["0 none none"] + expected)
        #expect(lasting >= 2, "nothing was set anew where it stood")
    }

    @Test("are preserved by nested work, and by other scopes in it") func nested() async {
        let notes = Notes<String>()
        let look: @Sendable () -> Void = { notes.add(Self.seen) }
        let inner = work(2, "two", look)
        let outer = work(1, "one") {
            look()
            inner()
            look()
            Local.$number.withValue(3) {
                look()
                inner()
                look()
            }
            look()
        }
        await onNewThread {
            outer()
            Local.$text.withValue("around") {
                look()
                inner()
                look()
            }
            inner()
            look()
        }
        #expect(
            notes.all == [
                "1 one none", "2 two none", "1 one none", "3 one none", "2 two none", "3 one none", "1 one none",
                "0 around none", "2 two none", "0 around none", "2 two none", "0 none none",
            ]
        )
    }

    @Test("are inherited by the tasks that work starts, for good, and by none that is started after it") func tasks()
        async
    {
        let started = Notes<Task<String, Never>>()
        let pieces = [1, 2].map { number in
            work(number, "\(number)") {
                started.add(
                    Task {
                        await Task.yield()
                        return Self.seen
                    }
                )
            }
        }
        await onNewThread {
            for piece in pieces {
                piece()
                started.add(Task { Self.seen })
            }
        }
        var seen: [String] = []
        for task in started.all { seen.append(await task.value) }
        #expect(seen == ["1 1 none", "0 none none", "2 2 none", "0 none none"])
    }

    @Test("grow with companions named later, for which earlier captures have the default") func later() async {
        let notes = Notes<String>()
        let look: @Sendable () -> Void = { notes.add(Self.seen) }
        let before = work(1, "one", look)
        await onNewThread {
            before()
            IdentityCompanions.carry(Local.$later)
            let after = Local.$later.withValue("later") { withIdentity(ada) { IdentitySnapshot.capture().wrap(look) } }
            after()
            before()
            look()
        }
        #expect(notes.all == ["1 one none", "0 none later", "1 one none", "0 none none"])
    }

    @Test("are not made above other code's bindings, whose end would end them instead")
    func beneath() async {
        enum Other { @TaskLocal static var value = 0 }
        let notes = Notes<String>()
        let look: @Sendable () -> Void = { notes.add("\(Self.seen), \(Other.value)") }
        let plain = withIdentity(ada) { IdentitySnapshot(of: ada) }
        let piece = work(1, "one", look)
        await onNewThread {
            // Makes the thread's own binding last, and no companion's.
            plain.restore {}
            Other.$value.withValue(1) {
                piece()
                look()
            }
            look()
            piece()
            look()
        }
        #expect(
            notes.all == ["1 one none, 1", "0 none none, 1", "0 none none, 0", "1 one none, 0", "0 none none, 0"]
        )
    }
}
