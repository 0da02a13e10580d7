/** Whether a text has the form of a task id. */
export function isTaskId(text: string): boolean {
  return /^task_[A-Za-z0-9_-]{1,64}$/.test(text);
}
