create table teams (
  id int generated always as identity primary key,
  owner_id int not null references users,
  name text not null check (name <> '')
);

create table team_members (
  team_id int not null references teams on delete cascade,
  user_id int not null references users on delete cascade,
  primary key (team_id, user_id)
);
