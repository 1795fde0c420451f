import Dispatch
import Glibc
import MultiIdentity
import MultiIdentityInterposition

/// Says who a closure on a queue runs as, and fails where that is not whoever handed it over.
@main enum SmallestProgram {
    static func main() async {
        do {
            try IdentityInterposition.required()
            let ada = try Identity("ada@contoso.com")
            let found = await withCheckedContinuation { found in
                withIdentity(ada) { DispatchQueue.global().async { found.resume(returning: Identity.current) } }
            }
            print(found.map { "\($0) is kept." } ?? "Lost.")
            exit(found == ada ? 0 : 1)
        } catch {
            print(error)
            exit(1)
        }
    }
}
