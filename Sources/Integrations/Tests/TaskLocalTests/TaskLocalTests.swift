import Dispatch
import MultiIdentity
import Testing

@Suite("What a library binds") struct LibraryBindingTests {
    @Test("reaches work on a queue if all task-locals are carried, and not before", arguments: LibraryBinding.allCases)
    func cross(_ binding: LibraryBinding) async {
        await #expect(processExitsWith: .success) { [binding] in
            let queue = IdentityQueue(label: "work")
            @Sendable func isSeenInWork() async -> Bool {
                await withCheckedContinuation { continuation in
                    queue.async { binding.look { continuation.resume(returning: $0) } }
                }
            }
            try await binding.bind { #expect(await !isSeenInWork()) }
            try IdentityCompanions.carryAll()
            try await binding.bind { #expect(await isSeenInWork()) }
            #expect(await !isSeenInWork())
        }
    }
}

@Suite("The current test") struct CurrentTestTests {
    /// For the whole process: there is no current test in an exit test, and no other test here expects that one is lost.
    init() throws { try IdentityCompanions.carryAll() }

    @Test("is that of the code that hands work over, and an expectation in the work belongs to it") func cross() async {
        let queue = IdentityQueue(label: "work")
        func run(_ work: @escaping @Sendable () -> Test?) async -> Test? {
            await withCheckedContinuation { continuation in queue.async { continuation.resume(returning: work()) } }
        }
        #expect(await run { Test.current } == Test.current && Test.current != nil)
        // An issue that belongs to no test is not known here.
        await withKnownIssue {
            _ = await run {
                #expect(Bool(false))
                return nil
            }
        }
        let lost = await withCheckedContinuation { continuation in
            queue.base.async { continuation.resume(returning: Test.current) }
        }
        #expect(lost == nil)
    }
}
