import Foundation
import Testing

/// They compare with the compiler's output, since nothing of this package runs on such a target here.
@Suite("If pointers are signed, a hand-made block") struct SignedBlockTests {
    private static let ours = """
        #include "BlockLayout.h"
        void use(void *block);
        static void invoke(void *block) {}
        static void dispose(void *block) {}
        void make(void) {
            static const struct mi_block_descriptor descriptor = {0, 64, mi_block_copy_nothing, dispose};
            struct mi_block_layout block = mi_block_begin(invoke, &descriptor);
            use(&block);
        }
        """

    private static let compilers = """
        void use(void (^block)(void));
        void make(void (^other)(void)) { use(^{ other(); }); }
        """

    /// Returns the compiler's output for C on arm64e; `nil` if it has none.
    private static func compiled(_ source: String) throws -> String? {
        let headers = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Sources/CMultiIdentity/include")
        let (compiler, input, output) = (Process(), Pipe(), Pipe())
        compiler.executableURL = URL(filePath: "/usr/bin/env")
        compiler.arguments = [
            "clang", "-target", "arm64e-apple-macosx15.0", "-ffreestanding", "-fblocks", "-O1", "-I", headers.path,
            "-S", "-emit-llvm", "-o", "-", "-x", "c", "-",
        ]
        (compiler.standardInput, compiler.standardOutput, compiler.standardError) = (input, output, Pipe())
        // Before it runs: without a compiler no process reads the pipe, and writing then would end the tests.
        input.fileHandleForWriting.write(Data(source.utf8))
        try input.fileHandleForWriting.close()
        try compiler.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        compiler.waitUntilExit()
        return compiler.terminationStatus == 0 ? text : nil
    }

    @Test("has its class, its code and its helpers signed like the compiler's own", arguments: [ours, compilers])
    func signed(_ source: String) throws {
        guard let text = try Self.compiled(source) else { return }
        // The class with the data key and the function with the code key, each for its own address.
        #expect(text.contains("@llvm.ptrauth.blend(i64 %") && text.contains(", i64 27361)"))
        #expect(text.contains(/ptrauth\.sign\(i64 ptrtoint \(ptr @_NSConcreteStackBlock to i64\), i32 2, i64 %/))
        #expect(
            text.contains(
                /ptrauth\.(re)?sign\(i64 ptrtoint \(ptr @\w*invoke[.\w]* to i64\), i32 0, i64 (0, i32 0, i64 )?%/
            )
        )
        #expect(text.contains(/@\w*(dispose|destroy)\w*\.ptrauth = .* i32 0, i64 ptrtoint \(/))
        #expect(text.contains(/@\w*copy\w*\.ptrauth = .* i32 0, i64 ptrtoint \(/))
    }
}
