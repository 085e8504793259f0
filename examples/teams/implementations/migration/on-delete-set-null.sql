-- A project outlives its team and falls back to its owner.
alter table projects add column team_id int references teams on delete set null;
