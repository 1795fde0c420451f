-- Takes the job that has been due for longest: a waiting one, or one with a lease that has run out. SQLite knows no
-- row locks and needs none, since it has one writer at a time; in PostgreSQL workers would wait for each other's rows.
UPDATE jobs
SET state = 'running', attempt = attempt + 1, lease_token = $1, due_at = $2
WHERE id = (
    SELECT id FROM jobs WHERE finished_at IS NULL AND due_at <= $3 ORDER BY due_at, id LIMIT 1
    -- PostgreSQL: FOR UPDATE SKIP LOCKED
)
RETURNING *
