import { expect } from 'vitest';
import type { Probe } from './variant-probe.ts';

type Effect = (probe: Probe) => Promise<void>;

export const user = (content: unknown): object => ({ role: 'user', content });
export const chat = (more: object, model = 'alpha-5-2'): Record<string, unknown> => ({
  model,
  messages: [user('Hello.')],
  ...more,
});
export const image = (url: string): object => ({ type: 'image_url', image_url: { url } });
export const pdf = image('data:application/pdf;base64,AAAA');
export const named = (name: string, more: object = {}): object => ({
  type: 'function',
  function: { name, ...more },
});
export const described = { description: 'd', parameters: { type: 'object' } };
export const call = { id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } };

/** Asserts that the variant changes a request in these members, and passes a plain one unchanged. */
export const becomes =
  (body: Record<string, unknown>, changed: object): Effect =>
  async (probe) => {
    expect((await probe.sends(body)).reached).toMatchObject(changed);
    expect((await probe.sends(chat({}))).reached).toEqual(chat({}));
  };

/** Asserts that the variant rejects a request, and passes a plain one. */
export const refused =
  (body: Record<string, unknown> | string, status: number, code: string, param: string | null): Effect =>
  async (probe) => {
    expect(await probe.sends(body)).toEqual({ reached: null, refused: [status, code, param] });
    expect((await probe.sends(chat({}))).reached).toEqual(chat({}));
  };
