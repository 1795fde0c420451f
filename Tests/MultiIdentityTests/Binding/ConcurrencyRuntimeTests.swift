import CMultiIdentity
import Testing

@testable import MultiIdentity

@Suite("Of Swift's runtime", .rule("3.4")) struct ConcurrencyRuntimeTests {
    @Test(
        "it is asked whether a binding may last: nobody must stumble over it, and nobody else bind above it",
        arguments: [false, true],
        [false, true]
    )
    func lasting(_ sparesBindings: Bool, _ copiesBindings: Bool) {
        let runtime = ConcurrencyRuntime(sparesBindings: sparesBindings, copiesBindings: copiesBindings)
        #expect(runtime.letsBindingsLast == (sparesBindings && !copiesBindings))
    }

    @Test("it is known whether others can copy what is bound, by the entry that does it") func copying() {
        #expect(mi_has_entry("swift_task_localValuePush"))
        #expect(!mi_has_entry("swift_task_localValuePushes"))
        #expect(ConcurrencyRuntime.here.copiesBindings == mi_has_entry("swift_task_localsSnapshotPush"))
    }

    @Test("bindings last only where it lets them", .aboutFastPaths) func inForce() {
        _ = IdentitySnapshot.bound
        #expect(mi_bound_can_last() == ConcurrencyRuntime.here.letsBindingsLast)
    }
}
