// The marks of tests, in sight of each file that `run` copies here, without an import of its own.
@_exported public import MultiIdentityTestSupport
