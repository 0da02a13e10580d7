import { type FormFamily, formCells } from './form-family.ts';
import { imageBlock, pixelDataUri } from './sample-images.ts';

/** The forms of content blocks in a user message ("Message roles", content blocks). */

/** The block under test comes before the prompt. */
const block = (value: unknown, prompt: string): Record<string, unknown> => ({
  messages: [{ role: 'user', content: [value, { type: 'text', text: prompt }] }],
});

const url = (value: unknown, prompt: string): Record<string, unknown> =>
  block({ type: 'image_url', image_url: { url: value } }, prompt);

const text = (value: string): object => ({ type: 'text', text: value });

const order =
  (...blocks: readonly (object | 'prompt')[]) =>
  (prompt: string): Record<string, unknown> => ({
    messages: [{ role: 'user', content: blocks.map((part) => (part === 'prompt' ? text(prompt) : part)) }],
  });

const mixed = {
  verdict: 'accept',
  requirement: 'MSG-010',
  aspect: 'mixed-accepted',
  field: 'messages',
} as const;

export const blockFamilies: readonly FormFamily[] = [
  {
    name: 'text-block',
    title: 'a text block has type text and a string text',
    requirements: ['MSG-015'],
    cells: [
      ...formCells(
        'accept',
        { requirement: 'MSG-015', aspect: 'block-accepted', field: 'messages' },
        { 'a text block': text('a') },
        block,
      ),
      ...formCells(
        'refuse',
        { requirement: 'MSG-015', aspect: 'block-form', field: 'messages[0].content[0].text' },
        {
          'a text block without text': { type: 'text' },
          'a text block with text 5': { type: 'text', text: 5 },
          'a text block with text null': { type: 'text', text: null },
        },
        block,
      ),
      ...formCells(
        'refuse',
        { requirement: 'MSG-015', aspect: 'block-form', field: 'messages[0].content[0].type' },
        { 'a block without type': { text: 'a' }, 'a block of type null': { type: null, text: 'a' } },
        block,
      ),
    ],
  },
  {
    name: 'image-block',
    title: 'an image_url block has an object with a string url',
    requirements: ['MSG-016'],
    vision: true,
    cells: [
      ...formCells(
        'accept',
        { requirement: 'MSG-016', aspect: 'block-accepted', field: 'messages' },
        { 'an image block': imageBlock() },
        block,
      ),
      ...formCells(
        'refuse',
        { requirement: 'MSG-016', aspect: 'block-form', field: 'messages[0].content[0].image_url' },
        {
          'an image block without image_url': { type: 'image_url' },
          'image_url as a bare string': { type: 'image_url', image_url: pixelDataUri },
          'image_url null': { type: 'image_url', image_url: null },
        },
        block,
      ),
      ...formCells(
        'refuse',
        { requirement: 'MSG-016', aspect: 'block-form', field: 'messages[0].content[0].image_url.url' },
        {
          'image_url {}': { type: 'image_url', image_url: {} },
          'url 5': { type: 'image_url', image_url: { url: 5 } },
          'url null': { type: 'image_url', image_url: { url: null } },
        },
        block,
      ),
    ],
  },
  {
    name: 'image-url',
    title: 'the url of an image block is an http(s) URL or a base64 data URI, and nothing else',
    requirements: ['MSG-019'],
    vision: true,
    cells: [
      ...formCells(
        'accept',
        { requirement: 'MSG-019', aspect: 'url-accepted', field: 'messages' },
        { 'a PNG as a data URI': pixelDataUri },
        url,
      ),
      ...formCells(
        'refuse',
        { requirement: 'MSG-019', aspect: 'url-scheme', field: 'messages[0].content[0].image_url.url' },
        {
          'an ftp URL': 'ftp://x/y.png',
          'a file URL': 'file:///etc/passwd',
          'a relative reference': 'abc',
          'an empty url': '',
          'a script URL': 'javascript:alert(1)',
        },
        url,
      ),
      ...formCells(
        'refuse',
        { requirement: 'MSG-019', aspect: 'data-uri-form', field: 'messages[0].content[0].image_url.url' },
        {
          'a data URI that is not base64': 'data:image/png,abc',
          'a data URI without mime and data': 'data:;base64,',
          'a data URI of broken base64': 'data:image/png;base64,@@@',
        },
        url,
      ),
    ],
  },
  {
    name: 'mixed-blocks',
    title: 'text and images may stand in one user message in any number and order',
    requirements: ['MSG-010'],
    vision: true,
    cells: [
      { ...mixed, title: 'text, image', members: order('prompt', imageBlock()) },
      { ...mixed, title: 'image, text', members: order(imageBlock(), 'prompt') },
      { ...mixed, title: 'image, image, text', members: order(imageBlock(), imageBlock(), 'prompt') },
      {
        ...mixed,
        title: 'text, image, text, image, text',
        members: order(text('First: '), imageBlock(), text('Second: '), imageBlock(), 'prompt'),
      },
    ],
  },
  {
    name: 'block-type',
    title: 'content blocks have type text or image_url',
    requirements: ['MSG-020'],
    vision: true,
    cells: [
      ...formCells(
        'accept',
        { requirement: 'MSG-020', aspect: 'block-accepted', field: 'messages' },
        { 'a block of type text': text('a'), 'a block of type image_url': imageBlock() },
        block,
      ),
      ...formCells(
        'refuse',
        { requirement: 'MSG-020', aspect: 'block-type', field: 'messages[0].content[0].type' },
        {
          'a block of type zz': { type: 'zz', text: 'a' },
          'a block of type TEXT': { type: 'TEXT', text: 'a' },
          'a block of type 5': { type: 5, text: 'a' },
        },
        block,
      ),
      ...formCells(
        'refuse',
        { requirement: 'MSG-020', aspect: 'block-type', field: 'messages[0].content[0].type' },
        {
          'an input_audio block': { type: 'input_audio', input_audio: { data: 'AAAA', format: 'wav' } },
          'a file block': { type: 'file', file: { file_data: pixelDataUri, filename: 'a.png' } },
          'a video_url block': { type: 'video_url', video_url: { url: 'https://media.example.com/sea.mp4' } },
        },
        block,
      ).map((cell) => ({ ...cell, commonExtra: true as const })),
    ],
  },
];
