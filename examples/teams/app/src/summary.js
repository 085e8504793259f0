/** `Garden: 1 of 2 to do`. */
export function projectLine({ name, open, total }) {
  if (total === 0) {
    return `${name}: no tasks yet`;
  }
  return open === 0 ? `${name}: all done` : `${name}: ${open} of ${total} to do`;
}

/** Open tasks whose day has passed. Days are `YYYY-MM-DD`, which sort as text. */
export function overdue(tasks, today) {
  return tasks.filter((task) => !task.done && task.due !== null && task.due < today);
}
