import { validateHeaderName, validateHeaderValue } from 'node:http';
import { z } from 'zod';
import { namedCutPoints } from '../answers/cut-point.ts';
import { dialectVersions } from '../answers/native-answer.ts';
import { http2Ends, wireEnds } from '../answers/wire-program.ts';
import type { Reply } from '../control/protocol.ts';
import { isRaw } from '../control/raw-reply.ts';
import { faultIdOf, refuseFault } from '../fault-contract/known-faults.ts';
import { isProgram } from '../faults/catalogue.ts';
import { isObject } from '../json/json-body.ts';
import { responseSchema } from '../recordings/recorded-schema.ts';
import { refuseVariants, variantFacts, variesLimit } from '../variants/known-variants.ts';
import { scriptedJobSchema } from './job-schema.ts';
import { pacingSchema } from './latency-schema.ts';

const count = z.int().nonnegative();

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

/** The name of a variant. */
export const variantSchema = z.enum(
  variantFacts.map(({ name }) => name),
  { error: ({ input }) => refuseVariants([String(input)]) ?? 'expected a name' },
);

const perMinute = z.number().min(1).max(1e9).exactOptional();

const limitsSchema = z
  .strictObject({ requests_per_minute: perMinute, tokens_per_minute: perMinute })
  .refine((limits) => Object.keys(limits).length > 0, 'expected at least one of its members');

/** A reply with its short forms. Unknown members are rejected. */
const fullReply = z
  .strictObject({
    text: z.string().exactOptional(),
    reasoning: z.string().exactOptional(),
    tool_calls: z.array(toolCallSchema).exactOptional(),
    finish: z.enum(['stop', 'length', 'tool_calls', 'content_filter']).exactOptional(),
    usage: usageSchema.exactOptional(),
    model: z.string().exactOptional(),
    obey: z.boolean().exactOptional(),
    strict: z.boolean().exactOptional(),
    version: z.enum(dialectVersions).exactOptional(),
    variant: variantSchema.exactOptional(),
    limits: limitsSchema.exactOptional(),
    deltas: z.array(z.string()).exactOptional(),
    argument_deltas: z.int().min(1).exactOptional(),
    pacing: pacingSchema.exactOptional(),
    gates: z
      .array(z.union([count, z.enum(['head', 'end'])], { error: 'expected a whole number, "head" or "end"' }))
      .exactOptional(),
    status: z.int().min(200).max(599).exactOptional(),
    error: z
      .strictObject({
        message: z.string().exactOptional(),
        type: z.string().exactOptional(),
        code: z.string().exactOptional(),
      })
      .exactOptional(),
    events: z
      .array(
        z.strictObject({
          event: z
            .string()
            .regex(/^[^\r\n]*$/, 'one line')
            .exactOptional(),
          data: z.unknown(),
          at_ms: z.number().nonnegative().max(1e10).exactOptional(),
        }),
      )
      .min(1)
      .max(100_000)
      .exactOptional(),
    headers: headers.exactOptional(),
    body: z.unknown().exactOptional(),
    hang: z.union([count, z.literal('head')], { error: 'expected a whole number or "head"' }).exactOptional(),
    cut: z
      .strictObject({
        after: z.union([count, z.enum(['head', 'finish', ...namedCutPoints])], {
          error: `expected a whole number, "head", "finish" or a named point (${namedCutPoints.join(', ')})`,
        }),
        delta: count.exactOptional(),
        by: z.enum([...wireEnds, ...http2Ends]),
      })
      .exactOptional(),
    fault: z
      .strictObject({
        id: z.string().transform(faultIdOf),
        form: z.string().exactOptional(),
        after: count.exactOptional(),
        wait_ms: z.number().nonnegative().max(1e10).exactOptional(),
      })
      .superRefine((fault, context) => {
        const refusal = refuseFault(fault);
        if (refusal !== null) {
          context.addIssue({ code: 'custom', path: [refusal.member], message: refusal.message });
        }
      })
      .exactOptional(),
    job: scriptedJobSchema.exactOptional(),
    replay: responseSchema.exactOptional(),
  })
  .superRefine((reply, context) => {
    const clash = contradiction(reply);
    if (clash !== null) context.addIssue({ code: 'custom', path: [clash.member], message: clash.message });
  });

export const replySchema: z.ZodType<Reply> = z.preprocess(inFull, fullReply);

/**
 * A string alone is the model's text, a number alone a status. A fault may be its id, and arguments may be an object. A 429
 * alone asks for no wait: clients wait as long as a provider says, and tests would time out.
 */
function inFull(given: unknown): unknown {
  if (typeof given === 'string') return { text: given };
  if (given === 429) return { status: given, headers: { 'retry-after': '0' } };
  if (typeof given === 'number') return { status: given };
  if (!isObject(given)) return given;
  const { fault, tool_calls: calls } = given as Readonly<Record<string, unknown>>;
  return {
    ...given,
    ...(typeof fault === 'string' ? { fault: { id: fault } } : {}),
    ...(Array.isArray(calls) ? { tool_calls: calls.map(withArguments) } : {}),
  };
}

function withArguments(call: unknown): unknown {
  if (!isObject(call) || !('arguments' in call) || !isObject(call.arguments)) return call;
  return { ...call, arguments: JSON.stringify(call.arguments) };
}

/** A provider's own 429 in a variant that states the wait in its own way. */
function isVariedRefusal({ status, body, variant }: Reply): boolean {
  return status === 429 && body === undefined && variant !== undefined && variesLimit(variant);
}

/** Finds members that contradict each other. */
function contradiction(reply: Reply): { member: string; message: string } | null {
  if (reply.replay !== undefined) {
    const [member] = Object.keys(reply).filter((name) => name !== 'replay' && name !== 'gates');
    if (member !== undefined) return { member, message: 'a recorded answer takes no other members' };
  }
  if (reply.fault !== undefined && isRaw(reply)) {
    return { member: 'fault', message: 'a raw answer (status or body) takes no fault' };
  }
  if (reply.fault !== undefined && isProgram(reply.fault)) {
    const member = (['hang', 'cut'] as const).find((name) => reply[name] !== undefined);
    if (member !== undefined)
      return { member, message: `${reply.fault.id} decides itself how the connection ends` };
  }
  if (isRaw(reply)) {
    const completionOnly = [
      'text',
      'reasoning',
      'tool_calls',
      'deltas',
      'finish',
      'usage',
      'model',
      'job',
      ...(isVariedRefusal(reply) ? [] : (['variant'] as const)),
    ] as const;
    const member = completionOnly.find((name) => reply[name] !== undefined);
    if (member !== undefined)
      return { member, message: 'a raw answer (status or body) cannot carry it: it belongs to a completion' };
  }
  if (
    reply.error !== undefined &&
    (reply.status === undefined || reply.status < 400 || reply.body !== undefined)
  )
    return { member: 'error', message: 'it goes with a status of 400 or more, and without a body' };
  if (reply.events !== undefined && (reply.body !== undefined || (reply.status ?? 200) >= 300))
    return { member: 'events', message: 'a stream of events has a good status and no body' };
  if (reply.text !== undefined && reply.deltas !== undefined && reply.deltas.join('') !== reply.text) {
    return { member: 'deltas', message: 'joined, they must be the text' };
  }
  return null;
}
