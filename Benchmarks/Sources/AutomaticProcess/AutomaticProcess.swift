import CAutomaticProcess
import Dispatch
import Foundation
import MultiIdentity
import MultiIdentityAutomaticMode
import Synchronization

/// A program that is linked with automatic mode, in the hardest situations.
///
/// Without an argument it calls Dispatch before `main`, after it, and around `fork`. With `missing` it prints whether automatic
/// mode is active and as whom plain work runs if libdispatch lacks the function that `MISSING` in the environment names. With
/// `hops` it makes plain hops (`PlainHops`).
@main
enum AutomaticProcess {
    static func main() throws {
        precondition(missing_is_linked() == 1)
        let ada = try Identity("ada@contoso.com")
        if CommandLine.arguments.contains("missing") { return lack(ada) }
        try AutomaticMode.required()
        if CommandLine.arguments.contains("hops") { return try PlainHops.make(as: ada) }
        let isChild = CommandLine.arguments.contains("child")
        print(isChild ? "child" : "parent", "ran early:", lifetime_ran_early(), terminator: "; ")
        print("carried:", withIdentity(ada) { carries(ada) })
        if !isChild { try fork(ada) }
    }

    private static func lack(_ ada: Identity) {
        print("status:", AutomaticMode.status)
        let found = Mutex<Identity?>(nil)
        let isFound = DispatchSemaphore(value: 0)
        withIdentity(ada) {
            DispatchQueue.global().async {
                found.withLock { $0 = Identity.current }
                isFound.signal()
            }
        }
        isFound.wait()
        print("runs as:", found.withLock { $0 }?.name ?? "nobody that is known")
    }

    private static func fork(_ ada: Identity) throws {
        // With an identity bound, since otherwise calls are passed on unchanged.
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
            print("at exit carried:", withIdentity(ada) { AutomaticProcess.carries(ada) })
            fflush(nil)
        }
    }

    /// Returns whether plain calls run as the current identity.
    fileprivate static func carries(_ identity: Identity) -> Bool {
        let queue = DispatchQueue(label: "queue")
        let isCarried = DispatchSemaphore(value: 0)
        queue.async { if Identity.current == identity { isCarried.signal() } }
        return isCarried.wait(timeout: .now() + 60) == .success
    }
}
