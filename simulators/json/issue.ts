import { z } from 'zod';

/** The error in a received value. `path` names the invalid member, e.g. `replies[0].cut.after`. */
export interface BadValue {
  readonly message: string;
  readonly path: string;
}

/** For `safeParse`: the error of an unknown member lists the known ones. */
export const namingMembers: { error: z.core.$ZodErrorMap } = {
  error: (issue) => {
    if (issue.code !== 'unrecognized_keys' || !(issue.inst instanceof z.ZodObject)) return undefined;
    return `unknown member; there are ${Object.keys(issue.inst.shape).join(', ')}`;
  },
};

/** The first error of a zod result, as one sentence that begins with the path. */
export function describeIssue(error: z.ZodError): BadValue {
  const issue = error.issues[0];
  if (issue === undefined) return { message: 'the value is not valid', path: '' };
  const unknownMember = issue.code === 'unrecognized_keys' ? issue.keys.slice(0, 1) : [];
  const path = renderPath([...issue.path, ...unknownMember]);
  const isNamed = unknownMember.length === 0 || issue.message.startsWith('unknown member');
  const reason = isNamed ? issue.message : 'unknown member';
  return { message: path === '' ? reason : `${path}: ${reason}`, path };
}

export function renderPath(path: readonly PropertyKey[]): string {
  return path
    .map((part, at) => (typeof part === 'number' ? `[${part}]` : `${at === 0 ? '' : '.'}${String(part)}`))
    .join('');
}
