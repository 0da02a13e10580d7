import { expect } from 'vitest';
import type { Probe } from './variant-probe.ts';

type Effect = (probe: Probe) => Promise<void>;

const model = '/compat-b/v1beta/models/gamma-3-pro';
const path = `${model}:generateContent?key=sk-app-1`;
const plain = { contents: [{ role: 'user', parts: [{ text: 'Hello.' }] }] };

/** Asserts that the variant rejects a request, and passes a plain one and one of the core path. */
const refused =
  (target: string, more: object, refusal: readonly [number, string, string | null]): Effect =>
  async (probe) => {
    const got = await probe.sendsTo(target, { ...plain, ...more }, {});
    expect(got).toMatchObject({ reached: null, refused: refusal });
    expect((await probe.sendsTo(path, plain, {})).reached).toEqual(plain);
    expect((await probe.sends({ model: 'alpha-5-2', stream: true })).reached).toMatchObject({ stream: true });
  };

/** The effects of the variants of compat path B. */
export const effectsOnB: Readonly<Record<string, Effect>> = {
  'refuses.streams-on-b': refused(`${model}:streamGenerateContent?alt=sse&key=sk-app-1`, {}, [
    404,
    'not_found',
    null,
  ]),
  'refuses.encoded-on-b': refused(`${model}%3AgenerateContent?key=sk-app-1`, {}, [404, 'not_found', null]),
  'refuses.unknown-fields-on-b': refused(path, { zzNew: 1 }, [400, 'invalid_param', 'zzNew']),
  'refuses.rarer-fields-on-b': refused(path, { safetySettings: [] }, [
    400,
    'invalid_param',
    'safetySettings',
  ]),
  'accepts.bearer-on-b': async (probe) => {
    const bearer = { authorization: 'Bearer sk-app-2' };
    for (const [target, seen] of [
      [`${model}:generateContent`, `${model}:generateContent?key=sk-app-2`],
      [path, path],
    ] as const)
      expect((await probe.sendsTo(target, plain, bearer)).path).toBe(seen);
  },
};
