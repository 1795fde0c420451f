import Glibc

/// The user that handwritten code carries.
final class User: Sendable {
    let name: String
    init(name: String) { self.name = name }
}

/// Handwritten with a task-local: read at the call, and bound again in the closure.
enum Handwritten {
    @TaskLocal static var user: User?
    @TaskLocal static var log: User?
    @TaskLocal static var trace: User?
    @TaskLocal static var tenant: User?

    // More, for hops that carry sixteen.
    @TaskLocal private static var l5: User?
    @TaskLocal private static var l6: User?
    @TaskLocal private static var l7: User?
    @TaskLocal private static var l8: User?
    @TaskLocal private static var l9: User?
    @TaskLocal private static var l10: User?
    @TaskLocal private static var l11: User?
    @TaskLocal private static var l12: User?
    @TaskLocal private static var l13: User?
    @TaskLocal private static var l14: User?
    @TaskLocal private static var l15: User?
    @TaskLocal private static var l16: User?

    static let all = [$user, $log, $trace, $tenant, $l5, $l6, $l7, $l8, $l9, $l10, $l11, $l12, $l13, $l14, $l15, $l16]
}

/// Handwritten with thread-local storage, as before task-locals existed.
///
/// A plain `Task {}` that is started in such work inherits nothing: cheaper, and wrong wherever tasks are used.
enum ThreadLocalUser {
    private static let key = {
        var key = pthread_key_t()
        pthread_key_create(&key, nil)
        return key
    }()

    static var current: User? {
        pthread_getspecific(key).map { Unmanaged<User>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Binds `user`, which the caller retains, until `body` returns.
    @inline(__always)
    static func with(_ user: User?, _ body: () -> Void) {
        let outer = pthread_getspecific(key)
        pthread_setspecific(key, user.map { UnsafeRawPointer(Unmanaged.passUnretained($0).toOpaque()) })
        defer { pthread_setspecific(key, outer) }
        withExtendedLifetime(user) { body() }
    }
}
