import CMultiIdentity
import Dispatch
import Foundation
import Testing

@testable import MultiIdentity

/// Swift hides a thread's bindings from an `isolated deinit` that runs there outside tasks, without notice.
@Suite(
    "In an isolated deinit outside tasks",
    .enabled(if: ConcurrencyRuntime.here.sparesBindings, "Swift 6.2 corrupts memory there where anything is bound")
)
struct IsolatedDeinitTests {
    /// Calls `work` in its deinit, isolated to itself.
    private actor Ending {
        private let work: @Sendable () -> Void

        init(_ work: @escaping @Sendable () -> Void) { self.work = work }

        isolated deinit { work() }
    }

    /// A function that runs earlier captured work by hand.
    enum Way: CaseIterable { case restored, performed, wrapped, called }

    private static func work(by way: Way, _ look: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
        let snapshot = IdentitySnapshot.capture()
        switch way {
        case .restored: return { snapshot.restore(look) }
        case .wrapped: return snapshot.wrap(look)
        case .called: return BoundaryCapture(of: snapshot, at: .sourceEvent).wrap(look)
        case .performed:
            nonisolated(unsafe) let item = DispatchWorkItem.propagatingIdentity(block: look)
            return { item.perform() }
        }
    }

    @Test(
        "work runs as its captured identity, also in the tasks that it starts",
        .rule("3.6"),
        arguments: Way.allCases,
        [false, true]
    )
    func runsAsCaptured(_ way: Way, _ hasRunWorkBefore: Bool) async {
        for owner in [ada, .nobody, nil] {
            for releaser in [owner, grace, nil] {
                let (looks, wasHere) = await onNewThread { () -> ([WholeLook], [Bool]) in
                    let (looks, wasHere) = (Notes<WholeLook>(), Notes<Bool>())
                    if hasRunWorkBefore { OnThisThread.runHanded(by: grace) {} }
                    let thread = mi_thread_number()
                    let work = withIdentity(owner) {
                        Self.work(by: way) {
                            looks.add(WholeLook())
                            wasHere.add(mi_thread_number() == thread)
                        }
                    }
                    func release() {
                        let object = Ending(work)
                        withExtendedLifetime(object) {}
                    }
                    if releaser == nil { release() } else { withIdentity(releaser) { release() } }
                    if hasRunWorkBefore { OnThisThread.runHanded(by: releaser) { release() } }
                    return (looks.all, wasHere.all)
                }
                #expect(wasHere == Array(repeating: true, count: hasRunWorkBefore ? 2 : 1))
                #expect(looks.count == wasHere.count)
                #expect(looks.allSatisfy { $0.tells(owner) }, "\(way), released by \(releaser as Any): \(looks)")
            }
        }
    }
}
