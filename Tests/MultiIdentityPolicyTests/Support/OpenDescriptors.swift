import Foundation

/// How many descriptors of this process are open, some of them by other tests.
func openDescriptors() -> Int {
    let folder = FileManager.default.fileExists(atPath: "/proc/self/fd") ? "/proc/self/fd" : "/dev/fd"
    return (try? FileManager.default.contentsOfDirectory(atPath: folder).count) ?? 0
}
