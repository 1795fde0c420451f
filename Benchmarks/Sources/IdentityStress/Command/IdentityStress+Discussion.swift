extension IdentityStress {
    static let discussion = """
        A request belongs to a user, to nobody or to no one, and half of them run under process and UI levels of \
        their own. It is a chain of steps. Each step hands the rest of the chain over a boundary, from within the \
        work of the step before, so that boundaries nest in every order; some steps bind another identity for a \
        moment, or make a nested sync. All requests share the same queues, and so the same workers.

        Checked at every step:
          - the thread identity, in the very spelling that was bound, and equal to the same name made apart in \
        another spelling;
          - both effective identities, for UI work and for file work, against a model of the rules that shares no \
        code with the library;
          - afterwards, that the worker has its own identity back, and the caller still its own.
        What was handed over has to run, and once. What Swift itself carries (Task {}, task groups, async let, \
        actors) is checked in the same run and reported apart.

        What a hop costs, Benchmarks/measure-hops counts and `costs hops` times.

        --sabotage shows that a broken boundary would be noticed: its work is handed over raw or, where raw Dispatch \
        happens to keep the identity, runs as somebody else. --sabotage-worker does the same for the check of the \
        worker. Boundaries that the language carries cannot be sabotaged.

        EXIT STATUS: 0 if all was right; 1 on any wrong identity or lost work; 64 for wrong arguments; 74 if the \
        report cannot be written. SIGINT (Ctrl-C) and SIGTERM end the run with the report so far, and the status says whether that was right.

        EXAMPLES:
          identity-stress --hops 10000000 --identities 1000
          identity-stress --seconds 60 --json > report.json
          identity-stress --boundary queue.async --boundary queue.sync --depth 20 --seed 7
          identity-stress --hops 20000 --sabotage addOperations
          identity-stress --seconds 10 --html report.html
        """
}
