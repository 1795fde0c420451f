-- For PostgreSQLAccountStore: brings the tables of version 1 to version 2, run once by the role that migrates. A process of the
-- release before writes nothing from then on.
BEGIN;
ALTER TABLE account_store RENAME COLUMN is_one TO one;
ALTER TABLE account_store
    ADD clock BIGINT NOT NULL DEFAULT extract(epoch FROM clock_timestamp()) * 1000,
    ADD elapsed BIGINT NOT NULL DEFAULT 0,
    ADD wall BIGINT NOT NULL DEFAULT extract(epoch FROM clock_timestamp()) * 1000;
UPDATE account_store SET version = 2;

ALTER TABLE accounts RENAME COLUMN policy_confirmed TO heard;
ALTER TABLE accounts
    ADD life BIGINT NOT NULL DEFAULT 0, ADD asked BOOLEAN NOT NULL DEFAULT false, ADD silence INT NOT NULL DEFAULT 0,
    ADD heard_elapsed BIGINT;
UPDATE accounts SET asked = true, heard = LEAST(heard, clock), heard_elapsed = 0 FROM account_store
    WHERE stage = 'enrolled';
-- By a time of day that was ahead; what is due is so by the store's clock from now on.
UPDATE accounts SET due = clock + 172800000 FROM account_store WHERE due > clock + 172800000;
ALTER TABLE accounts ALTER life DROP DEFAULT, ALTER asked DROP DEFAULT, ALTER silence DROP DEFAULT;
CREATE INDEX accounts_heard ON accounts (silence, heard) WHERE stage = 'enrolled';

ALTER TABLE account_aliases RENAME TO account_names;
ALTER INDEX account_aliases_account RENAME TO account_names_account;
ALTER TABLE account_names ADD adopts INT NOT NULL DEFAULT 1;

DROP INDEX account_events_moment;
ALTER TABLE account_events ADD request TEXT NOT NULL DEFAULT '';
-- An event of a former name is the account's.
UPDATE account_events SET name = account_name FROM account_names
    WHERE lower(name) = account_names.key AND NOT EXISTS (SELECT FROM accounts WHERE accounts.key = account_names.key);

ALTER TABLE account_processes ADD awaited BOOLEAN NOT NULL DEFAULT true;
-- By the time that certainly passes from now on.
UPDATE account_processes SET until = LEAST(until - clock, 86400000) FROM account_store;
ALTER TABLE account_processes ALTER awaited DROP DEFAULT;
GRANT UPDATE (clock, elapsed, wall) ON account_store TO account_registry;
COMMIT;
