import { type Body, objectsIn } from '../../../suites/rewrite/json.ts';
import { blocksIn, inRequests, messagesIn, refuses } from '../../edits/chat-edits.ts';
import type { Mutant } from '../../edits/mutant.ts';
import { front, source, upstream } from '../../edits/mutant.ts';
import { nativeBlocks, nativeParts, toUpstream } from '../../edits/native-edits.ts';

/** Moves the system text of a messages request into its first turn. */
function intoPrompt(body: Body): void {
  const [first] = objectsIn(body.messages);
  const system =
    typeof body.system === 'string' ? [{ type: 'text', text: body.system }] : objectsIn(body.system);
  if (first === undefined || system.length === 0) return;
  const said =
    typeof first.content === 'string' ? [{ type: 'text', text: first.content }] : objectsIn(first.content);
  first.content = [...system, ...said];
}

const requestsWritten: readonly Mutant[] = [
  upstream(
    [
      'msg.messages-system-in-prompt',
      'the system text stands before the prompt in a messages request',
      'MSG-006',
      'system-delivered',
    ],
    toUpstream('messages', (body) => {
      intoPrompt(body);
      delete body.system;
    }),
  ),
  upstream(
    [
      'msg.messages-system-twice',
      'the system text stands before the prompt too in a messages request',
      'MSG-006',
      'system-alone',
    ],
    toUpstream('messages', intoPrompt),
  ),
  upstream(
    [
      'msg.generate-system-trimmed',
      'the system text is trimmed in a generate-content request',
      'MSG-006',
      'system-delivered',
    ],
    toUpstream('generate-content', (body) => {
      const { parts } = (body.systemInstruction ?? {}) as Body;
      for (const part of objectsIn(parts)) part.text = String(part.text).trim();
    }),
  ),
  front(
    ['msg.system-with-tools-refused', 'system text beside tools is refused', 'MSG-006', 'system-accepted'],
    refuses((body) => 'tools' in body && messagesIn(body)[0]?.role === 'system', 'invalid_param', 'messages'),
  ),
];
const oneRole: readonly Mutant[] = [
  front(
    [
      'msg.empty-text-refused',
      'an assistant turn with calls and an empty text is refused',
      'MSG-012',
      'text-beside-calls',
    ],
    refuses((body) => messagesIn(body).some((turn) => turn.role === 'assistant' && turn.content === '')),
  ),
  upstream(
    [
      'msg.image-url-reprinted',
      'the query of an image URL is parsed and printed again',
      'MSG-010',
      'images-in-order',
    ],
    inRequests((body) => {
      for (const { image_url: image } of blocksIn(body) as { image_url?: { url: string } }[]) {
        if (!image?.url.includes('?')) continue;
        const [path, query] = image.url.split('?', 2);
        image.url = `${path}?${new URLSearchParams(query)}`;
      }
    }),
  ),
];

/** Gateways that lose a part of a message when they translate it. */
export const msgNativeMutants: readonly Mutant[] = [
  upstream(
    [
      'msg.generate-link-called-jpeg',
      'whatever an address leads to is called JPEG in a generate-content request',
      'MSG-022',
      'link-intact',
    ],
    toUpstream('generate-content', (body) => {
      for (const { fileData } of nativeParts(body, 'fileData')) (fileData as Body).mimeType = 'image/jpeg';
    }),
  ),
  upstream(
    [
      'msg.messages-link-with-query-is-image',
      'an address with a query leads to an image in a messages request, whatever its path ends in',
      'MSG-023',
      'link-intact',
    ],
    toUpstream('messages', (body) => {
      for (const type of ['document', 'video', 'audio'])
        for (const block of nativeBlocks(body, type))
          if (String((block.source as Body).url).includes('?')) block.type = 'image';
    }),
  ),
  source(
    [
      'msg.first-dot-is-ending',
      'the kind of a link follows from the first dot of its path',
      'MSG-023',
      'dotted-link-intact',
    ],
    'requests/media-url.ts',
    '{2,4})$/i.exec(',
    '{2,4})/i.exec(',
  ),
  ...requestsWritten,
  ...oneRole,
];
