-- What jobs of the HTTP server write, on PostgreSQL, after the queue's tables: an owner's rows, which no other sees or writes.
CREATE TABLE job_notes (
    owner text NOT NULL DEFAULT identity.present(),
    marker text NOT NULL,
    made_as text NOT NULL,
    attempt integer NOT NULL
);
CREATE INDEX job_notes_owner ON job_notes (owner);
GRANT SELECT, INSERT, DELETE ON job_notes TO app;
ALTER TABLE job_notes ENABLE ROW LEVEL SECURITY;
ALTER TABLE job_notes FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON job_notes TO app USING (owner = (SELECT identity.present()));
