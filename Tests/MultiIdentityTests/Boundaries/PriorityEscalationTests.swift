import Testing

@testable import MultiIdentity

@Suite("A handler of a task's escalated priority that carries identity") struct PriorityEscalationTests {
    /// A function that escalates the priority.
    enum Escalator: Sendable, CaseIterable {
        case thread, otherTask, waitingTask
    }

    private enum Refused: Error, Equatable { case because(Int) }

    static let owners: [Identity?] = [Users.ada, .nobody, nil]
    static let others: [Identity?] = [Users.grace, .nobody, nil]

    @Test("runs as its owner, whichever identity escalates", .rule("4.5"), arguments: owners, Escalator.allCases)
    func owner(_ owner: Identity?, _ escalator: Escalator) async {
        for other in Self.others {
            let (seen, hasRun) = (Notes<[Identity?]>(), Gate())
            await escalate(as: other, by: escalator, hasRun) {
                withIdentity(owner) {
                    Task.immediate(priority: .low) {
                        await Task.propagatingIdentity.withPriorityEscalationHandler {
                            await hasRun.wait()
                        } onPriorityEscalated: { old, new in
                            #expect(old < new)
                            seen.add([
                                Identity.current, IdentitySnapshot.bound.get().identity,
                                IdentityTrigger.current?.identity,
                            ])
                            hasRun.open()
                        }
                    }
                }
            }
            #expect(seen.all == [[owner, owner, other]])
        }
    }

    @Test("runs as its trigger if registered so", .rule("4.10"))
    func trigger() async {
        let (seen, hasRun) = (Notes<Identity?>(), Gate())
        await escalate(as: grace, by: .thread, hasRun) {
            withIdentity(ada) {
                Task.immediate(priority: .low) {
                    await Task.propagatingIdentity.withPriorityEscalationHandler(runningAs: .trigger) {
                        await hasRun.wait()
                    } onPriorityEscalated: { _, _ in
                        seen.add(.current)
                        hasRun.open()
                    }
                }
            }
        }
        #expect(seen.all == [grace])
    }

    /// Escalates, as `other`, a task with a registered handler, which opens the gate; checks that the escalating side is unchanged.
    private func escalate(
        as other: Identity?,
        by escalator: Escalator,
        _ hasRun: Gate,
        begin: () -> Task<Void, Never>
    ) async {
        let task = begin()
        @Sendable func asOther() {
            withIdentity(other) {
                task.escalatePriority(to: .high)
                #expect(Identity.current == other)
                #expect(IdentitySnapshot.bound.get().identity == other)
            }
        }
        switch escalator {
        case .thread: await onNewThread { asOther() }
        case .otherTask: await Task.detached { asOther() }.value
        case .waitingTask:
            await Task.detached(priority: .high) {
                await withIdentity(other) {
                    await task.value
                    #expect(Identity.current == other)
                }
            }.value
        }
        await task.value
    }

    @Test("returns its operation's result, and throws its typed errors", .rule("4.7"))
    func results() async {
        let three = await Task.propagatingIdentity.withPriorityEscalationHandler {
            await Task.yield()
            return 3
        } onPriorityEscalated: { _, _ in
        }
        #expect(three == 3)
        do throws(Refused) {
            try await Task.propagatingIdentity.withPriorityEscalationHandler { () async throws(Refused) in
                await Task.yield()
                throw .because(3)
            } onPriorityEscalated: { _, _ in
            }
        } catch {
            #expect(error == .because(3))
        }
    }
}
