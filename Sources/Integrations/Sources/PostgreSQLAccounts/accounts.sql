-- For PostgreSQLAccountStore: run it once as the role that migrates, in a schema on the servers' search path. It stores the
-- registered identities, their policies and the state of requests; only the registry uses it, and no role that serves tenants sees it.

-- One row: writers lock it first, so that transactions are serial, and events are numbered in their order.
CREATE TABLE account_store (
    one BOOLEAN PRIMARY KEY DEFAULT true CHECK (one),
    version BIGINT NOT NULL,
    last_event BIGINT NOT NULL DEFAULT 0,
    -- The store's clock, in milliseconds: its value, the time that has certainly passed, and the server's time of day then.
    clock BIGINT NOT NULL DEFAULT extract(epoch FROM clock_timestamp()) * 1000,
    elapsed BIGINT NOT NULL DEFAULT 0,
    wall BIGINT NOT NULL DEFAULT extract(epoch FROM clock_timestamp()) * 1000
);
INSERT INTO account_store (version) VALUES (2);

CREATE TABLE accounts (
    key TEXT COLLATE "C" PRIMARY KEY, name TEXT NOT NULL, stage TEXT NOT NULL, due BIGINT, last_run BIGINT,
    runs BIGINT NOT NULL, lease TEXT, had_policy BOOLEAN NOT NULL, policy TEXT, configuration TEXT,
    overrides TEXT, life BIGINT NOT NULL, asked BOOLEAN NOT NULL, silence INT NOT NULL, heard BIGINT, heard_elapsed BIGINT
);
CREATE INDEX accounts_due ON accounts (due) WHERE due IS NOT NULL;
CREATE INDEX accounts_stage ON accounts (stage, key);
CREATE INDEX accounts_heard ON accounts (silence, heard) WHERE stage = 'enrolled';

CREATE TABLE account_events (
    number BIGINT PRIMARY KEY, name TEXT NOT NULL, status TEXT NOT NULL, text TEXT NOT NULL, moment BIGINT NOT NULL,
    origin TEXT NOT NULL, request TEXT NOT NULL DEFAULT ''
);

CREATE TABLE account_names (
    key TEXT COLLATE "C" PRIMARY KEY, account_key TEXT COLLATE "C" NOT NULL, account_name TEXT NOT NULL
);
CREATE INDEX account_names_account ON account_names (account_key);

CREATE TABLE account_policies (
    source TEXT PRIMARY KEY, text TEXT NOT NULL, tag TEXT, signature TEXT NOT NULL, confirmed BIGINT NOT NULL
);

CREATE TABLE account_processes (
    name TEXT PRIMARY KEY, settled BIGINT NOT NULL, until BIGINT NOT NULL, awaited BOOLEAN NOT NULL
);

-- (A role exists for all databases of a server: another of them may have created it.)
DO $$ BEGIN
    CREATE ROLE account_registry LOGIN NOSUPERUSER NOBYPASSRLS NOCREATEDB NOCREATEROLE;
EXCEPTION WHEN duplicate_object THEN NULL;
END $$;
GRANT SELECT, INSERT, UPDATE, DELETE ON accounts, account_events, account_names, account_policies, account_processes
    TO account_registry;
GRANT SELECT, UPDATE (last_event, clock, elapsed, wall) ON account_store TO account_registry;
