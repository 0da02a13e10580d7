import { expect } from 'vitest';
import { withBareError } from '../variants/failure-variants.ts';
import type { Probe } from './variant-probe.ts';

type Effect = (probe: Probe) => Promise<void>;

const path = '/compat-a/v1/messages';
const plain = { model: 'beta-mid-4-5', max_tokens: 64, messages: [{ role: 'user', content: 'Hello.' }] };
const given = { 'x-api-key': 'sk-app-1', 'compat-a-version': '2023-06-01' };

/** Asserts that the variant rejects a request, and passes a plain one and one of the core path. */
const refused =
  (more: object, param: string, headers: Readonly<Record<string, string>> = given): Effect =>
  async (probe) => {
    const got = await probe.sendsTo(path, { ...plain, ...more }, headers);
    expect(got.refused).toEqual([400, 'invalid_param', param]);
    expect((await probe.sendsTo(path, plain, given)).refused).toBeNull();
    const core = { model: 'alpha-5-2', stream: true, messages: [] };
    expect((await probe.sends(core)).reached).toEqual(core);
  };

/** The effects of the variants of compat path A. */
export const effectsOnA: Readonly<Record<string, Effect>> = {
  'failure.normalised-alone': async (probe) => {
    const error = { type: 'rate_limit_error', code: 'channel_queue_full', message: 'Busy.', status: 'X' };
    const got = await probe.through('POST', path, { type: 'error', error }, plain, 429);
    const { status: _, ...members } = error;
    const said = JSON.parse(got.text) as { error: object };
    expect(said).toMatchObject({ error: members });
    expect(said.error).not.toHaveProperty('status');
    expect(said).not.toHaveProperty('type');
    expect(withBareError(`event: error\ndata: ${JSON.stringify({ type: 'error', error })}`)).toBe(
      `event: error\ndata: ${JSON.stringify({ error: members })}`,
    );
  },
  'refuses.streams-on-a': refused({ stream: true }, 'stream'),
  'refuses.unknown-fields-on-a': refused({ x_unknown_1: 1 }, 'x_unknown_1'),
  'refuses.rarer-fields-on-a': refused({ top_k: 4 }, 'top_k'),
  'refuses.role-system-on-a': refused({ messages: [{ role: 'system', content: 'x' }] }, 'messages'),
  'refuses.other-versions': refused({}, 'compat-a-version', { 'x-api-key': 'sk-app-1' }),
  'accepts.no-max-tokens-on-a': async (probe) => {
    const { max_tokens: _, ...short } = plain;
    expect((await probe.sendsTo(path, short, given)).reached).toEqual({ ...plain, max_tokens: 1_024 });
    expect((await probe.sendsTo(path, plain, given)).reached).toEqual(plain);
  },
  'accepts.bare-turns-on-a': async (probe) => {
    const orphan = { type: 'tool_result', tool_use_id: 'toolu_none', content: 'x' };
    const text = { type: 'text', text: 'Hello.' };
    const reached = async (content: unknown): Promise<unknown> => {
      const messages = [{ role: 'user', content }];
      return (await probe.sendsTo(path, { ...plain, messages }, given)).reached;
    };
    const filled = (content: unknown) => ({ ...plain, messages: [{ role: 'user', content }] });
    expect(await reached('')).toEqual(filled('.'));
    expect(await reached([])).toEqual(filled('.'));
    expect(await reached([orphan, text])).toEqual(filled([text]));
  },
  'accepts.any-version': async (probe) => {
    const { headers } = await probe.sendsTo(path, plain, { 'x-api-key': 'sk-app-1' });
    expect(headers).toMatchObject({ 'compat-a-version': '2023-06-01' });
  },
  'ignores.bearer-on-a': async (probe) => {
    const both = await probe.sendsTo(path, plain, { ...given, authorization: 'Bearer sk-app-2' });
    expect(both.headers).not.toHaveProperty('authorization');
    expect(both.headers).toMatchObject({ 'x-api-key': 'sk-app-1' });
  },
};
