import { defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import { patiently } from '../../steps/failures/pass-timeouts.ts';
import { callersOf, holdCalls } from './held-calls.ts';

/** How long the client of a half-sent request stays, ms: long enough for the slot to be taken. */
const stayMs = 200;

/** A body length that any gateway refuses before it reads the body. */
const farTooLong = 1_000_000;

const rule = { requirement: 'LIM-004', aspect: 'freed-after-abort-sending' };

export const leavingWhileSendingFrees = defineCheck({
  id: 'lim.slot.after-abort-sending',
  title: 'after more clients than the cap abort while sending their request, every slot is free',
  requirements: ['LIM-004'],
  kind: 'concurrency',
  needs: ['upstream.control'],
  raw: true,
  run: async (parts) => {
    const { target, cases, http } = parts;
    const cap = target.profile.cap.value;
    for (let round = 0; round < 2 * cap; round += 1) {
      cases.count();
      await http.raw([halfRequest(parts, round < cap ? 1 : farTooLong)], stayMs);
    }
    await patiently(parts, async () => {
      const held = await holdCalls(parts, { callers: callersOf(cap), ...rule });
      await held.finish();
    });
  },
});

/** A chat request whose Content-Length is `times` its actual body. */
function halfRequest({ target, newScene, keys }: CheckParts, times: number): string {
  const { host, pathname } = new URL(target.profile.base_url);
  const body = JSON.stringify(newScene().minimal(target.anyModel()));
  return [
    `POST ${pathname.replace(/\/+$/, '')}/api/v1/chat/completions HTTP/1.1`,
    `Host: ${host}`,
    `Authorization: Bearer ${keys.K1}`,
    'Content-Type: application/json',
    `Content-Length: ${body.length * times}`,
    '',
    body.slice(0, -10),
  ].join('\r\n');
}
