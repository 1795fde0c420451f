import Foundation

/// A mark of a thread, to be compared and nothing else.
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
