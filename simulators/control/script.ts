import { validateHeaderName, validateHeaderValue } from 'node:http';
import { z } from 'zod';
import type { Reply, Script } from './protocol.ts';

/** A script that cannot be armed: `path` names the bad member, e.g. `replies[0].cut.after`. */
export interface BadScript {
  readonly message: string;
  readonly path: string;
}

export type ParsedScript = { ok: true; script: Script } | { ok: false; bad: BadScript };

/** Reads a script from parsed JSON; strict, so that a misspelt member is an error and not a silent default. */
export function parseScript(value: unknown): ParsedScript {
  const parsed = scriptSchema.safeParse(value);
  return parsed.success ? { ok: true, script: parsed.data } : { ok: false, bad: describeIssue(parsed.error) };
}

/** The first fault of a zod error, as one sentence that begins with the path. */
export function describeIssue(error: z.ZodError): BadScript {
  const issue = error.issues[0];
  if (issue === undefined) return { message: 'the value is not valid', path: '' };
  const unknownMember = issue.code === 'unrecognized_keys' ? issue.keys.slice(0, 1) : [];
  const path = renderPath([...issue.path, ...unknownMember]);
  const reason = unknownMember.length > 0 ? 'there is no such member' : issue.message;
  return { message: path === '' ? reason : `${path}: ${reason}`, path };
}

export function renderPath(path: readonly PropertyKey[]): string {
  return path
    .map((part, at) => (typeof part === 'number' ? `[${part}]` : `${at === 0 ? '' : '.'}${String(part)}`))
    .join('');
}

const count = z.int().nonnegative();
const durationMs = z.number().nonnegative().max(1e10);

const headers = z.record(z.string(), z.string()).superRefine((given, context) => {
  for (const [name, value] of Object.entries(given)) {
    try {
      validateHeaderName(name);
      validateHeaderValue(name, value);
    } catch {
      context.addIssue({ code: 'custom', path: [name], message: 'not a valid header' });
    }
  }
});

const toolCallSchema = z.strictObject({
  id: z.string().exactOptional(),
  name: z.string(),
  arguments: z.string(),
});

const usageSchema = z.strictObject({
  prompt_tokens: z.int(),
  completion_tokens: z.int(),
  cached_tokens: z.int().exactOptional(),
  cache_write_tokens: z.int().exactOptional(),
  cache_write_1h_tokens: z.int().exactOptional(),
  reasoning_tokens: z.int().exactOptional(),
});

const replySchema = z
  .strictObject({
    text: z.string().exactOptional(),
    tool_calls: z.array(toolCallSchema).exactOptional(),
    finish: z.enum(['stop', 'length', 'tool_calls', 'content_filter']).exactOptional(),
    usage: usageSchema.exactOptional(),
    model: z.string().exactOptional(),
    obey: z.boolean().exactOptional(),
    deltas: z.array(z.string()).exactOptional(),
    argument_deltas: z.int().min(1).exactOptional(),
    pacing: z
      .strictObject({ first_ms: durationMs.exactOptional(), each_ms: durationMs.exactOptional() })
      .exactOptional(),
    gates: z
      .array(z.union([count, z.enum(['head', 'end'])], { error: 'expected a whole number, "head" or "end"' }))
      .exactOptional(),
    status: z.int().min(200).max(599).exactOptional(),
    headers: headers.exactOptional(),
    body: z.unknown().exactOptional(),
    hang: z.union([count, z.literal('head')], { error: 'expected a whole number or "head"' }).exactOptional(),
    cut: z
      .strictObject({
        after: z.union([count, z.enum(['head', 'finish'])], {
          error: 'expected a whole number, "head" or "finish"',
        }),
        by: z.enum(['fin', 'rst']),
      })
      .exactOptional(),
  })
  .superRefine((reply, context) => {
    const clash = contradiction(reply);
    if (clash !== null) context.addIssue({ code: 'custom', path: [clash.member], message: clash.message });
  });

const scriptSchema = z.strictObject({
  marker: z.string().min(1).exactOptional(),
  channel: z.string().min(1).exactOptional(),
  replies: z.array(replySchema).min(1),
  // biome-ignore lint/suspicious/noThenProperty: a word of the control API; its value is never a function.
  then: z.enum(['repeat', 'default']).exactOptional(),
});

/** Members that cannot both be meant. */
function contradiction(reply: Reply): { member: string; message: string } | null {
  if (isRaw(reply)) {
    const completionOnly = ['text', 'tool_calls', 'deltas', 'finish', 'usage', 'model'] as const;
    const member = completionOnly.find((name) => reply[name] !== undefined);
    return member === undefined
      ? null
      : { member, message: 'a raw answer (status or body) cannot carry it: it belongs to a completion' };
  }
  if (reply.text !== undefined && reply.deltas !== undefined && reply.deltas.join('') !== reply.text) {
    return { member: 'deltas', message: 'joined, they must be the text' };
  }
  return null;
}

/** Whether the reply is sent as given instead of being made a completion of the dialect. */
export function isRaw(reply: Reply): boolean {
  return reply.status !== undefined || reply.body !== undefined;
}
