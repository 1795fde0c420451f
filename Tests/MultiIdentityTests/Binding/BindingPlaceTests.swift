import MultiIdentityDiagnostics
import Testing

@testable import MultiIdentity

@Suite("The place of a binding") struct BindingPlaceTests {
    private typealias Trial = BindingPlace.Trial

    @Test("tells what lies beneath only if key and type precede it", .rule("3.4"), .aboutFastPaths)
    func trial() async {
        let (trial, others, after) = await onNewThread { () -> (Trial, [Trial], Look) in
            let store = IdentitySnapshot.bound
            let key = UnsafeRawPointer(Unmanaged.passUnretained(store).toOpaque())
            let type = unsafeBitCast(IdentitySnapshot.self as Any.Type, to: UnsafeRawPointer.self)
            let others = [(type, type), (key, key), (key + 8, type), (key, type + 8)]
            return (Trial(in: store, key, type), others.map { Trial(in: store, $0, $1) }, Look())
        }
        #expect(trial.isSettable && trial.tellsWhatIsBeneath)
        #expect(others.allSatisfy { $0.isSettable && !$0.tellsWhatIsBeneath })
        #expect(Look.shows(nil, after), "a trial leaves nothing")
    }

    @Test("is found on a thread that runs no task, and never in a task", .aboutFastPaths)
    func isHere() async {
        #expect(await onNewThread { BindingPlace.isHere })
        #expect(!BindingPlace.isHere)
    }

    @Test("leaves nothing behind, whatever was bound there", .aboutFastPaths)
    func leavesNothing() async {
        let looks = await onNewThread { () -> [Look] in
            var looks: [Look] = []
            withIdentity(grace) {
                BindingPlace.withPlace { place in
                    place.bind(IdentitySnapshot(of: ada)) {
                        looks.append(Look())
                        withIdentity(nil) { looks.append(Look()) }
                        looks.append(Look())
                    }
                    looks.append(Look())
                    place.bind(IdentitySnapshot(of: nil)) { looks.append(Look()) }
                }
                looks.append(Look())
            }
            return looks + [Look()]
        }
        #expect(looks.map(\.identity) == [ada, nil, ada, grace, nil, grace, nil])
        #expect(looks.allSatisfy { $0.agree })
    }

    @Test("releases the inner scope's identity, and keeps the outer one's, which nothing else retains")
    func letsGo() async {
        await onNewThread {
            weak var inner: IdentityRecord?
            weak var outer: IdentityRecord?
            func bind(_ name: String, _ body: (IdentityRecord?) -> Void) {
                let identity = try? Identity(name)
                withIdentity(identity) { body(identity?.spelling.record) }
            }
            bind("outer-in-place@contoso.com") {
                outer = $0
                bind("inner-in-place@contoso.com") { inner = $0 }
                #expect(inner == nil)
                #expect(Identity.current?.name == "outer-in-place@contoso.com")
                #expect(outer != nil)
            }
            #expect(outer == nil)
        }
    }

    @Test("is left alone if the thread shows something else", .aboutTheMirror)
    func outOfStep() async {
        await onNewThread {
            weak var record: IdentityRecord?
            func run() {
                let identity = try? Identity("kept-in-place@contoso.com")
                record = identity?.spelling.record
                withIdentity(identity) {
                    // Plain, since its bits retain nothing: with a feature on, the snapshot of an identity has its own frame.
                    let shown = ThreadMirror.show(ThreadMirror.bits(of: IdentitySnapshot(.identity(ada))))
                    withIdentity(grace) { #expect(Look().identity == grace) }
                    #expect(Look().identity == identity)
                    #expect(ThreadMirror.current().identity == ada)
                    _ = ThreadMirror.show(shown)
                }
            }
            run()
            #expect(record == nil)
        }
    }

    @Test("ends before its value is released, so that a deinit sees the outer binding", arguments: [false, true])
    func letsGoAfterwards(_ isInside: Bool) async {
        let seen = await onNewThread { () -> [Identity?] in
            let seen = Notes<Identity?>()
            /// Hands over work with levels that nothing else retains, and with an object that reads the binding when it is freed.
            func handOver() -> UnsafeMutableRawPointer {
                let farewell = Farewell { seen.add($0) }
                let levels = IdentityLevels()
                levels.diagnostics.response = .report { _ in withExtendedLifetime(farewell) {} }
                return withIdentityLevels(levels) {
                    withIdentity(ada) { WorkBox({}, BoundaryCapture(at: .async)).givenUp() }
                }
            }
            let work = handOver()
            if isInside { withIdentity(grace) { WorkBox.runGivenUp(work) } } else { WorkBox.runGivenUp(work) }
            return seen.all
        }
        #expect(seen == [isInside ? grace : nil])
    }
}
