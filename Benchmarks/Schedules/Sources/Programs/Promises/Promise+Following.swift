import Dispatch
import MultiIdentity

extension Promise {
    /// The promises of what follows the work of several.
    static let following = [
        Promise("what follows several knows who they were, and who was last", fanIn)
    ]

    private static func fanIn(_ findings: Findings) async throws {
        let (fanIn, group, ended) = (IdentityFanIn(), DispatchGroup(), Log<Identity>())
        let queue = IdentityQueue(label: "uploads", attributes: .concurrent)
        let (users, eve) = ([try account("ada"), try account("bo")], try account("eve"))
        for user in users {
            withIdentity(user) {
                queue.async(group: group, joining: fanIn) {
                    letOthersGoOn()
                    findings.expect(user, "a contribution")
                    ended.add(user)
                }
            }
        }
        findings.expect(fanIn.joined == .mixed(Set(users)), "after the hand-overs \(fanIn.joined) contributed")
        await withCheckedContinuation { continuation in
            withIdentity(eve) {
                group.propagatingIdentity.notify(queue: .global(), joining: fanIn, as: .registrant) { joined in
                    findings.expect(eve, "what follows")
                    findings.expect(joined == .mixed(Set(users)), "what follows is told of \(joined)")
                    let last = IdentityTrigger.current?.identity
                    findings.expect(last == ended.all.last, "\(last.map(\.name) ?? "no one") is said to be the last")
                    continuation.resume()
                }
            }
        }
    }
}
