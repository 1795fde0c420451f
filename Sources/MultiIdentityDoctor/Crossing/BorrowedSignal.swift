import Dispatch
import Foundation
import MultiIdentity

/// A signal without an effect, borrowed from a program that does not handle it, and restored.
///
/// libdispatch on Linux installs its own handler when it first sees a source for a signal, and never again. So that
/// handler is kept here and installed again for each crossing. A source for that signal which the program creates after
/// an examination has none.
struct BorrowedSignal: Sendable {
    static let number = SIGURG

    private struct Loan {
        var borrowers = 0
        var before: Held<sigaction>?
        var handlerOfDispatch: Held<sigaction>?
    }

    private static let loan = Locked(Loan())

    /// Borrows it, possibly beside other borrowers; fails if the program handles it.
    init?() {
        let isBorrowed = Self.loan.withLock { loan in
            if loan.borrowers == 0 {
                let before = Self.disposition
                guard before.isDefault else { return false }
                loan.before = Held(before)
                if var handler = loan.handlerOfDispatch?.value { sigaction(Self.number, &handler, nil) }
            }
            loan.borrowers += 1
            return true
        }
        guard isBorrowed else { return nil }
    }

    /// Sends it to a thread that then ends: the handler changes the thread's signal mask.
    func raise() {
        Thread.detachNewThread {
            var signals = sigset_t()
            sigemptyset(&signals)
            sigaddset(&signals, Self.number)
            pthread_sigmask(SIG_UNBLOCK, &signals, nil)
            pthread_kill(pthread_self(), Self.number)
        }
    }

    /// Returns it; the last borrower restores it.
    func giveBack() {
        Self.loan.withLock { loan in
            loan.borrowers -= 1
            guard loan.borrowers == 0, var before = loan.before?.value else { return }
            let now = Self.disposition
            if !now.isDefault { loan.handlerOfDispatch = Held(now) }
            sigaction(Self.number, &before, nil)
        }
    }

    private static var disposition: sigaction {
        var disposition = sigaction()
        sigaction(number, nil, &disposition)
        return disposition
    }
}

extension sigaction {
    fileprivate var isDefault: Bool {
        #if canImport(Darwin)
        let handler = __sigaction_u.__sa_handler
        #else
        let handler = __sigaction_handler.sa_handler
        #endif
        // The default is the null pointer, on every system.
        return unsafeBitCast(handler, to: Int.self) == 0
    }
}
