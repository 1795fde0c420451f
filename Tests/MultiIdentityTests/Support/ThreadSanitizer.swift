import Foundation

/// A look at whether the tests run under the thread sanitizer.
enum ThreadSanitizer {
    /// Asked of the process, since Swift has no condition for it.
    static let isOn: Bool = {
        guard let program = dlopen(nil, RTLD_NOW) else { return false }
        defer { dlclose(program) }
        return dlsym(program, "__tsan_acquire") != nil
    }()
}
