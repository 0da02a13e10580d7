import { type Body, objectsIn } from '../../../suites/rewrite/json.ts';
import { blocksIn, inRequests, messagesIn, refuses } from '../../edits/chat-edits.ts';
import type { Mutant } from '../../edits/mutant.ts';
import { front, upstream } from '../../edits/mutant.ts';

/** Gateways that are wrong about content blocks, or lose parts of a message. */

/** Refuses requests with a message of a role, or a block, that meets a condition. */
const refusesMessage = (role: string, when: (message: Body) => boolean) =>
  refuses(
    (body) => messagesIn(body).some((message) => message.role === role && when(message)),
    'invalid_param',
    'messages',
  );
const refusesBlock = (when: (block: Body) => boolean) =>
  refuses((body) => blocksIn(body).some(when), 'invalid_param', 'messages');

export const blocks: readonly Mutant[] = [
  front(
    ['msg.text-block-refused', 'a text block of one letter is refused', 'MSG-015', 'block-accepted'],
    refusesBlock((block) => block.text === 'a'),
  ),
  front(
    ['msg.text-block-any', 'a text block without text is an empty one', 'MSG-015', 'block-form'],
    inRequests((body) => {
      for (const block of blocksIn(body))
        if (block.type !== 'image_url') Object.assign(block, { type: 'text', text: '.' });
    }),
  ),
  front(
    ['msg.image-block-refused', 'image blocks are refused', 'MSG-016', 'block-accepted'],
    refusesBlock((block) => block.type === 'image_url'),
  ),
  front(
    ['msg.image-block-any', 'an image block of another form is left out', 'MSG-016', 'block-form'],
    inRequests((body) => {
      for (const block of blocksIn(body))
        if (block.type === 'image_url' && urlOf(block) === null) mute(block);
    }),
  ),
  front(
    ['msg.data-uri-refused', 'images as data URIs are refused', 'MSG-019', 'url-accepted'],
    refusesBlock((block) => urlOf(block)?.startsWith('data:image/png;base64,iV') === true),
  ),
  front(
    ['msg.any-scheme', 'an image URL of any scheme is accepted', 'MSG-019', 'url-scheme'],
    inRequests((body) => {
      for (const block of blocksIn(body)) if (/^(?!data:|https?:)/.test(urlOf(block) ?? 'data:')) mute(block);
    }),
  ),
  front(
    ['msg.any-data-uri', 'data URIs are not parsed', 'MSG-019', 'data-uri-form'],
    inRequests((body) => {
      for (const block of blocksIn(body)) if (urlOf(block)?.startsWith('data:')) mute(block);
    }),
  ),
  front(
    ['msg.two-images-refused', 'a second image is refused', 'MSG-010', 'mixed-accepted'],
    refuses(
      (body) => blocksIn(body).filter((block) => urlOf(block) !== null).length > 1,
      'invalid_param',
      'messages',
    ),
  ),
  front(
    ['msg.block-type-refused', 'a first block of type text is refused', 'MSG-020', 'block-accepted'],
    refuses(
      (body) => messagesIn(body).some((message) => objectsIn(message.content)[0]?.text === 'a'),
      'invalid_param',
      'messages',
    ),
  ),
  front(
    ['msg.any-block-type', 'a block of an unknown type is left out', 'MSG-020', 'block-type'],
    inRequests((body) => {
      for (const block of blocksIn(body))
        if (block.type !== 'text' && block.type !== 'image_url') mute(block);
    }),
  ),
];

export const forwarding: readonly Mutant[] = [
  front(
    ['msg.unicode-refused', 'the text of a prompt has to be printable', 'MSG-007', 'text-accepted'],
    refusesMessage('user', (message) => /\n/.test(String(message.content))),
  ),
  upstream(
    ['msg.text-trimmed', 'space at the ends of a text is lost', 'MSG-007', 'text-exact'],
    inRequests((body) => {
      for (const message of messagesIn(body))
        if (typeof message.content === 'string') message.content = message.content.trim();
    }),
  ),
  upstream(
    ['msg.blocks-newest-first', 'text blocks are passed on in the wrong order', 'MSG-032', 'blocks-in-order'],
    inRequests((body) => {
      for (const message of messagesIn(body)) if (Array.isArray(message.content)) message.content.reverse();
    }),
  ),
  front(
    ['msg.http-refused', 'images by http are refused', 'MSG-017', 'images-accepted'],
    refusesBlock((block) => urlOf(block)?.startsWith('http') === true),
  ),
  front(
    [
      'msg.data-images-refused',
      'images as data URIs are refused as a capability',
      'MSG-018',
      'images-accepted',
    ],
    refusesBlock((block) => urlOf(block)?.startsWith('data:') === true),
  ),
  front(
    ['msg.three-images-refused', 'a third image is refused', 'MSG-010', 'images-accepted'],
    refuses(
      (body) => blocksIn(body).filter((block) => urlOf(block) !== null).length > 2,
      'invalid_param',
      'messages',
    ),
  ),
];

function urlOf(block: Body): string | null {
  const image = block.image_url;
  const url = image !== null && typeof image === 'object' ? (image as Body).url : null;
  return typeof url === 'string' ? url : null;
}

/** Replaces a block by harmless text. */
function mute(block: Body): void {
  delete block.image_url;
  Object.assign(block, { type: 'text', text: '.' });
  for (const name of Object.keys(block)) if (name !== 'type' && name !== 'text') delete block[name];
}
