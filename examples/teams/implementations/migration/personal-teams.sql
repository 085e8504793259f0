-- Everybody who has an account already starts with a team of their own.
insert into teams (owner_id, name)
select id, name || '''s team' from users order by id;

insert into team_members (team_id, user_id)
select id, owner_id from teams;
