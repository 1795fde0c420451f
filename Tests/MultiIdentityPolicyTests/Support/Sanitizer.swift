import Foundation

/// A sanitizer that the tests may run under.
enum Sanitizer {
    /// Asked of the process, since Swift has no condition for it.
    static let isOn: Bool = {
        guard let program = dlopen(nil, RTLD_NOW) else { return false }
        defer { dlclose(program) }
        return dlsym(program, "__tsan_acquire") != nil || dlsym(program, "__asan_init") != nil
    }()
}
