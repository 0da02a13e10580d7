import type { Mutant } from '../../../mutation/mutant.ts';
import { source } from '../../../mutation/refusal-defects.ts';

/** Gateways that are right in the plain case of routing, and wrong one step further on. */

const breaker: readonly Mutant[] = [
  source(
    [
      'route.hunted.cool-down-grows',
      'every failed probe doubles the cool-down',
      'ROUTE-011',
      'passes-when-due',
    ],
    'routing/breaker.ts',
    'return waits[Math.min(this.#openings, waits.length - 1)] ?? 0;',
    'return (waits[0] ?? 0) * 2 ** this.#openings;',
  ),
  source(
    [
      'route.hunted.cool-down-kept',
      'a channel that was given up once cools down longer ever after',
      'ROUTE-011',
      'passes-when-due',
    ],
    'routing/breaker.ts',
    "    this.#openings = 0;\n    this.#become('closed'",
    "    this.#become('closed'",
  ),
  source(
    [
      'route.hunted.two-successes',
      'a channel is back only after two good probes',
      'ROUTE-011',
      'passes-when-due',
    ],
    'routing/breaker.ts',
    "    if (this.#state === 'half-open') {\n      this.#close();\n      return;",
    "    if (this.#state === 'half-open') {\n      this.#probe = null;\n      this.#failuresInARow += 1;\n      if (this.#failuresInARow >= 2) this.#close();\n      return;",
  ),
  source(
    [
      'route.hunted.probe-kept',
      'a probe that says nothing keeps all others out',
      'ROUTE-011',
      'passes-when-due',
    ],
    'routing/breaker.ts',
    'if (this.#probe === passage) this.#probe = null;',
    'void passage;',
  ),
  source(
    ['route.hunted.half-is-fine', 'half of the calls may fail', 'ROUTE-009', 'no-upstream-call'],
    'routing/breaker.ts',
    'percent < limit',
    'percent <= limit',
  ),
  source(
    [
      'route.hunted.breaks-are-fine',
      'a stream that breaks after its first piece counts as one that worked',
      'ROUTE-001',
      'broken-streams-last',
    ],
    'routing/watch-stream.ts',
    'trial.failed(step);',
    'trial.succeeded();',
  ),
];

const choice: readonly Mutant[] = [
  source(
    [
      'route.hunted.fallback-without-tools',
      'the fallback does not get the tools',
      'RESP-005',
      'same-request',
    ],
    'services/chat/fallback.ts',
    'const fields = { ...request.fields,',
    'const fields = { ...request.fields, tools: undefined, tool_choice: undefined,',
  ),
  source(
    [
      'route.hunted.no-fallback-in-outage',
      'a model whose channels are given up is refused although it has a fallback',
      'RESP-005',
      'falls-back',
    ],
    'services/chat/dispatch.ts',
    "if (result.kind === 'untried') return true;",
    "if (result.kind === 'untried') return false;",
  ),
  source(
    [
      'route.hunted.fallback-after-5xx',
      'only a failing server leads to the fallback',
      'RESP-005',
      'falls-back',
    ],
    'services/chat/dispatch.ts',
    "return outcome.kind === 'failure' && FAILURE_POLICY[outcome.reason].retry !== 'never';",
    "return outcome.kind === 'failure' && outcome.reason === 'server';",
  ),
  source(
    [
      'route.hunted.retry-without-tools',
      'a second attempt does without the tools',
      'ROUTE-002',
      'same-request',
    ],
    'services/chat/dispatch.ts',
    'complete(gateway, { channel, isFresh }, request, gone)',
    'complete(gateway, { channel, isFresh }, isFresh ? { ...request, fields: { ...request.fields, tools: null, tool_choice: null } } : request, gone)',
  ),
  source(
    ['route.hunted.impatient', 'an upstream has a third of its time to begin', 'ROUTE-004', 'waits-its-time'],
    'upstreams/call.ts',
    "this.#limit('first byte', limits.first_byte_timeout_ms)",
    "this.#limit('first byte', limits.first_byte_timeout_ms / 3)",
  ),
  source(
    ['route.hunted.waits-add-up', 'all waits within a stream count together', 'ERR-031', 'steady-is-alive'],
    'upstreams/call.ts',
    '        this.#idleLeftMs = this.#means.limits.idle_timeout_ms;\n      },',
    '        void this.#means;\n      },',
  ),
];

