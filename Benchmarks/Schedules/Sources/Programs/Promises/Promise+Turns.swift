import Dispatch
import MultiIdentity

extension Promise {
    static let turns = [
        Promise("a fair queue delays no identity by another's line", besideALine),
        Promise(
            "a fair queue runs everything that is handed over, barriers alone, though it is suspended meanwhile",
            contracts
        ),
    ]

    private static func besideALine(_ findings: Findings) async throws {
        let queue = IdentityQueue(label: "fair", draining: .fairly(by: .pieces))
        let (group, begun) = (DispatchGroup(), Count())
        let users = [try account("ada"), try account("bo"), nil]
        withIdentity(users[0]) {
            for _ in 0..<12 {
                queue.async(group: group) {
                    begun.add()
                    letOthersGoOn()
                }
            }
        }
        for user in users.dropFirst() {
            withIdentity(user) {
                IdentityQueue.global().async(group: group) {
                    let before = begun.value
                    for piece in 0..<3 {
                        queue.async(group: group) {
                            findings.expect(user, "a piece beside a line")
                            // One that runs, one that is next, and one for each of its own before it.
                            let waited = begun.value - before
                            findings.expect(waited <= piece + 2, "piece \(piece) waits for \(waited) of the line")
                        }
                    }
                }
            }
        }
        await end(of: group)
        findings.expect(begun.value == 12, "\(begun.value) pieces of the line ran")
    }

    private static func contracts(_ findings: Findings) async throws {
        let queue = IdentityQueue(label: "fair", attributes: .concurrent, draining: .fairly(by: .pieces))
        let (group, running, ran) = (DispatchGroup(), Count(), Count())
        let users = [try account("ada"), try account("bo"), nil]
        @Sendable func alone() {
            findings.expect(running.value == 0, "a barrier runs beside others")
            letOthersGoOn()
            findings.expect(running.value == 0, "others run beside a barrier")
            ran.add()
        }
        for user in users {
            withIdentity(user) {
                IdentityQueue.global().async(group: group) {
                    for _ in 0..<2 {
                        queue.async(group: group) {
                            findings.expect(user, "a piece of a fair queue")
                            running.add()
                            letOthersGoOn()
                            running.add(-1)
                            ran.add()
                        }
                    }
                    queue.async(group: group, flags: .barrier, execute: alone)
                    queue.async(group: group, execute: DispatchWorkItem(flags: .barrier, block: alone))
                    queue.sync(flags: .barrier, execute: alone)
                    queue.suspend()
                    DispatchQueue.global().async(group: group) { queue.resume() }
                    queue.sync { _ = ran.add() }
                }
            }
        }
        await end(of: group)
        findings.expect(ran.value == 18, "\(ran.value) pieces ran")
    }
}
