import {
  type ChatModel,
  chatCatalogue,
  chatModel,
  surelyAbove,
} from '../../../suites/oracle/chat-catalogue.ts';
import { type Body, objectsIn } from '../../../suites/rewrite/json.ts';
import { editAnswer, editRequest } from '../../../suites/rewrite/mutation.ts';
import { isReading, refusal, says } from '../../../suites/rewrite/refusal-edits.ts';
import { blocksIn, inRequests, messagesIn, refuses, refusesTooLate, textIn } from '../../edits/chat-edits.ts';
import { isImagesPath, isSubmit, modelOf, takenTask } from '../../edits/media-edits.ts';
import { type Claim, front, type Mutant, upstream } from '../../edits/mutant.ts';
import { dropHint, hintedAtUpstream, hintsTurns } from '../../edits/native-edits.ts';

const hints: readonly Mutant[] = [
  upstream(
    ['cat.hint-elsewhere', 'hints reach upstreams of other models', 'CAT-014', 'elsewhere'],
    hintsTurns,
  ),
  upstream(
    ['cat.hint-dropped', 'no cache hint reaches an upstream', 'CAT-014', 'honoured'],
    hintedAtUpstream(dropHint),
  ),
];

/** Gateways whose catalogue is wrong about media or about cache hints. */
export const catMediaMutants: readonly Mutant[] = [
  front(
    ['cat.media.forgotten', 'vector-v3 is not a model', 'CAT-016', 'known-where-served'],
    says(
      (request) => isImagesPath(request) && modelOf(request) === 'vector-v3',
      refusal('model_not_found', 'model'),
    ),
  ),
  front(
    ['cat.media.two-endpoints', 'kontext-pro is accepted as a task too', 'CAT-016', 'own-endpoint-only'],
    says((request) => isSubmit(request) && modelOf(request) === 'kontext-pro', takenTask),
  ),
  front(
    ['cat.media.any-case', 'vidb2 is a model', 'CAT-016', 'near-miss'],
    says((request) => isSubmit(request) && modelOf(request) === 'vidb2', refusal('invalid_param', 'prompt')),
  ),
  front(
    ['cat.media.chat-as-task', 'chat models are accepted as tasks', 'CAT-016', 'chat-at-chat-only'],
    says((request) => isSubmit(request) && modelOf(request) === 'delta-3', takenTask),
  ),
  front(['cat.media.unlisted', 'motion-act-two is not listed', 'EP-010', 'listed'], {
    answer: editAnswer((body, answer, request) => {
      if (!isReading(request) || answer.status !== 200 || !Array.isArray(body.data)) return;
      body.data = body.data.filter((entry: { id?: unknown }) => entry.id !== 'motion-act-two');
    }),
  }),
  ...hints,
];

/** Gateways whose catalogue is wrong about a model, or that ignore its limits. */

const hasImage = (body: Body): boolean => blocksIn(body).some((block) => block.type === 'image_url');
const sees = (body: Body): boolean => chatModel(String(body.model))?.vision === true;

/** Replaces the images that meet a condition by text. */
const dropsImages = (where: (body: Body, message: Body) => boolean) =>
  inRequests((body) => dropImages(body, where));

