import type { z } from 'zod';

/** What is wrong with a value that was sent: `path` names the bad member, e.g. `replies[0].cut.after`. */
export interface BadValue {
  readonly message: string;
  readonly path: string;
}

/** The first fault of a zod error, as one sentence that begins with the path. */
export function describeIssue(error: z.ZodError): BadValue {
  const issue = error.issues[0];
  if (issue === undefined) return { message: 'the value is not valid', path: '' };
  const unknownMember = issue.code === 'unrecognized_keys' ? issue.keys.slice(0, 1) : [];
  const path = renderPath([...issue.path, ...unknownMember]);
  const reason = unknownMember.length > 0 ? 'unknown member' : issue.message;
  return { message: path === '' ? reason : `${path}: ${reason}`, path };
}

export function renderPath(path: readonly PropertyKey[]): string {
  return path
    .map((part, at) => (typeof part === 'number' ? `[${part}]` : `${at === 0 ? '' : '.'}${String(part)}`))
    .join('');
}
