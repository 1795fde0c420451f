-- After JobQueue's jobs.sql, as the role that migrates, which neither of these is. It needs what the package of databases has
-- in identity.sql: identity.present(), which gives the transaction's identity, and the role app, which serves.

-- An owner sees and changes their own jobs alone; nobody's are seen where the transaction is nobody's, and unset owners' never.
GRANT SELECT, INSERT, DELETE, UPDATE (state, finished_at, lease_token) ON jobs TO app;
ALTER TABLE jobs ENABLE ROW LEVEL SECURITY;
ALTER TABLE jobs FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON jobs TO app USING (owner_kind = 'named' AND owner_key = (SELECT identity.present()));
CREATE POLICY nobodys ON jobs TO app USING (owner_kind = 'nobody' AND (SELECT identity.present()) IS NULL);

-- Workers claim everybody's, and note what became of them. They can change no owner and no payload, and touch no other table:
-- what a job does, it does as app and as its owner.
-- (A role is there for all databases of a server: another of them may have made it.)
DO $$ BEGIN
    CREATE ROLE job_worker LOGIN NOSUPERUSER NOBYPASSRLS NOCREATEDB NOCREATEROLE;
EXCEPTION WHEN duplicate_object THEN NULL;
END $$;
GRANT SELECT, UPDATE (state, attempt, due_at, lease_token, finished_at, last_error) ON jobs TO job_worker;
CREATE POLICY seen ON jobs FOR SELECT TO job_worker USING (true);
CREATE POLICY claimed ON jobs FOR UPDATE TO job_worker USING (true);
-- What was done long ago goes in the same role (ledger jobs --purge); what is still to be done does not.
GRANT DELETE ON jobs TO job_worker;
CREATE POLICY purged ON jobs FOR DELETE TO job_worker USING (state = 'done');
