import { defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import type { ChatOptions, JsonObject } from '../../engine/requests.ts';
import type { Keys } from '../../profile/profile.ts';
import { must, Untestable } from '../../rules/violation.ts';
import { allRefusedByCap, allServedInLastSlot, callsFrom, holdWays } from '../../steps/ways/held-ways.ts';
import { waysOf } from '../../steps/ways/ways-of.ts';
import type { Exchange } from '../../wire/exchange.ts';
import { callersOf, holdCalls } from './held-calls.ts';

/** How soon a refusal above the cap must come, ms. A later one was queued (reading B-103). */
const atOnceMs = 2_000;

export const capHoldsAndFrees = defineCheck({
  id: 'lim.cap.holds',
  title: 'requests up to the cap run at once, on every endpoint; one more is refused and reaches no upstream',
  requirements: ['LIM-001', 'LIM-006', 'LIM-010', 'ERR-020'],
  kind: 'concurrency',
  needs: ['upstream.control'],
  run: async (parts) => {
    const { target, newScene, cases, http, judge } = parts;
    const callers = callersOf(target.profile.cap.value);
    const held = await holdCalls(parts, { callers, requirement: 'LIM-001', aspect: 'cap-available' });
    const scene = newScene();
    for (const stream of [false, true]) {
      cases.count();
      const body = { ...scene.minimal(held.model), ...(stream ? { stream } : {}) };
      await refusedAboveCap(parts, body, { requirement: 'LIM-001', aspect: 'one-too-many' });
    }
    must((await scene.requestsNow()).length === 0, {
      requirement: 'LIM-010',
      aspect: 'no-upstream-call',
      expected: 'no upstream request for a refused call',
      actual: 'one arrived',
    });
    await held.finish();
    const after = await http.openChat(newScene().minimal(held.model), { label: 'after the held calls' }).done;
    judge.completed(after, { requirement: 'LIM-001', aspect: 'freed', model: held.model });
    await serveInLastSlot(parts);
  },
});

/** Fills all slots but one, which then serves every endpoint. */
async function serveInLastSlot(parts: CheckParts): Promise<void> {
  const rule = { requirement: 'LIM-001', aspect: 'last-slot' };
  const callers = callersOf(parts.target.profile.cap.value - 1);
  const calls = (await waysOf(parts)).map((way) => ({ way }));
  await allServedInLastSlot(parts, calls, rule, () => holdCalls(parts, { callers, ...rule }));
}

export const capIsTheUsers = defineCheck({
  id: 'lim.cap.keys',
  title: 'the cap counts all keys of a user together and leaves other users and accounts alone',
  requirements: ['LIM-002'],
  kind: 'concurrency',
  anyProtocol: true,
  needs: ['upstream.control', 'keys.K2'],
  run: async (parts) => {
    const { accounts, target, cases, keys } = parts;
    const both = [keys.K1, accounts.key('K2')];
    const cap = target.profile.cap.value;
    const ways = await waysOf(parts);
    const lasting = ways.filter(({ lasts }) => lasts);
    // Each key holds calls on several endpoints, and each is refused on all of them.
    const calls = callsFrom(target.draw([lasting, [...lasting].reverse()]), 0, cap).map((call, index) => ({
      ...call,
      key: both[index % 2] ?? keys.K1,
    }));
    const held = await holdWays(parts, calls, { requirement: 'LIM-002', aspect: 'cap-available' });
    const together = { requirement: 'LIM-002', aspect: 'keys-together' };
    const above = ways.flatMap((way) => both.map((key) => ({ way, key })));
    await allRefusedByCap(parts, above, together);
    for (const [name, aspect] of [
      ['K4', 'other-user'],
      ['K3', 'other-account'],
    ] as const) {
      const key = keys[name];
      // Two keys suffice to show a cap per key. Isolation from other users needs these keys too.
      if (key === undefined) throw new Untestable(`keys.${name}`);
      cases.count();
      const others = callsFrom(lasting, 0, cap).map((call) => ({ ...call, key }));
      const theirs = await holdWays(parts, others, { requirement: 'LIM-002', aspect });
      await theirs.finish();
    }
    await held.finish();
  },
});

export const userFieldIsOnlyALabel = defineCheck({
  id: 'lim.cap.user-field',
  title: 'the request field user neither splits the cap of one user nor joins those of two',
  requirements: ['LIM-009'],
  kind: 'concurrency',
  needs: ['upstream.control', 'keys.K4'],
  run: async (parts) => {
    const { target, cases, newScene, accounts } = parts;
    const cap = target.profile.cap.value;
    const rule = { requirement: 'LIM-009', aspect: 'user-field-splits' };
    const split = await holdCalls(parts, {
      callers: callersOf(cap),
      body: (index) => ({ user: `end-user-${index}` }),
      ...rule,
    });
    for (const user of ['end-user-0', 'somebody-else']) {
      cases.count();
      await refusedAboveCap(parts, { ...newScene().minimal(split.model), user }, rule);
    }
    cases.count();
    const callers = callersOf(cap, { key: accounts.key('K4') });
    const joined = { requirement: 'LIM-009', aspect: 'user-field-joins' };
    const theirs = await holdCalls(parts, {
      callers,
      body: (index) => ({ user: `end-user-${index}` }),
      ...joined,
    });
    await theirs.finish();
    await split.finish();
  },
});

export const streamsHoldTheirSlot = defineCheck({
  id: 'lim.cap.streams',
  title: 'a stream occupies its slot until its end, and with its end the slot is free',
  requirements: ['LIM-005', 'LIM-001'],
  kind: 'concurrency',
  needs: ['upstream.control'],
  run: async (parts) => {
    const { target, cases, newScene } = parts;
    const callers = callersOf(target.profile.cap.value);
    const body = (): JsonObject => ({ stream: true });
    const rule = { requirement: 'LIM-005', aspect: 'stream-holds' };
    const held = await holdCalls(parts, { callers, body, ...rule });
    for (const stream of [false, true]) {
      cases.count();
      await refusedAboveCap(parts, { ...newScene().minimal(held.model), stream }, rule);
    }
    await held.finishOne();
    const next = await holdCalls(parts, {
      callers: callersOf(1),
      body,
      requirement: 'LIM-005',
      aspect: 'stream-frees',
    });
    await refusedAboveCap(parts, newScene().minimal(held.model), rule);
    await next.finish();
    await held.finish();
  },
});

export const readsAgainstTheCap = defineCheck({
  id: 'lim.cap.gets',
  title: 'GET routes count against the cap, unless the profile declares otherwise (reading B-102)',
  requirements: ['LIM-001'],
  kind: 'concurrency',
  needs: ['upstream.control'],
  run: async (parts) => {
    const { target, http, judge, keys } = parts;
    const callers = callersOf(target.profile.cap.value);
    const rule = { requirement: 'LIM-001', aspect: 'reads-as-declared' };
    for (const { path, status } of reads) {
      const got = (await http.open(reading(path, keys)).done).response?.status;
      if (got !== status) throw new Untestable(`a read that is answered (GET ${path} got HTTP ${got})`);
    }
    const held = await holdCalls(parts, { callers, ...rule });
    const isAnswered = (exchange: Exchange, expected: number): void => {
      const status = exchange.response?.status;
      must(status === expected, {
        ...rule,
        expected: `HTTP ${expected}`,
        actual: `HTTP ${status}`,
        exchange,
      });
    };
    for (const { path, status } of reads) {
      const read = await http.open(reading(path, keys)).done;
      if (target.profile.cap.gets) judge.refused(read, { ...rule, codes: ['concurrency_exceeded'] });
      else isAnswered(read, status);
    }
    await held.finish();
    for (const { path, status } of reads) isAnswered(await http.open(reading(path, keys)).done, status);
  },
});

/** The GET routes, with their answers while a slot is free. */
const reads = [
  { path: '/api/v1/models', status: 200 },
  { path: '/api/v1/tasks/task_nobody_has', status: 404 },
] as const;

function reading(
  path: string,
  keys: Keys,
): { method: string; path: string; headers: Record<string, string>; label: string } {
  const headers = { authorization: `Bearer ${keys.K1}` };
  return { method: 'GET', path, headers, label: `GET ${path}` };
}

async function refusedAboveCap(
  { http, judge }: CheckParts,
  body: JsonObject,
  rule: { requirement: string; aspect: string },
  options: ChatOptions = {},
): Promise<Exchange> {
  const refusal = await http.openChat(body, { ...options, label: 'one too many' }).done;
  judge.refused(refusal, { ...rule, codes: ['concurrency_exceeded'] });
  const waitMs = refusal.endedAt - refusal.sentAt;
  if (waitMs > atOnceMs) {
    const expected = `the refusal within ${atOnceMs} ms`;
    const actual = `after ${waitMs} ms`;
    judge.advise({ requirement: 'LIM-006', aspect: 'immediate', expected, actual, exchange: refusal });
  }
  return refusal;
}
