import type { Mutant } from '../../edits/mutant.ts';
import { source } from '../../edits/mutant.ts';

/** Gateways that route the simple case correctly but fail one step further. */

export const breaker: readonly Mutant[] = [
  source(
    [
      'route.hunted.breaks-are-fine',
      'a stream that breaks after its first piece counts as one that worked',
      'ROUTE-001',
      'broken-streams-last',
    ],
    'routing/watch-stream.ts',
    'tracker.failed(step);',
    'tracker.succeeded();',
  ),
];

export const choice: readonly Mutant[] = [
  source(
    ['route.hunted.retry-without-user', 'a second attempt does without user', 'ROUTE-002', 'same-body-again'],
    'services/chat/dispatch.ts',
    'call: (channel, isFresh) => complete(service, { channel, isFresh }, request, gone),',
    `call: (channel, isFresh) => {
      const { user, ...rest } = request.fields;
      const isSecond = (globalThis.begun ??= new WeakSet()).has(request);
      globalThis.begun.add(request);
      const sent = isSecond ? { ...request, fields: rest } : request;
      return complete(service, { channel, isFresh }, sent, gone);
    },`,
  ),
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
      'route.hunted.blind-fallback',
      'a fallback gets images that it does not take',
      'CAT-015',
      'fallback-has-vision',
    ],
    'services/chat/fallback.ts',
    'checkCapability(fitted);',
    '',
  ),
  source(
    [
      'route.hunted.small-fallback',
      'a fallback gets prompts that it has no room for',
      'LIM-016',
      'fallback-has-room',
    ],
    'services/chat/fallback.ts',
    'await checkContext(fitted, promptCounter(service, route.preferred, fitted, gone));',
    '',
  ),
  source(
    [
      'route.hunted.fallback-blames-caller',
      'a request that the fallback cannot answer is refused as wrong',
      'ROUTE-003',
      'blames-no-caller',
    ],
    'services/chat/fallback.ts',
    'if (error instanceof GatewayError) return null;',
    '',
  ),
  source(
    [
      'route.hunted.retry-without-tools',
      'a second attempt does without the tools',
      'ROUTE-002',
      'same-request',
    ],
    'services/chat/dispatch.ts',
    'complete(service, { channel, isFresh }, request, gone)',
    'complete(service, { channel, isFresh }, isFresh ? { ...request, fields: { ...request.fields, tools: null, tool_choice: null } } : request, gone)',
  ),
  source(
    [
      'route.hunted.pictures-again-without-seed',
      'a second attempt at an image drops the seed',
      'ROUTE-002',
      'same-pictures',
    ],
    'services/images/dispatch.ts',
    'body: imagesBody(fields, nativeModel),',
    'body: imagesBody(isFresh ? { ...fields, seed: undefined } : fields, nativeModel),',
  ),
  // Beside that of the seed: only models without a second channel have this field.
  source(
    [
      'route.hunted.quality-again',
      'a second attempt at an image asks for the default quality',
      'ROUTE-002',
      'same-pictures',
    ],
    'services/images/dispatch.ts',
    'body: imagesBody(fields, nativeModel),',
    "body: imagesBody(isFresh && fields.quality !== undefined ? { ...fields, quality: 'auto' } : fields, nativeModel),",
  ),
  // The same for tasks.
  source(
    [
      'route.hunted.sound-again',
      'a job that is started again has the default sound',
      'VID-032',
      'same-request',
    ],
    'services/tasks/start-call.ts',
    'dialect.start(upstreams, { ...call, isFresh }),',
    `dialect.start(upstreams, {
      ...call,
      ...(isFresh && { body: call.body.replace('"generate_audio":false', '"generate_audio":true') }),
      isFresh,
    }),`,
  ),
  source(
    [
      'route.hunted.first-name-again',
      'a second attempt asks for the model by its name at the first channel',
      'ROUTE-002',
      'own-name',
    ],
    'services/chat/dialects.ts',
    'return partsOf(dialect).nativeBody(request, nativeModel);',
    'return partsOf(dialect).nativeBody(request, ((request as { known?: string }).known ??= nativeModel));',
  ),
  source(
    [
      'route.hunted.busy-task-short',
      'a task that is started again has no fields if they are long',
      'VID-032',
      'same-request',
    ],
    'tasks/claimed-task.ts',
    'case when native_id is null then fields',
    'case when native_id is null and start_tries = 0 then fields',
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
    '        this.#idleLeftMs = this.#deps.limits.idle_timeout_ms;\n      },',
    '        void this.#deps;\n      },',
  ),
];

export const room: readonly Mutant[] = [
  source(
    [
      'route.hunted.seconds-as-ms',
      'seconds of Retry-After are read as milliseconds',
      'ROUTE-010',
      'asked-for-quiet',
    ],
    'upstreams/retry-after.ts',
    'return boundedWaitMs(number * 1000);',
    'return boundedWaitMs(number);',
  ),
];
