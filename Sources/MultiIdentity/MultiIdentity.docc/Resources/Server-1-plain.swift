import Dispatch
import MultiIdentity

struct Request {
    let path: String
    let user: String?  // verified by whatever authenticates
}

let blocking = DispatchQueue(label: "blocking")

func notes(_ request: Request) async -> String {
    await withCheckedContinuation { done in
        blocking.async { done.resume(returning: read(request.path)) }
    }
}

func read(_ path: String) -> String {
    "200 \(path) of \(Identity.current?.name ?? "no one")"
}

for user in ["ada@contoso.com", "grace@contoso.com", nil] {
    print(await notes(Request(path: "/notes", user: user)))
}
// Prints:
// 200 /notes of no one
// 200 /notes of no one
// 200 /notes of no one
