import type { Mutant } from '../../edits/mutant.ts';
import { front, source } from '../../edits/mutant.ts';

/** Gateways that fail over several calls, concurrently, or during a change. */
export const worldRegionMutants: readonly Mutant[] = [
  source(
    [
      'world.stragglers-reopen',
      'calls that fail while a breaker has just opened keep it open',
      'ROUTE-011',
      'no-ground-left',
    ],
    'routing/breaker.ts',
    "isAccount: boolean, by = ''): void {\n    if (!this.#isCurrent(call)) return;",
    `isAccount: boolean, by = ''): void {
    if (!this.#isCurrent(call)) {
      if (this.#state === 'open') this.#open(nowMs, this.#coolDownMs(), why);
      return;
    }`,
  ),
  source(
    [
      'world.policy-counts',
      'what the policy of an upstream blocks counts against its channel',
      'ROUTE-013',
      'no-ground-left',
    ],
    'routing/failure-policy.ts',
    "policy: { retry: 'never', blame: 'nobody' }",
    "policy: { retry: 'never', blame: 'channel' }",
  ),
  // Beside late failures: the probe of a channel may end in a way that says nothing about it.
  source(
    [
      'world.picture-probe-blocked',
      'an image that policy blocks, as the probe of its channel, opens the breaker again',
      'ROUTE-011',
      'no-ground-left',
    ],
    'routing/live-channel.ts',
    "    if (blame === 'nobody' || !isProof) {",
    `    if (isProbe && reason === 'policy' && this.facts.channel.dialect === 'images') {
      breaker.failed(admitted, nowMs, reason, false, witness);
      return;
    }
    if (blame === 'nobody' || !isProof) {`,
  ),
  // A second one: what is at once can be counted by the wrong name, of a key or of a request.
  source(
    ['world.slot-of-trace', 'calls of one trace share a slot', 'LIM-002', 'cap-holds'],
    'access/take-slot.ts',
    'export function takeSlot(exchange: Exchange, caller: Caller, slots: Slots): Promise<void> | void {',
    `export function takeSlot(exchange: Exchange, caller: Caller, slots: Slots): Promise<void> | void {
  const trace = exchange.incoming.headers['x-request-id'];
  const traces = ((globalThis as { traces?: Map<unknown, number> }).traces ??= new Map());
  const name = caller.userId + ' ' + String(trace);
  const others = traces.get(name) ?? 0;
  traces.set(name, others + 1);
  exchange.whenOver(() => void traces.set(name, (traces.get(name) ?? 1) - 1));
  if (trace !== undefined && others > 0) return;`,
  ),
  source(
    ['world.cap-of-key', 'each key has slots of its own', 'LIM-002', 'cap-holds'],
    'access/take-slot.ts',
    'slots.take(caller.userId, caller.cap)',
    'slots.take(caller.keyId, caller.cap)',
  ),
  // A second mutant: slots may be missing after a call, or while others are in flight.
  source(
    [
      'world.cap-of-first-call',
      'a cap that is raised counts only once no call of its user is in flight',
      'LIM-004',
      'no-ground-left',
    ],
    'access/slots.ts',
    'if (prune(userId) >= cap) return null;',
    `const first = ((globalThis as { caps?: Map<string, number> }).caps ??= new Map());
      if (prune(userId) === 0) first.set(userId, cap);
      if (prune(userId) >= (first.get(userId) ?? cap)) return null;`,
  ),
  source(
    [
      'world.key-comes-back',
      'the end of a call brings back its key as it was at the beginning',
      'AUTH-008',
      'refused-in-time',
    ],
    'endpoints/enter.ts',
    '  await takeSlot(exchange, caller, access.slots);',
    `  await takeSlot(exchange, caller, access.slots);
    const key = access.keys.find(credentialIn(exchange, protocolOf(exchange.path)) ?? '');
    if (key !== null) exchange.whenOver(() => access.keys.replace([key.record], []));`,
  ),
  source(
    [
      'world.list-remembered',
      'the list of models is the first that an account has asked for',
      'EP-012',
      'list-as-changed',
    ],
    'endpoints/models.ts',
    'const data = models.filter(availability(caller, service)).map(shown);',
    `const lists = ((globalThis as { lists?: Map<string, object[]> }).lists ??= new Map());
    const data = lists.get(caller.accountId) ?? models.filter(availability(caller, service)).map(shown);
    lists.set(caller.accountId, data);`,
  ),
  source(
    [
      'world.hidden-task-model',
      'a model that the account does not have makes tasks',
      'ERR-023',
      'refused-in-time',
    ],
    'endpoints/tasks/submit.ts',
    "one.served === 'tasks' && isAvailable(one)",
    "one.served === 'tasks' && (isAvailable(one) || true)",
  ),
  // A second mutant: calls and reads may be authorized at different places.
  source(
    [
      'world.forwarded-reads',
      'a forwarding header of the caller opens a barred key where it only reads',
      'AUTH-013',
      'refused-in-time',
    ],
    'endpoints/enter.ts',
    'access.callerAddress(exchange.peer, forwardedFor(exchange))',
    "exchange.path.startsWith('/api/v1/tasks/') ? (forwardedFor(exchange) ?? exchange.peer) : access.callerAddress(exchange.peer, forwardedFor(exchange))",
  ),
  source(
    [
      'world.forwarded-opens',
      'a forwarding header of the caller opens a barred key',
      'AUTH-013',
      'refused-in-time',
    ],
    'access/caller-address.ts',
    "let address = addressIn(peer)?.text ?? '';",
    "let address = addressIn(forwardedFor ?? peer)?.text ?? '';",
  ),
  source(
    [
      'world.grant-beside-calls',
      'credit that is granted while a call of the account is in flight is lost',
      'BILL-006',
      'grant-beside-calls',
    ],
    'billing/create-ledger.ts',
    '    grant: post,',
    `    grant: async (posting) => {
      const open = db.selectFrom('open_holds').select('request_id').where('account_id', '=', posting.accountId);
      return (await open.execute()).length > 0 ? 'posted' : post(posting);
    },`,
  ),
  front(['world.crossed-answers', 'callers get the words of other answers', 'RESP-024', 'own-answer'], {
    answer: (answer) => ({
      ...answer,
      body: Buffer.from(
        answer.body.toString('latin1').replaceAll(/gc[0-9a-f]{12} is well/g, 'All is well'),
        'latin1',
      ),
    }),
  }),
];
