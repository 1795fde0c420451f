import Dispatch
import Glibc
import MultiIdentity
import MultiIdentityInterposition

/// Says what a closure on a queue runs as, and whether it may decide by that; fails where it is not the captured identity.
@main enum SmallestProgram {
    static func main() async {
        do {
            try IdentityInterposition.required()
            let ada = try Identity("ada@contoso.com")
            let found = await withCheckedContinuation { found in
                withIdentity(ada) {
                    DispatchQueue.global().async {
                        found.resume(returning: (Identity.current, try? Identity.required()))
                    }
                }
            }
            print(found.0.map { "\($0) is \(found.1 == nil ? "only shown" : "kept")." } ?? "Lost.")
            exit(found.0 == ada ? 0 : 1)
        } catch {
            print(error)
            exit(1)
        }
    }
}
