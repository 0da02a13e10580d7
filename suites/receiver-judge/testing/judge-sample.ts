import type { CheckResult } from 'gatecheck-reports/report';
import { receiverChecks } from '../all-checks.ts';
import type { ReceiverClient } from '../client.ts';
import { concealSecret } from '../conceal-secret.ts';
import { Effects, type JudgeClock } from '../effects.ts';
import { judgeReceiver } from '../judge.ts';
import { Session } from '../session.ts';
import { type SampleOptions, SampleReceiver } from './sample-receiver.ts';

export const sampleSecret = `whsec_${Buffer.from('the secret of a sample, 32 bytes').toString('base64')}`;

/** A clock that moves only while something waits. */
export function stillClock(): JudgeClock {
  let nowMs = Date.now();
  return {
    now: () => nowMs,
    wait: async (ms) => {
      nowMs += ms;
    },
  };
}

export interface SampleJudgement extends Partial<Omit<SampleOptions, 'secret' | 'now'>> {
  readonly effects?: boolean;
  readonly only?: readonly string[];
  /** How far the receiver's clock is ahead of ours. */
  readonly aheadSeconds?: number;
  readonly seed?: number;
  /** How long the receiver takes to answer, ms. */
  readonly latencyMs?: number;
  /** Which of its answers is lost with the connection, counted from 1. */
  readonly cut?: number;
}

/** Judges a sample receiver without a network and without real waiting. */
export async function judgeSample(
  options: SampleJudgement = {},
  clock: JudgeClock = stillClock(),
): Promise<CheckResult[]> {
  const ahead = (options.aheadSeconds ?? 0) * 1000;
  const receiver = new SampleReceiver({ ...options, secret: sampleSecret, now: () => clock.now() + ahead });
  const { signal } = new AbortController();
  return judgeReceiver({
    session: new Session({
      client: clientOf(receiver, clock, options),
      clock,
      effects: options.effects === true ? new Effects(async () => receiver.processed.length, clock) : null,
      secret: sampleSecret,
      taskId: null,
      run: 'run',
      signal,
    }),
    selected: receiverChecks.filter(({ id }) => options.only?.includes(id) ?? true),
    seed: options.seed ?? 8,
    replayPrefix: 'npx gatecheck receiver http://sample',
    redact: concealSecret(sampleSecret),
    signal,
    onResult: () => undefined,
  });
}

function clientOf(
  receiver: SampleReceiver,
  clock: JudgeClock,
  { latencyMs = 0, cut }: SampleJudgement,
): ReceiverClient {
  let posts = 0;
  return {
    post: async (label, sent, bytes, timeoutMs) => {
      const { status, headers, body } = await receiver.answer(sent, bytes);
      await clock.wait(status === 0 ? timeoutMs : latencyMs);
      posts += 1;
      const error = status === 0 ? `no end within ${timeoutMs} ms` : posts === cut ? 'ECONNRESET' : null;
      const answer = { status, headers, body: Buffer.from(body), firstByteMs: 1, endMs: 1, complete: true };
      return {
        label,
        request: { method: 'POST', url: 'http://sample', headers: sent, body: bytes },
        response: error === null ? answer : null,
        error,
        sentAt: 0,
        endedAt: 0,
      };
    },
    readEffects: async () => receiver.processed.length,
    close: async () => undefined,
  };
}
