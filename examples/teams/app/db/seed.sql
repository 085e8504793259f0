-- Ids follow the order of the rows: Ada is user 1, her talk is project 1.

insert into users (email, name) values
  ('ada@example.com', 'Ada'),
  ('bela@example.com', 'Béla'),
  ('chidi@example.com', 'Chidi'),
  ('dana@example.com', 'Dana'),
  ('emre@example.com', 'Emre'),
  ('freya@example.com', 'Freya'),
  ('goran@example.com', 'Goran'),
  ('hana@example.com', 'Hana'),
  ('imani@example.com', 'Imani'),
  ('jonas@example.com', 'Jonas'),
  ('kaya@example.com', 'Kaya'),
  ('lin@example.com', 'Lin');

insert into projects (owner_id, name, archived) values
  (1, 'Conference talk', false),
  (1, 'Garden', false),
  (2, 'Old website', true),
  (2, 'New kitchen', false),
  (3, 'Reading list', false),
  (4, 'Marathon', false),
  (5, 'Newsletter', false),
  (8, 'Moving house', false),
  (11, 'Choir concert', false);

insert into tasks (project_id, title, priority, due, done_at) values
  (1, 'Choose a title', 1, '2026-03-02', '2026-03-01 09:30:00+00'),
  (1, 'Draft the slides', 1, '2026-03-20', null),
  (1, 'Book the train', 2, '2026-03-25', null),
  (1, 'Print hand-outs', 3, null, null),
  (2, 'Order seeds', 2, '2026-02-15', '2026-02-14 18:00:00+00'),
  (2, 'Mend the fence', 3, null, null),
  (3, 'Move the archive', 2, '2025-06-30', '2025-06-28 12:00:00+00'),
  (4, 'Measure the walls', 1, '2026-01-10', '2026-01-09 16:45:00+00'),
  (4, 'Compare three offers', 2, '2026-01-31', null),
  (5, 'Things Fall Apart', 2, null, null),
  (6, 'Sign up', 1, '2026-04-01', null),
  (6, 'Buy shoes', 2, null, '2026-02-01 08:00:00+00'),
  (7, 'Collect the April news', 2, '2026-03-28', null),
  (8, 'Cancel the old contract', 1, '2026-05-01', null),
  (8, 'Find boxes', 3, null, null),
  (9, 'Reserve the hall', 1, '2026-02-20', '2026-02-18 11:15:00+00'),
  (9, 'Print the programme', 2, '2026-06-01', null);
