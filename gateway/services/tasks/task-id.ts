/** Whether a text has the form of our ids; all others are ids of nothing. */
export function isTaskId(text: string): boolean {
  return /^task_[A-Za-z0-9_-]{1,64}$/.test(text);
}
