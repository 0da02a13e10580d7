import { catalogueRows, chatModel, surelyAbove } from '../../oracle/chat-catalogue.ts';
import type { Mutant } from '../mutant.ts';
import {
  type Body,
  blocksIn,
  front,
  messagesIn,
  objectsIn,
  refuses,
  refusesTooLate,
  repairs,
  textIn,
} from './defects.ts';

/** Gateways whose catalogue is wrong about a model, or that are lenient about its limits. */

const hasImage = (body: Body): boolean => blocksIn(body).some((block) => block.type === 'image_url');
const sees = (body: Body): boolean => chatModel(String(body.model))?.vision === true;

/** Replaces images by text where `where` says so. */
const dropsImages = (where: (body: Body, message: Body) => boolean) =>
  repairs((body) => dropImages(body, where));

/** For each model of the catalogue: its window too large and too small, and each of its capabilities wrong. */
const models: readonly Mutant[] = Object.entries(catalogueRows).flatMap(([id, requirement]) => {
  const model = chatModel(id);
  if (model === undefined) return [];
  const own = (body: Body): boolean => body.model === id;
  const claim = (what: string, title: string, aspect: string) =>
    [`cat.${id}-${what}`, `${id} ${title}`, requirement, aspect] as const;
  return [
    front(
      claim('endless', 'has no end to its window', 'window-ends'),
      repairs((body) => {
        if (own(body) && Number(body.max_tokens) >= surelyAbove(model)) delete body.max_tokens;
      }),
    ),
    front(
      claim('half-window', 'has half of its window', 'window-holds'),
      refuses((body) => own(body) && Number(body.max_tokens) > model.contextK * 500, 'context_too_long'),
    ),
    front(
      claim('no-tools', 'takes no tools', 'tools'),
      refuses((body) => own(body) && 'tools' in body, 'unsupported_capability'),
    ),
    front(
      claim('no-stream', 'does not stream', 'stream'),
      refuses((body) => own(body) && body.stream === true, 'unsupported_capability'),
    ),
    model.vision
      ? front(
          claim('blind', 'sees no images', 'vision'),
          refuses((body) => own(body) && hasImage(body), 'unsupported_capability'),
        )
      : front(claim('blind-to-images', 'drops images silently', 'vision'), dropsImages(own)),
  ];
});

const windows: readonly Mutant[] = [
  front(
    ['cat.prompt-cut', 'a prompt above the window is cut', 'CAT-004', 'prompt-above'],
    repairs((body) => {
      for (const message of messagesIn(body))
        if (String(message.content).length > 1_000) message.content = String(message.content).slice(-1_000);
    }),
  ),
  front(
    ['cat.prompt-bytes', 'a prompt is counted in bytes', 'CAT-004', 'prompt-inside'],
    refuses((body) => textIn(body).length > 128_000, 'context_too_long'),
  ),
];

const vision: readonly Mutant[] = [
  front(
    ['cat.history-images-dropped', 'images in earlier turns are dropped', 'CAT-013', 'image-refused'],
    dropsImages((body, message) => !sees(body) && message !== messagesIn(body).at(-1)),
  ),
  front(
    [
      'cat.streamed-images-dropped',
      'images are dropped when the answer is a stream',
      'CAT-013',
      'image-refused',
    ],
    dropsImages((body) => !sees(body) && body.stream === true),
  ),
  front(
    ['cat.linked-images-dropped', 'images by URL are dropped', 'CAT-013', 'image-refused'],
    dropsImages((body) => !sees(body) && textIn(body).includes('"https://')),
  ),
  front(
    [
      'cat.image-is-invalid',
      'an image on a model without Vision is called an invalid field',
      'CAT-013',
      'image-refused',
    ],
    refuses((body) => !sees(body) && hasImage(body), 'invalid_param', 'messages'),
  ),
  front(
    ['cat.capability-ignored', 'capabilities are not looked at', 'CAT-015', 'capability-refused'],
    dropsImages((body) => !sees(body)),
  ),
  front(
    [
      'cat.capability-refused-late',
      'a capability is refused only after an upstream was asked',
      'CAT-015',
      'no-upstream-call',
    ],
    refusesTooLate(
      (body) => !sees(body) && hasImage(body),
      (body) => dropImages(body, () => true),
      'unsupported_capability',
    ),
  ),
];

export const catalogueMutants: readonly Mutant[] = [...models, ...windows, ...vision];

function dropImages(body: Body, where: (body: Body, message: Body) => boolean): void {
  for (const message of messagesIn(body)) {
    if (Array.isArray(message.content) && where(body, message)) {
      message.content = objectsIn(message.content).filter((block) => block.type !== 'image_url');
    }
  }
}
