create index projects_team_id on projects (team_id);
