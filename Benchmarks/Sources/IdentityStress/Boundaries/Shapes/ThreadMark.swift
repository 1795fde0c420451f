import Foundation

/// A mark of a thread, for comparison only.
struct ThreadMark: Hashable, Sendable {
    private let bits: UInt

    static var current: ThreadMark {
        #if canImport(Darwin) || canImport(Musl)
        ThreadMark(bits: UInt(bitPattern: pthread_self()))
        #else
        ThreadMark(bits: UInt(pthread_self()))
        #endif
    }
}
