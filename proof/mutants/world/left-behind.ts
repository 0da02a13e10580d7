import type { Mutant } from '../../edits/mutant.ts';
import { source } from '../../edits/mutant.ts';

/** Gateways that answer each call correctly, but leave behind state that affects others. */
export const worldLeftBehindMutants: readonly Mutant[] = [
  source(
    ['world.left-slot-kept', 'a caller that leaves keeps its slot', 'LIM-004', 'no-ground-left'],
    'access/take-slot.ts',
    'exchange.whenOver(slot.release);',
    'exchange.whenOver(() => (exchange.outgoing.destroyed ? undefined : slot.release()));',
  ),
  // Beside the hold of a served call: here nobody gets an answer.
  source(
    [
      'world.deserted-hold-kept',
      'images whose caller has left, and whose upstream then never answers, stay on hold',
      'ERR-021',
      'still-spends',
    ],
    'endpoints/images/answer.ts',
    "await allowance.settle(imagesRecord(job, 'client_gone', 0));",
    'allowance.entrust();',
  ),
  source(
    [
      'world.served-hold-kept',
      'a stream of compat path B that was served leaves a hold on its account',
      'ERR-021',
      'still-spends',
    ],
    'endpoints/chat/answer-stream.ts',
    "await recordEnd(exchange, job, 'success', usage);",
    `await recordEnd(exchange, job, 'success', usage);
        if (request.native?.dialect === 'generate-content')
          await job.service.ledger.hold({
            requestId: 'kept-' + job.requestId,
            accountId: job.caller.accountId,
            amount: 100_000_000_000n,
            overshoots: true,
            atMs: job.startedAtMs,
          });`,
  ),
  source(
    [
      'world.media-rest-long',
      'channels of images and jobs rest for ten minutes',
      'ROUTE-011',
      'back-in-time',
    ],
    'routing/live-channel.ts',
    'this.#gates = new Gates(breaker, ',
    "this.#gates = new Gates(['images', 'jobs'].includes(facts.channel.dialect) ? { ...breaker, cool_down_ms: [600_000] } : breaker, ",
  ),
  // A second mutant: a rest may be too long for one channel, or for what several calls were told.
  source(
    [
      'world.pauses-add-up',
      'the pauses that an upstream asks for at once add up',
      'ROUTE-011',
      'back-in-time',
    ],
    'routing/cooling.ts',
    'this.#untilMs = Math.max(this.#untilMs, nowMs + believedMs);\n    this.#tryAtMs = Math.max(this.#tryAtMs, nowMs + Math.min(believedMs, tryAfterMs));',
    `this.#untilMs = Math.max(this.#untilMs, nowMs) + believedMs;
    this.#tryAtMs = Math.max(this.#tryAtMs, nowMs) + Math.min(believedMs, tryAfterMs);`,
  ),
  source(
    ['world.queue-ghost', 'who leaves a queue gets the next free place of it', 'ROUTE-010', 'queue-serves'],
    'routing/capacity.ts',
    'this.#waiting.delete(end);',
    'if (hasRoom) this.#waiting.delete(end);',
  ),
  source(
    ['world.queue-longer', 'one more waits than may', 'ROUTE-010', 'queue-full'],
    'routing/capacity.ts',
    'this.#waiting.size < this.#limits.queueLength',
    'this.#waiting.size <= this.#limits.queueLength',
  ),
];
