import MultiIdentityLease
import PostgreSQLIdentity
import Synchronization

/// Notes which connections were closed rather than returned.
final class Closings: Sendable {
    private let noted = Mutex<[LeaseClosing]>([])

    var all: [LeaseClosing] { noted.withLock { $0 } }

    var settings: PostgreSQLSettings {
        var settings = PostgreSQLSettings()
        settings.onClosing = { closing in self.noted.withLock { $0.append(closing) } }
        return settings
    }
}
