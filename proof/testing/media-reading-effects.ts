import { expect } from 'vitest';
import type { Probe } from './variant-probe.ts';

type Effect = (probe: Probe) => Promise<void>;
type Json = Record<string, unknown>;

const path = '/api/v1/tasks';
const plain = { model: 'journey-v7', prompt: 'The sea.' };
const step = { model: 'journey-v7', action: 'reroll', parent_task_id: 't' };

/** Asserts that the variant changes a submission, and passes a plain one unchanged. */
const becomes =
  (sent: Json, reached: Json): Effect =>
  async (probe) => {
    expect((await probe.sendsTo(path, sent, {})).reached).toEqual(reached);
    expect((await probe.sendsTo(path, plain, {})).reached).toEqual(plain);
  };

/** Asserts that the variant rejects a submission, and passes a plain one. */
const refused =
  (sent: Json, param: string): Effect =>
  async (probe) => {
    const got = await probe.sendsTo(path, sent, {});
    expect(got).toMatchObject({ reached: null, refused: [400, 'invalid_param', param] });
    expect((await probe.sendsTo(path, plain, {})).reached).toEqual(plain);
  };

async function codeOf(probe: Probe, error: Json, body: Json): Promise<[number, unknown]> {
  const { status, text } = await probe.through('POST', path, { error }, body, 400);
  return [status, (JSON.parse(text) as { error: Json }).error.code];
}

/** The effects of the readings of media requests. */
export const mediaReadingEffects: Readonly<Record<string, Effect>> = {
  'accepts.index-on-reroll': becomes({ ...step, index: 1 }, step),
  'accepts.options-on-steps': becomes({ ...step, prompt: 'x', stylize: 5 }, step),
  'accepts.needless-prompts': becomes({ model: 'talk-audio', prompt: 'x' }, { model: 'talk-audio' }),
  'accepts.lyrics-elsewhere': async (probe) => {
    await becomes({ model: 'voice-music', lyrics: 'x', instrumental: true }, { model: 'voice-music' })(probe);
    const wrong = { model: 'voice-music', lyrics: 5 };
    expect((await probe.sendsTo(path, wrong, {})).reached).toEqual(wrong);
  },
  'refuses.null-options': refused({ ...plain, tile: null }, 'tile'),
  'refuses.named-imagine': refused({ ...plain, action: 'imagine' }, 'action'),
  'refuses.other-links': refused({ model: 'motion-aleph', video_url: 'http://x.example/a' }, 'video_url'),
  'refuses.unknown-parents-as-unknown-tasks': async (probe) => {
    const error = { type: 'invalid_request_error', code: 'invalid_param', param: 'parent_task_id' };
    expect(await codeOf(probe, error, step)).toEqual([404, 'task_not_found']);
    expect(await codeOf(probe, { ...error, param: 'index' }, step)).toEqual([400, 'invalid_param']);
  },
};
