-- A project goes with its team.
alter table projects add column team_id int references teams on delete cascade;