/** For each model of the catalogue: its window too large and too small, and each of its capabilities wrong. */
export const models: readonly Mutant[] = chatCatalogue.flatMap((model) => {
  const { id, row: requirement } = model;
  const own = (body: Body): boolean => body.model === id;
  const claim = (what: string, title: string, aspect: string) =>
    [`cat.${id}-${what}`, `${id} ${title}`, requirement, aspect] as const;
  return [
    front(
      claim('endless', 'has no end to its window', 'window-ends'),
      inRequests((body) => {
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
    ...(model.cache
      ? [
          front(
            claim('no-cache', 'takes no cache hints', 'cache'),
            refuses(
              (body) => own(body) && textIn(body).includes('"cache_control"'),
              'invalid_param',
              'messages',
            ),
          ),
        ]
      : []),
    model.vision === 'open'
      ? front(
          claim('image-invalid', 'calls an image an invalid field', 'vision'),
          refuses((body) => own(body) && hasImage(body), 'invalid_param', 'messages'),
        )
      : sightOf(model, claim),
  ];
});

const isFlash = (body: Body): boolean => body.model === 'gamma-3-flash';
const isOpen = (body: Body): boolean => chatModel(String(body.model))?.vision === 'open';
const isOne = (body: Body): boolean => isOpen(body) && messagesIn(body).length === 1;

export const capabilities: readonly Mutant[] = [
  front(
    ['cat.streamed-tools-refused', 'gamma-3-flash takes no tools in streams', 'CAT-011', 'tools-accepted'],
    refuses((body) => isFlash(body) && 'tools' in body && body.stream === true, 'unsupported_capability'),
  ),
  front(
    ['cat.five-see', 'gamma-3-flash does not see', 'CAT-012', 'sees'],
    refuses((body) => isFlash(body) && hasImage(body), 'unsupported_capability'),
  ),
  front(
    ['cat.seven-see', 'delta-3 is said to see', 'CAT-012', 'blind'],
    dropsImages((body) => body.model === 'delta-3'),
  ),
  front(
    ['cat.contradicted-invalid', 'beta-small-4-5 calls images invalid', 'CAT-007', 'images-clean'],
    refuses((body) => isOpen(body) && hasImage(body), 'invalid_param', 'messages'),
  ),
  front(
    ['cat.contradicted-drops', 'beta-small-4-5 drops images silently', 'CAT-013', 'never-dropped'],
    dropsImages(isOpen),
  ),
  front(
    ['cat.contradicted-sometimes', 'beta-small-4-5 sees only first turns', 'CAT-007', 'images-consistent'],
    {
      // Another model answers in its place; the answer still names this one.
      request: editRequest((body) => {
        if (isOne(body) && hasImage(body) && body.stream !== true) body.model = 'beta-mid-4-5';
      }),
      answer: editAnswer((body) => {
        if (body.model === 'beta-mid-4-5') body.model = 'beta-small-4-5';
      }),
    },
  ),
];

/** Defects on a model outside the catalogue that lacks all optional capabilities. */
const isPlain = (body: Body): boolean => body.model === 'plain-1';

export const lacking: readonly Mutant[] = [
  front(
    ['cat.plain-tools-dropped', 'tools are dropped where they are lacking', 'CAT-015', 'tools-refused'],
    inRequests((body) => {
      if (!isPlain(body)) return;
      delete body.tools;
      delete body.tool_choice;
    }),
  ),
  front(
    ['cat.plain-images-dropped', 'images are dropped where they are lacking', 'CAT-015', 'vision-refused'],
    dropsImages(isPlain),
  ),
  front(
    [
      'cat.plain-stream-plain',
      'a stream is answered plainly where it is lacking',
      'CAT-015',
      'stream-refused',
    ],
    inRequests((body) => {
      if (isPlain(body)) delete body.stream;
    }),
  ),
];

export const windows: readonly Mutant[] = [
  front(
    ['cat.prompt-cut', 'a prompt above the window is cut', 'CAT-004', 'prompt-above'],
    inRequests((body) => {
      for (const message of messagesIn(body))
        if (String(message.content).length > 1_000) message.content = String(message.content).slice(-1_000);
    }),
  ),
  front(
    ['cat.prompt-bytes', 'a prompt is counted in bytes', 'CAT-004', 'prompt-inside'],
    refuses((body) => textIn(body).length > 128_000, 'context_too_long'),
  ),
];

export const vision: readonly Mutant[] = [
  front(
    [
      'cat.third-block-unseen',
      'only the first two blocks of a message are looked at',
      'CAT-013',
      'image-refused',
    ],
    inRequests((body) => {
      if (sees(body)) return;
      for (const message of messagesIn(body)) {
        if (!Array.isArray(message.content)) continue;
        message.content = objectsIn(message.content).filter(
          ({ type }, index) => index < 2 || type !== 'image_url',
        );
      }
    }),
  ),
  front(
    ['cat.capability-ignored', 'capabilities are not checked', 'CAT-015', 'capability-refused'],
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

/** Wrong vision of a model: it rejects images that it supports, or drops images that it must reject. */
function sightOf(
  { id, vision }: ChatModel,
  claim: (what: string, title: string, aspect: string) => Claim,
): Mutant {
  const own = (body: Body): boolean => body.model === id;
  return vision
    ? front(
        claim('blind', 'sees no images', 'vision'),
        refuses((body) => own(body) && hasImage(body), 'unsupported_capability'),
      )
    : front(claim('blind-to-images', 'drops images silently', 'vision'), dropsImages(own));
}

function dropImages(body: Body, where: (body: Body, message: Body) => boolean): void {
  for (const message of messagesIn(body)) {
    if (Array.isArray(message.content) && where(body, message)) {
      message.content = objectsIn(message.content).filter((block) => block.type !== 'image_url');
    }
  }
}