const room: readonly Mutant[] = [
  source(
    [
      'route.hunted.seconds-as-ms',
      'seconds of Retry-After are read as milliseconds',
      'ROUTE-010',
      'asked-for-quiet',
    ],
    'upstreams/retry-after.ts',
    'return boundedWaitMs(seconds * 1000);\n  return untilMs',
    'return boundedWaitMs(seconds);\n  return untilMs',
  ),
  source(
    ['route.hunted.date-ignored', 'a date in Retry-After is ignored', 'ROUTE-010', 'asked-for-quiet'],
    'upstreams/retry-after.ts',
    'return Number.isNaN(wait) ? null : boundedWaitMs(wait);',
    'return null;',
  ),
  source(
    [
      'route.hunted.date-as-length',
      'a date in Retry-After is read as a length of time',
      'ROUTE-010',
      'free-again',
    ],
    'upstreams/retry-after.ts',
    "Date.parse(text ?? '') - Date.parse(date ?? '')",
    "Date.parse(text ?? '')",
  ),
  source(
    ['route.hunted.ms-as-seconds', 'retry-after-ms is read as seconds', 'ROUTE-010', 'free-again'],
    'upstreams/retry-after.ts',
    'if (exact !== null) return boundedWaitMs(exact);',
    'if (exact !== null) return boundedWaitMs(exact * 1000);',
  ),
  source(
    ['route.hunted.room-lost', 'a call that fails keeps its room', 'ROUTE-010', 'free-again'],
    'routing/trial.ts',
    'failed: (failure) => end(() => effects.failed(failure)),',
    'failed: (failure) => {\n      isOver = true;\n      late.cancel();\n      effects.failed(failure);\n    },',
  ),
];

const errors: readonly Mutant[] = [
  source(
    [
      'err.hunted.null-error',
      'an error in a list that begins with null is an error of the gateway',
      'ERR-029',
      'odd-shape',
    ],
    'upstreams/generate-content/classify.ts',
    'if (!isObject(holder) || !isObject(holder.error)) return null;',
    "if (typeof holder !== 'object' || !isObject((holder as JsonObject).error)) return null;",
  ),
  source(
    [
      'err.hunted.message-is-text',
      'the message of an error is taken for a text unseen',
      'ERR-029',
      'odd-shape',
    ],
    'upstreams/retry-after.ts',
    "typeof message === 'string' ? HINT.exec(message.slice(0, MAX_TEXT))?.[1] : undefined",
    'message ? HINT.exec((message as string).slice(0, MAX_TEXT))?.[1] : undefined',
  ),
  source(
    ['err.hunted.cause-told', 'a failure of the gateway tells what failed inside', 'ERR-005', 'no-internals'],
    'endpoints/serve.ts',
    "GatewayError('internal_error', { message, cause })",
    "GatewayError('internal_error', { message: String((cause as Error).cause ?? cause), cause })",
  ),
];

const streams: readonly Mutant[] = [
  source(
    [
      'faults.hunted.comment-ends',
      'a comment ends the event in which it stands',
      'SSE-001',
      'fault-survived',
    ],
    'upstreams/event-parser.ts',
    "    const colon = text.indexOf(':');",
    "    if (text.startsWith(':')) {\n      endEvent(events);\n      return;\n    }\n    const colon = text.indexOf(':');",
  ),
  source(
    [
      'faults.hunted.last-line',
      'of the data of an event only the last line counts',
      'SSE-001',
      'fault-survived',
    ],
    'upstreams/event-parser.ts',
    "if (field === 'data') data.push(value);",
    "if (field === 'data') data = [value];",
  ),
];

export const huntedRouteMutants: readonly Mutant[] = [...breaker, ...choice, ...room, ...errors, ...streams];
