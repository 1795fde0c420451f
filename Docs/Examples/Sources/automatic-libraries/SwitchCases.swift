import Dispatch
import MultiIdentity
import MultiIdentityAutomaticMode

/// The switch, and what is lost while it is off.
enum SwitchCases {
    private static let callers: [Identity?] = [try? Identity("ada@contoso.com"), .nobody, nil]
    @TaskLocal private static var companion: String?

    static func check(_ cases: inout Cases) async {
        await cases.check("it is on before anything else has run, and says what it holds") {
            try expect(AutomaticMode.status, .active)
            try AutomaticMode.required()
            let expected = [
                "dispatch_async", "dispatch_sync", "dispatch_group_notify", "dispatch_source_set_event_handler",
            ]
            try expect(expected.filter { !AutomaticMode.entryPoints.contains($0) }, [])
        }
        await cases.check("turned off it says so and holds nothing, and it can be turned on again") {
            try await turnedOff {
                try expect(AutomaticMode.status, .off)
                try expect(AutomaticMode.entryPoints.isEmpty, true)
                var code: AutomaticModeError.Code?
                do throws(AutomaticModeError) { try AutomaticMode.required() } catch {
                    code = error.code
                }
                try expect(code, .off)
            }
            try expect(AutomaticMode.status, .active)
        }
        await cases.check("turned on while it is on, it holds other threads' calls all the same") {
            let (lost, callers, all) = (Notes<Int>(), DispatchGroup(), 1000)
            DispatchQueue.global().async(group: callers) { for _ in 0..<all { try? AutomaticMode.turnOn() } }
            withIdentity(self.callers[0]) {
                for call in 0..<20 * all {
                    DispatchQueue.global().async(group: callers) { if Identity.current == nil { lost.add(call) } }
                }
            }
            await withCheckedContinuation { done in callers.notify(queue: .global()) { done.resume() } }
            try expect(lost.all.count, 0)
        }
        for library in LibraryCase.all {
            let reach = library.outOfReach.map { "lost, on \($0)" } ?? "kept for each caller"
            await cases.check("\(library.name): \(reach); turned off, lost") {
                for caller in callers {
                    try expect(try await library.identityOfWork(as: caller), library.outOfReach == nil ? caller : nil)
                }
                try expect(try await turnedOff { try await library.identityOfWork(as: callers[0]) }, nil)
            }
        }
        await cases.check("a companion crosses plain calls, and not while it is turned off") {
            IdentityCompanions.carry($companion)
            let ada = callers[0]
            @Sendable func found() async -> String? {
                await withIdentity(ada) {
                    await $companion.withValue("of ada") {
                        await withCheckedContinuation { found in
                            DispatchQueue.global().async { found.resume(returning: companion) }
                        }
                    }
                }
            }
            try expect(await found(), "of ada")
            try expect(try await turnedOff { await found() }, nil)
        }
    }
}
