-- Who acts for the owner, a line each, the one that acts now first; the seal covers it.
ALTER TABLE jobs ADD COLUMN owner_actors TEXT NOT NULL DEFAULT '';
