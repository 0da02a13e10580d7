import { type Mutant, source } from '../../edits/mutant.ts';

/** Gateways that charge for an upstream's fault. */

const file = 'services/chat/record.ts';
const charge = 'charge_pico: usage === null ? 0n : chargeFor(usage, price, markupBp)';

export const faultChargeMutants: readonly Mutant[] = [
  source(
    ['faults.each-attempt-charged', 'each attempt of a call is charged', 'BILL-009', 'fault-charge'],
    file,
    charge,
    'charge_pico: usage === null ? 0n : chargeFor(usage, price, markupBp) * BigInt(result.attempts)',
  ),
  source(
    [
      'faults.hour-twice',
      'a call is charged twice if something was written to a cache for an hour',
      'BILL-001',
      'fault-charge',
    ],
    file,
    charge,
    'charge_pico: usage === null ? 0n : chargeFor(usage, price, markupBp) * (usage.cacheWrite1hTokens > 0 ? 2n : 1n)',
  ),
  source(
    [
      'faults.contradiction-free',
      'an answer that states more cached tokens than its prompt has costs nothing',
      'BILL-001',
      'fault-cached',
    ],
    file,
    charge,
    "charge_pico: usage === null || usage.doubts?.includes('cached') ? 0n : chargeFor(usage, price, markupBp)",
  ),
];

/** Gateways that mistake one upstream fault for another. */

export const transport: readonly Mutant[] = [
  source(
    ['faults.tls-unverified', 'any certificate of an upstream will do', 'ERR-029', 'fault-through-listener'],
    'upstreams/client.ts',
    'buildConnector({ timeout: 0, allowH2: false })',
    'buildConnector({ timeout: 0, allowH2: false, rejectUnauthorized: false })',
  ),
  source(
    [
      'faults.redirect-followed',
      'a redirect of an upstream is followed with its key',
      'ERR-029',
      'fault-redirect',
    ],
    'upstreams/call.ts',
    '      return this.#reply(head.status,',
    `      const { location = '' } = head.headers;
      if (head.status === 307 && outgoing.url !== location && typeof location === 'string' && location !== '') {
        this.#reception = new Reception();
        return await this.#ask({ ...outgoing, url: location }, sent);
      }
      return this.#reply(head.status,`,
  ),
  source(
    [
      'faults.other-channel-unused',
      'a second attempt stays on the channel that failed',
      'ROUTE-002',
      'fault-elsewhere',
    ],
    'routing/choose.ts',
    '[live === previous ? 1 : 0, isProbe',
    '[live === previous ? 0 : 1, isProbe',
  ),
  source(
    ['faults.compressed-as-is', 'what is compressed is read as it is', 'RESP-023', 'fault-survived'],
    'upstreams/decoded-body.ts',
    'isEncoded = decoders.length > 0;',
    'isEncoded = false;',
  ),
  source(
    ['faults.lingers', 'an answer is read until its connection ends', 'SSE-001', 'fault-survived'],
    'upstreams/chat-completions/stream.ts',
    'return this.end.hasSaid || this.#closing !== null ? this.ended(pieces) : null;',
    'return null;',
  ),
];

export const statuses: readonly Mutant[] = [
  source(
    ['faults.pause-ignored', 'an upstream that asks for a pause gets none', 'ROUTE-010', 'fault-no-call'],
    'routing/live-channel.ts',
    "if (reason === 'busy' && retryAfterMs !== null) {",
    "if (reason === 'busy' && retryAfterMs === -1) {",
  ),
  source(
    ['faults.policy-counts', 'a policy block counts against the channel', 'ROUTE-013', 'breaker-ignored'],
    'routing/failure-policy.ts',
    "policy: { retry: 'never', blame: 'nobody' }",
    "policy: { retry: 'never', blame: 'channel' }",
  ),
  source(
    [
      'faults.context-counts',
      'a prompt that is too long counts against the channel',
      'ERR-025',
      'breaker-ignored',
    ],
    'routing/failure-policy.ts',
    "context: { retry: 'never', blame: 'nobody' }",
    "context: { retry: 'never', blame: 'channel' }",
  ),
  source(
    ['faults.bad-request-counts', 'a bad request counts against the channel', 'ERR-024', 'breaker-ignored'],
    'routing/failure-policy.ts',
    "bad_request: { retry: 'never', blame: 'nobody' }",
    "bad_request: { retry: 'never', blame: 'channel' }",
  ),
  source(
    ['faults.raw-text', 'an error repeats what the upstream said', 'ERR-009', 'fault-raw'],
    'upstreams/call-chat.ts',
    "  if (gone.aborted) return { kind: 'client_left' };\n  const { status, headers } = reply;",
    "  if (gone.aborted) return { kind: 'client_left' };\n  const { status, headers } = reply;\n  throw new (await import('../errors/gateway-error.ts')).GatewayError('upstream_error', { message: 'The upstream failed: ' + JSON.stringify(value ?? '') });",
  ),
];

export const streams: readonly Mutant[] = [
  source(
    ['faults.ping-is-progress', 'pings put the end of a silence off', 'SSE-016', 'fault-ends'],
    'upstreams/native-stream.ts',
    'if (events.some((event) => !isPing(event))) this.#reply.progress();',
    'this.#reply.progress();',
  ),
  source(
    ['faults.slot-lost', 'a client that leaves its stream leaves its slot behind', 'SSE-020', 'fault-slot'],
    'access/take-slot.ts',
    'exchange.whenOver(slot.release)',
    'exchange.whenOver(() => {\n    if (!(exchange.gone.aborted && exchange.outgoing.headersSent)) slot.release();\n  })',
  ),
  source(
    [
      'faults.read-ahead',
      'a stream is read even when its client stops reading',
      'SSE-001',
      'fault-backpressure',
    ],
    'http/send-events.ts',
    '  return writeAll(exchange, framed(exchange, events));',
    '  void writeAll(exchange, framed(exchange, events));\n  return Promise.resolve(!exchange.gone.aborted);',
  ),
];

export const outages: readonly Mutant[] = [
  source(
    ['faults.breaker-never-opens', 'no breaker ever opens', 'ROUTE-009', 'fault-opens'],
    'routing/breaker.ts',
    "    this.#openings += 1;\n    this.#become('open', why, {",
    "    this.#openings += 1;\n    if (forMs < 0) this.#become('open', why, {",
  ),
  source(
    [
      'faults.many-probes',
      'every call probes a channel whose cool-down is over',
      'ROUTE-011',
      'fault-one-probe',
    ],
    'routing/breaker.ts',
    "(state === 'half-open' && this.#probe === null)",
    "state === 'half-open'",
  ),
  source(
    ['faults.calls-while-open', 'an open breaker is half open', 'ROUTE-009', 'fault-no-call'],
    'routing/breaker.ts',
    "return this.#state === 'open' && nowMs >= this.#openUntilMs ? 'half-open' : this.#state;",
    "return this.#state === 'open' && nowMs >= this.#openUntilMs - 20_000 ? 'half-open' : this.#state;",
  ),
  source(
    ['faults.slow-is-well', 'how long a channel takes makes no difference', 'ROUTE-001', 'fault-moves-away'],
    'routing/health.ts',
    "if (latency === null || fastestMs === null) return 'well';",
    "if (latency !== null || fastestMs === null) return 'well';",
  ),
  source(
    ['faults.third-try', 'a call is tried three times', 'ROUTE-004', 'fault-attempts'],
    'routing/attempt.ts',
    'const maxAttempts = 2;',
    'const maxAttempts = 3;',
  ),
];
