import CLifetime
import Dispatch
import Foundation
import MultiIdentity
import MultiIdentityInterposition

/// Calls of Dispatch before `main`, after it, and around `fork`, in a program that is linked with automatic mode.
@main
enum LifetimeProgram {
    static func main() throws {
        try IdentityInterposition.required()
        let ada = try Identity("ada@contoso.com")
        let isChild = CommandLine.arguments.contains("child")
        print(isChild ? "child" : "parent", "ran early:", lifetime_ran_early(), terminator: "; ")
        print("carried:", withIdentity(ada) { carries(ada) })
        guard !isChild else { return }

        // With somebody bound, since then calls do not go on as they are.
        let status = withIdentity(ada) {
            let arguments: [UnsafeMutablePointer<CChar>?] = [strdup(CommandLine.arguments[0]), strdup("child"), nil]
            defer { for argument in arguments { free(argument) } }
            fflush(nil)
            return lifetime_fork_and_run("/proc/self/exe", arguments)
        }
        print("child ended with", status, "and the parent carries:", withIdentity(ada) { carries(ada) })
        let child = Process()
        child.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        child.arguments = ["child"]
        fflush(nil)
        try withIdentity(ada) { try child.run() }
        child.waitUntilExit()
        print("process ended with", child.terminationStatus)
        atexit {
            guard let ada = try? Identity("ada@contoso.com") else { return }
            print("at exit carried:", withIdentity(ada) { LifetimeProgram.carries(ada) })
            fflush(nil)
        }
    }

    /// Indicates whether plain calls run as the current identity.
    fileprivate static func carries(_ identity: Identity) -> Bool {
        let queue = DispatchQueue(label: "queue")
        let isCarried = DispatchSemaphore(value: 0)
        queue.async { if Identity.current == identity { isCarried.signal() } }
        return isCarried.wait(timeout: .now() + 60) == .success
    }
}
