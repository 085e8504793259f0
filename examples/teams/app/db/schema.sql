create table users (
  id int generated always as identity primary key,
  email text not null unique check (email like '%_@_%'),
  name text not null check (name <> '')
);

create table projects (
  id int generated always as identity primary key,
  owner_id int not null references users on delete cascade,
  name text not null check (name <> ''),
  archived boolean not null default false,
  unique (owner_id, name)
);

create table tasks (
  id int generated always as identity primary key,
  project_id int not null references projects on delete cascade,
  title text not null check (title <> ''),
  priority smallint not null default 2 check (priority between 1 and 3),
  due date,
  done_at timestamptz
);

create index tasks_project_id on tasks (project_id);
