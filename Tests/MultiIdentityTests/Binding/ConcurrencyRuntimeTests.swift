import CMultiIdentity
import Foundation
import Testing

@testable import MultiIdentity

@Suite("Swift's runtime", .rule("3.4")) struct ConcurrencyRuntimeTests {
    @Test(
        "decides whether a binding may last: nothing may break on it, and no other code bind above it",
        arguments: [false, true],
        [false, true]
    )
    func lasting(_ sparesBindings: Bool, _ copiesBindings: Bool) {
        let runtime = ConcurrencyRuntime(sparesBindings: sparesBindings, copiesBindings: copiesBindings)
        #expect(runtime.letsBindingsLast == (sparesBindings && !copiesBindings))
    }

    @Test("can copy bindings exactly if it has the entry for it") func copying() {
        #expect(mi_has_entry("swift_task_localValuePush"))
        #expect(!mi_has_entry("swift_task_localValuePushes"))
        #expect(ConcurrencyRuntime.here.copiesBindings == mi_has_entry("swift_task_localsSnapshotPush"))
    }

    // The one test that assumes it: it has to fail where `.ci/check-executors` replaces the executor.
    @Test("runs tasks on workers of Dispatch, unless its executor is replaced") func workers() async {
        let label = await Task.detached { String(cString: mi_queue_label()) }.value
        withKnownIssue {
            #expect(label != "com.apple.root.default-qos.overcommit", "the label of a thread that is no worker")
        } when: {
            ProcessInfo.processInfo.environment["TASK_THREADS"] != nil
        }
    }

    @Test("gets lasting bindings only if it allows them", .aboutFastPaths) func inForce() {
        _ = IdentitySnapshot.bound
        #expect(mi_bound_can_last() == ConcurrencyRuntime.here.letsBindingsLast)
    }
}
