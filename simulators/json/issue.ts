import { z } from 'zod';

/** The error in a received value. `path` names the invalid member, e.g. `replies[0].cut.after`. */
export interface BadValue {
  readonly message: string;
  readonly path: string;
}

/** For `safeParse`: errors in plain words. That of an unknown member lists the known ones. */
export const inPlainWords: { error: z.core.$ZodErrorMap } = {
  error: (issue) => {
    if (issue.code === 'unrecognized_keys')
      return issue.inst instanceof z.ZodObject
        ? `unknown member; there are ${Object.keys(issue.inst.shape).join(', ')}`
        : undefined;
    if (issue.code === 'invalid_type')
      return `expected ${withArticle(issue.expected)}${issue.input === undefined ? '' : `, not ${kindOf(issue.input)}`}`;
    if (issue.code === 'too_small') return `expected at least ${sized(issue.origin, issue.minimum)}`;
    if (issue.code === 'too_big') return `expected at most ${sized(issue.origin, issue.maximum)}`;
    return undefined;
  },
};

function withArticle(type: string): string {
  const name = type === 'int' ? 'whole number' : type === 'record' ? 'object' : type;
  return `${/^[aeiou]/.test(name) ? 'an' : 'a'} ${name}`;
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  return withArticle(Array.isArray(value) ? 'array' : typeof value);
}

function sized(origin: string, size: number | bigint): string {
  const unit = { array: 'item', set: 'item', string: 'character' }[origin];
  return unit === undefined ? String(size) : `${size} ${unit}${Number(size) === 1 ? '' : 's'}`;
}

/** Passes the errors of a value that was checked by itself on to the check around it: a union would not name the invalid member. */
export function passIssues({ error }: z.ZodSafeParseResult<unknown>, context: z.core.$RefinementCtx): void {
  for (const issue of error?.issues ?? [])
    context.addIssue({ ...issue } as Parameters<typeof context.addIssue>[0]);
}

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
