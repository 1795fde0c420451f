import Dispatch
import MultiIdentity

extension Promise {
    /// The promises of scopes, closures, tasks and sources.
    static let scopes = [
        Promise("a scope inside another ends with it", nestedScopes),
        Promise("a closure is its owner's, whoever is last to finish", callbacks),
        Promise("a detached task is its maker's", detachedTasks),
        Promise("a timer is of who set its handler, and knows who cancelled it", timers),
    ]

    private static func nestedScopes(_ findings: Findings) async throws {
        let (group, bo) = (DispatchGroup(), try account("bo"))
        let queue = IdentityQueue(label: "work", attributes: .concurrent)
        for user in [try account("ada"), nil] {
            withIdentity(user) {
                queue.async(group: group) {
                    withIdentity(bo) {
                        letOthersGoOn()
                        findings.expect(bo, "an inner scope")
                    }
                    findings.expect(user, "work after an inner scope")
                    queue.async(group: group) { findings.expect(user, "what is handed over after an inner scope") }
                }
            }
        }
        await end(of: group)
    }

    private static func callbacks(_ findings: Findings) async throws {
        let (group, callbacks, left) = (DispatchGroup(), Log<@Sendable () -> Void>(), Count())
        let users = [try account("ada"), try account("bo"), nil]
        for user in users {
            let snapshot = withIdentity(user) { IdentitySnapshot.capture() }
            callbacks.add(snapshot.wrap { findings.expect(user, "a callback") })
        }
        left.add(users.count)
        for user in users {
            withIdentity(user) {
                IdentityQueue.global().async(group: group) {
                    letOthersGoOn()
                    guard left.add(-1) == 0 else { return }
                    for callback in callbacks.all { callback() }
                    findings.expect(user, "work after callbacks")
                }
            }
        }
        await end(of: group)
    }

    private static func detachedTasks(_ findings: Findings) async throws {
        let users = [try account("ada"), try account("bo"), nil]
        let tasks = users.map { user in
            withIdentity(user) {
                Task.propagatingIdentity.detached {
                    findings.expect(user, "a detached task")
                    await Task.yield()
                    findings.expect(user, "a detached task, after a suspension")
                    let child = Task { findings.expect(user, "what a detached task starts") }
                    await child.value
                }
            }
        }
        for task in tasks { await task.value }
    }

    private static func timers(_ findings: Findings) async throws {
        let (group, eve) = (DispatchGroup(), try account("eve"))
        let queue = DispatchQueue(label: "timers")
        let users = [try account("ada"), try account("bo")]
        for user in users {
            group.enter()
            let timer = DispatchSource.makeTimerSource(queue: queue)
            let source = timer.propagatingIdentity
            withIdentity(user) {
                source.setEventHandler {
                    findings.expect(user, "a timer's handler")
                    withIdentity(eve) { IdentityQueue.global().async { source.cancel() } }
                }
                source.setCancelHandler {
                    findings.expect(user, "a timer's cancel handler")
                    let trigger = IdentityTrigger.current?.identity
                    findings.expect(trigger == eve, "a timer is cancelled by \(trigger.map(\.name) ?? "no one")")
                    group.leave()
                }
            }
            source.schedule(deadline: .now() + .milliseconds(user == users[0] ? 0 : 1))
            source.resume()
        }
        await end(of: group)
    }
}
