import { describe, expect, it } from 'vitest';
import { cacheSlots, lifeOf } from './cache-slots.ts';
import { readCaller, readNative } from './native/read.ts';
import { png } from './sample-media.ts';

const text = (value: string, hint?: object): object => ({
  type: 'text',
  text: value,
  ...(hint === undefined ? {} : { cache_control: { type: 'ephemeral', ...hint } }),
});
const sent = (content: object[]): object => ({ messages: [{ role: 'user', content }] });
const seen = (content: object[]) =>
  readNative('/v1/messages', JSON.stringify({ messages: [{ role: 'user', content }] }));

function slotsOf(view: ReturnType<typeof seen>) {
  if (view === null) throw new Error('a path of no dialect');
  return cacheSlots(view);
}

describe('the slots of cache hints', () => {
  it('do not depend on how the texts before them are split into blocks', () => {
    const caller = cacheSlots(readCaller(sent([text('One. '), text('Two.', { ttl: '1h' }), text('?')])));
    expect(slotsOf(seen([text('One. Two.', { ttl: '1h' }), text('?')]))).toEqual(caller);
  });

  it('differ when a hint moves, even by one block', () => {
    const caller = cacheSlots(readCaller(sent([text('One.', {}), text('Two.')])));
    expect(slotsOf(seen([text('One.'), text('Two.', {})]))).not.toEqual(caller);
  });

  it('differ when another medium comes before them', () => {
    const image = { type: 'image_url', image_url: { url: png.dataUri } };
    const native = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } };
    const caller = cacheSlots(readCaller(sent([image, text('One.', {})])));
    expect(slotsOf(seen([native, text('One.', {})]))).not.toEqual(caller);
  });

  it('live for five minutes when the hint names no lifetime', () => {
    expect([null, undefined, '5m', '1h', '2h', 300].map(lifeOf)).toEqual([
      '5m',
      '5m',
      '5m',
      '1h',
      'other',
      'other',
    ]);
  });
});
