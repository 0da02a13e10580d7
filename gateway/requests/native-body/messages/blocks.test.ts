import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { messagesBodyOf } from '../../../testing/native-body.ts';
import { pngUri } from '../../../testing/request-parts.ts';
import { isBlank } from './blocks.ts';

const text = (content: string, hint?: object) => ({
  type: 'text',
  text: content,
  ...(hint && { cache_control: hint }),
});
const image = (url = pngUri, more: object = {}) => ({ type: 'image_url', image_url: { url }, ...more });
const blocksOf = (...content: object[]) =>
  messagesBodyOf({ messages: [{ role: 'user', content }] }).messages[0].content;
const png = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' } };
const hour = { type: 'ephemeral', ttl: '1h' };
const short = { type: 'ephemeral' };

describe('media', () => {
  it.for<[string, string, object]>([
    [pngUri, 'image', png.source],
    ['data:image/JPG;base64,AAAA', 'image', { type: 'base64', media_type: 'image/jpeg', data: 'AAAA' }],
    [
      'data:application/pdf;base64,AAAA',
      'document',
      { type: 'base64', media_type: 'application/pdf', data: 'AAAA' },
    ],
    ['data:video/mp4;base64,AAAA', 'video', { type: 'base64', media_type: 'video/mp4', data: 'AAAA' }],
    ['data:audio/wav;base64,AAAA', 'audio', { type: 'base64', media_type: 'audio/wav', data: 'AAAA' }],
    ['https://e.org/a?b=c#d', 'image', { type: 'url', url: 'https://e.org/a?b=c#d' }],
    ['https://e.org/a.PDF?x', 'document', { type: 'url', url: 'https://e.org/a.PDF?x' }],
    ['http://e.org/a.webm', 'video', { type: 'url', url: 'http://e.org/a.webm' }],
    ['http://e.org/a.mp3', 'audio', { type: 'url', url: 'http://e.org/a.mp3' }],
  ])('behind %s goes as a block of kind %s', ([url, type, source]) => {
    expect(blocksOf(image(url))).toEqual([{ type, source }]);
  });

  it('keep their place between texts, and their detail back', () => {
    const seen = { type: 'image_url', image_url: { url: pngUri, detail: 'high' } };
    expect(blocksOf(text('a'), seen, text('b'), seen)).toEqual([text('a'), png, text('b'), png]);
  });
});

describe('cache marks', () => {
  it('stay on their blocks, with their ttl', () => {
    expect(blocksOf(text('a', hour), image(pngUri, { cache_control: short }), text('b'))).toEqual([
      text('a', hour),
      { ...png, cache_control: short },
      text('b'),
    ]);
  });

  it('without a ttl have none upstream, and null is no mark', () => {
    const unsaid = { type: 'ephemeral', ttl: null };
    expect(blocksOf({ ...text('a'), cache_control: unsaid }, { ...text('b'), cache_control: null })).toEqual([
      text('a', short),
      text('b'),
    ]);
  });

  it.for<[object[], object[]]>([
    [[text('a'), text('\n', hour)], [text('a\n', hour)]],
    [[image(), text(' ', short)], [{ ...png, cache_control: short }]],
    [[text('a', hour), text('\n', short)], [text('a\n', hour)]],
  ])('on white space of %j move to the block before', ([given, native]) => {
    expect(blocksOf(...given)).toEqual(native);
  });
});

describe('white space, which the dialect refuses as a block', () => {
  it.for<[object[], object[]]>([
    [
      [text('a'), text('\n\n'), text('b')],
      [text('a\n\n'), text('b')],
    ],
    [[text('\t'), text(''), text('b')], [text('\tb')]],
    [
      [image(), text('\n'), text('b')],
      [png, text('\nb')],
    ],
    [[text(' '), image()], [png]],
  ])('in %j joins the text beside it', ([given, native]) => {
    expect(blocksOf(...given)).toEqual(native);
  });

  it('never costs a text any of its characters', () => {
    const piece = fc.oneof(fc.constantFrom('', ' ', '\n'), fc.string({ unit: 'binary' }));
    fc.assert(
      fc.property(fc.array(piece, { minLength: 1, maxLength: 8 }), (pieces) => {
        fc.pre(pieces.some((one) => !isBlank(one)));
        const native: { text: string }[] = blocksOf(...pieces.map((one) => text(one)));
        expect(native.map((block) => block.text).join('')).toBe(pieces.join(''));
        expect(native.every((block) => !isBlank(block.text))).toBe(true);
      }),
      { numRuns: 100 },
    );
  });
});
