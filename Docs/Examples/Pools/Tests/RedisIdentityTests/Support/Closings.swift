import MultiIdentityLease
import Synchronization

/// Notes of the resources that were closed rather than returned.
final class Closings: Sendable {
    private let reasons = Mutex<[LeaseClosing.Reason]>([])

    var all: [LeaseClosing.Reason] { reasons.withLock { $0 } }

    var settings: LeaseSettings {
        var settings = LeaseSettings()
        settings.onClosing = { closing in self.reasons.withLock { $0.append(closing.reason) } }
        return settings
    }
}
