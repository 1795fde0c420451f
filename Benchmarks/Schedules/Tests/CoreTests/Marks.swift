// The marks of tests, visible in each file that `run` copies here without its own import.
@_exported public import MultiIdentityTestSupport
