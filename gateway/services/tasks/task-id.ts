/** Whether a text has the form of our task ids; only such a text can be one. */
export function isTaskId(text: string): boolean {
  return /^task_[A-Za-z0-9_-]{1,64}$/.test(text);
}
