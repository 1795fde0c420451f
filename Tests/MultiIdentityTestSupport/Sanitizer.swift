import Foundation

/// A sanitizer that the tests may run under.
package enum Sanitizer {
    /// True under the thread sanitizer; checked at run time, since Swift has no condition for it.
    package static let isThread = has("__tsan_acquire")
    /// True under the address sanitizer.
    package static let isAddress = has("__asan_init")
    package static var isOn: Bool { isThread || isAddress }

    private static func has(_ name: String) -> Bool {
        guard let program = dlopen(nil, RTLD_NOW) else { return false }
        defer { dlclose(program) }
        return dlsym(program, name) != nil
    }
}
