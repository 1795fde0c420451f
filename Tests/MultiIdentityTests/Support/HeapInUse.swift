#if canImport(Glibc)
import Glibc

/// The bytes that this process has from `malloc`, according to glibc; `nil` with another allocator.
///
/// For programs that do one thing, such as an exit test, since everything else that runs allocates as well.
enum HeapInUse {
    static var bytes: Int? {
        typealias MallocInfo = @convention(c) (CInt, UnsafeMutablePointer<FILE>) -> CInt
        guard let symbol = dlsym(nil, "malloc_info") else { return nil }
        let mallocInfo = unsafeBitCast(symbol, to: MallocInfo.self)
        var text = [CChar](repeating: 0, count: 64 * 1_024)
        let capacity = text.count - 1
        let isWritten = text.withUnsafeMutableBufferPointer { buffer in
            guard let stream = fmemopen(buffer.baseAddress, capacity, "w") else { return false }
            defer { fclose(stream) }
            return mallocInfo(0, stream) == 0
        }
        guard isWritten else { return nil }
        // The part behind the last heap is about all of them.
        let report = String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        let lines = report.split(separator: "\n")
        guard let lastHeap = lines.lastIndex(of: "</heap>") else { return nil }
        var sizes: [Substring: Int] = [:]
        for line in lines[lastHeap...] {
            let parts = line.split(separator: "\"")
            if parts.count >= 4, let size = parts.lazy.compactMap({ Int($0) }).last { sizes[parts[1]] = size }
        }
        guard let current = sizes["current"], let rest = sizes["rest"] else { return nil }
        // From glibc 2.43 on there are no fast bins.
        return current - (sizes["fast"] ?? 0) - rest + (sizes["mmap"] ?? 0)
    }

    /// Returns how many more bytes are in use after `body` than before, while its result is still alive.
    static func growth<Value>(_ body: () -> Value) -> Int? {
        _ = bytes  // in case the first call allocates
        guard let before = bytes else { return nil }
        let value = body()
        return withExtendedLifetime(value) { bytes.map { $0 - before } }
    }
}
#endif
