import CMissing
import Dispatch
import MultiIdentity
import MultiIdentityInterposition

/// Says whether automatic mode is active, and who a closure on a queue runs as, where libdispatch may lack a function.
@main enum MissingProgram {
    static func main() async throws {
        precondition(missing_is_linked() == 1)
        print("status:", IdentityInterposition.status)
        let ada = try Identity("ada@contoso.com")
        let found = await withCheckedContinuation { found in
            withIdentity(ada) { DispatchQueue.global().async { found.resume(returning: Identity.current) } }
        }
        print("runs as:", found?.name ?? "nobody that is known")
    }
}
