import { setTimeout as wait } from 'node:timers/promises';
import type { Meddle } from '../crash/audit-upstreams.ts';
import { piecesFor } from '../crash/native-answers.ts';
import { cut, hang, json, type Reply } from '../fake-upstream.ts';

/** The user in the prompts of long streams. */
export const streamUser = 'streamer';
const pieceEveryMs = 100;

const faults: readonly Reply[] = [
  json(500, { error: { message: 'RAW', type: 'server_error' } }),
  json(503, { error: { message: 'RAW' } }),
  json(429, { error: { message: 'RAW', code: 'rate_limit_exceeded' } }),
  json(200, '{"choices":'),
  json(502, '<html>RAW</html>'),
  cut,
  hang,
  (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(': a beginning\n\n', () => response.destroy());
  },
];

export interface Faults {
  readonly meddle: Meddle;
  /** Requests that were given a fault. */
  readonly met: Set<number>;
}

/** Answers a fraction of the calls with one of many faults, and long streams piece by piece. */
export function createFaults(part: number, random: () => number, streamMs: number): Faults {
  const met = new Set<number>();
  return {
    met,
    meddle: async (response, seen, n) => {
      if (seen.text.includes(`of ${streamUser}`)) {
        const [first = '', second = '', ...rest] = piecesFor('/chat/completions', n);
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.write(first);
        for (let ms = 0; ms < streamMs && !response.destroyed; ms += pieceEveryMs) {
          await wait(pieceEveryMs);
          response.write(second);
        }
        response.end(rest.join(''));
        return true;
      }
      if (random() >= part) return false;
      met.add(n);
      await (faults[Math.floor(random() * faults.length)] ?? cut)(response, seen);
      return true;
    },
  };
}
