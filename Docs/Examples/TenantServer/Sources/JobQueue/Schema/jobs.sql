-- Background jobs, each with the identity that enqueued it. SQLite and PostgreSQL both load this file as it stands:
-- BIGINT, TEXT and INTEGER are types of both; BYTEA is PostgreSQL's, and SQLite stores bytes under any name. Times are
-- milliseconds since 1970, UTC, in BIGINT, since SQLite has no type for times. Ids are text that the program makes, so
-- that no sequence is needed. CHECKs and partial indexes are written alike in both.
CREATE TABLE jobs (
    id TEXT NOT NULL PRIMARY KEY,
    kind TEXT NOT NULL,
    -- Enqueuing twice with one key, as one owner, is one job.
    idempotency_key TEXT NOT NULL,
    payload BYTEA NOT NULL,

    -- Who enqueued it. Unset, nobody and a name are three things; no name is empty.
    owner_kind TEXT NOT NULL CHECK (owner_kind IN ('unset', 'nobody', 'named')),
    owner_name TEXT NOT NULL CHECK ((owner_kind = 'named') = (owner_name <> '')),
    -- The form that all spellings of the name share; what is looked up and what is unique.
    owner_key TEXT NOT NULL CHECK ((owner_key <> '') = (owner_name <> '')),
    -- Which of the accounts that have had the name: a row serves no later one. Empty where the program numbers none.
    owner_enrolment TEXT NOT NULL,
    -- A MAC over all of the above: who can write rows but has no key can make no job run as anybody.
    seal BYTEA NOT NULL,
    seal_key_id TEXT NOT NULL,

    state TEXT NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'running', 'done', 'dead')),
    attempt INTEGER NOT NULL DEFAULT 0 CHECK (attempt >= 0),
    maximum_attempts INTEGER NOT NULL CHECK (maximum_attempts > 0),
    enqueued_at BIGINT NOT NULL,
    -- When a worker may take it; for a running job, when its worker's lease ends.
    due_at BIGINT NOT NULL,
    lease_token TEXT CHECK ((lease_token IS NOT NULL) = (state = 'running')),
    finished_at BIGINT CHECK ((finished_at IS NOT NULL) = (state IN ('done', 'dead'))),
    last_error TEXT
);

CREATE UNIQUE INDEX jobs_once ON jobs (owner_kind, owner_key, owner_enrolment, kind, idempotency_key);
CREATE INDEX jobs_due ON jobs (due_at, id) WHERE finished_at IS NULL;
