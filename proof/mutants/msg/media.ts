import { chatModel } from '../../../suites/oracle/chat-catalogue.ts';
import { type Body, objectIn, objectsIn } from '../../../suites/rewrite/json.ts';
import { refusal } from '../../../suites/rewrite/refusal-edits.ts';
import { blocksIn, inRequests, refuses } from '../../edits/chat-edits.ts';
import type { Mutant } from '../../edits/mutant.ts';
import { front, upstream } from '../../edits/mutant.ts';
import { mediaAtUpstream, toDialect } from '../../edits/native-edits.ts';

/** Gateways that are wrong about which media they accept and what reaches the upstream. */

type Kind = 'image' | 'video' | 'audio' | 'pdf';

const prefixes: Readonly<Record<Kind, string>> = {
  image: 'image/',
  video: 'video/',
  audio: 'audio/',
  pdf: 'application/pdf',
};

const addressesIn = (body: Body): string[] =>
  blocksIn(body).flatMap((block) => {
    const { url } = (block.image_url ?? {}) as Body;
    return typeof url === 'string' ? [url] : [];
  });
const holds = (body: Body, beginning: string): boolean =>
  addressesIn(body).some((address) => address.startsWith(beginning));
const isOther = (address: string): boolean => /^data:(?!image\/)/.test(address);
const mediaOn = (model: unknown): unknown => chatModel(String(model))?.media;

export const pictures: readonly Mutant[] = ['png', 'jpeg', 'webp'].map((format) =>
  front(
    [`msg.${format}-refused`, `${format.toUpperCase()} images are refused`, 'MSG-018', `${format}-accepted`],
    refuses((body) => holds(body, `data:image/${format};`), 'invalid_param', 'messages'),
  ),
);

export const forms: readonly Mutant[] = (['video', 'audio', 'pdf'] as const).map((kind) =>
  front(
    [`msg.${kind}-no-form`, `a data URI of ${kind} is no legal URL`, 'MSG-021', `${kind}-passes`],
    refuses((body) => holds(body, `data:${prefixes[kind]}`), 'invalid_param', 'messages'),
  ),
);

const kinds: readonly Kind[] = ['image', 'video', 'audio', 'pdf'];
const families = [
  ['gamma', 'MSG-022'],
  ['beta', 'MSG-023'],
] as const;

/** Media models that reject one kind, as bytes or as a link. */
export const refused: readonly Mutant[] = families.flatMap(([family, requirement]) =>
  kinds.flatMap((kind) => [
    front(
      [
        `msg.${family}-no-${kind}`,
        `${kind} is refused on ${family}-* models`,
        requirement,
        `${kind}-accepted`,
      ],
      refuses(
        (body) => String(body.model).startsWith(family) && holds(body, `data:${prefixes[kind]}`),
        'unsupported_capability',
      ),
    ),
    front(
      [
        `msg.${family}-no-linked-${kind}`,
        `${kind} by link is refused on ${family}-* models`,
        requirement,
        `linked-${kind}-accepted`,
      ],
      refuses(
        (body) => String(body.model).startsWith(family) && addressesIn(body).some(isLinkTo(kind)),
        'unsupported_capability',
      ),
    ),
  ]),
);

export const changed: readonly Mutant[] = families.flatMap(([family, requirement]) => [
  upstream(
    [
      `msg.${family}-media-renamed`,
      `what is no image is called one at ${family} upstreams`,
      requirement,
      'media-intact',
    ],
    mediaAtUpstream((medium) => {
      if (medium.base64 !== '') medium.mime = 'image/png';
    }),
  ),
  upstream(
    [`msg.${family}-link-rewritten`, 'the host of a link is another one', requirement, 'link-intact'],
    mediaAtUpstream((medium) => {
      medium.url = medium.url.replace('media.example.com', 'cache.example.com');
    }),
  ),
]);

export const elsewhere: readonly Mutant[] = [
  front(
    [
      'msg.contradicted-media-invalid',
      'media on beta-small-4-5 are called an invalid field',
      'MSG-023',
      'contradicted-clean',
    ],
    refuses((body) => mediaOn(body.model) === 'open' && addressesIn(body).some(isOther)),
  ),
  front(
    [
      'msg.media-dropped-elsewhere',
      'models that do not take other media get the text alone',
      'MSG-024',
      'media-refused',
    ],
    inRequests((body) => {
      if (mediaOn(body.model) !== false || !addressesIn(body).some(isOther)) return;
      for (const block of blocksIn(body)) {
        if (block.type !== 'image_url') continue;
        delete block.image_url;
        Object.assign(block, { type: 'text', text: '.' });
      }
    }),
  ),
];

export const bytes: readonly Mutant[] = [
  front(
    ['msg.large-media-refused', 'a medium above one megabyte is refused', 'MSG-025', 'bytes-accepted'],
    refuses((body) => addressesIn(body).some((address) => address.length > 1_000_000)),
  ),
  front(
    [
      'msg.upper-case-type-unknown',
      'a media type in capitals is taken for one that the model lacks',
      'MSG-025',
      'type-without-case',
    ],
    refuses(
      (body) => addressesIn(body).some((address) => /^data:[A-Z]/.test(address)),
      'unsupported_capability',
    ),
  ),
  front(
    ['msg.plus-type-refused', 'a type with a plus sign is no data URI', 'MSG-025', 'rare-type-asked'],
    refuses((body) => addressesIn(body).some((address) => /^data:[^;]*\+/.test(address))),
  ),
  front(
    ['msg.plus-type-breaks', 'a type with a plus sign breaks the gateway', 'MSG-025', 'rare-type-clean'],
    refuses((body) => addressesIn(body).some((address) => /^data:[^;]*\+/.test(address)), 'internal_error'),
  ),
  upstream(
    ['msg.large-media-cut', 'a medium is cut after one megabyte', 'MSG-025', 'bytes-intact'],
    mediaAtUpstream((medium) => {
      medium.base64 = medium.base64.slice(0, 1_000_000);
    }),
  ),
];

/** Whether a part of a generate-content request is a video. */
const isFilm = (part: Body): boolean =>
  String((part.inlineData as Body | undefined)?.mimeType).startsWith('video/');

export const places: readonly Mutant[] = [
  upstream(
    ['msg.gamma-streamed-film-lost', 'streams of gamma models lose videos', 'MSG-022', 'media-in-place'],
    toDialect(/:streamGenerateContent/, (body) => {
      for (const content of objectsIn(body.contents))
        content.parts = objectsIn(content.parts).filter((part) => !isFilm(part));
    }),
  ),
  upstream(
    ['msg.beta-earlier-media-lost', 'of earlier turns only the texts are kept', 'MSG-023', 'media-in-place'],
    toDialect(/\/messages$/, (body) => {
      for (const message of objectsIn(body.messages).slice(0, -1))
        message.content = objectsIn(message.content).filter((block) => block.source === undefined);
    }),
  ),
  ...families.map(([family, requirement]) =>
    front(
      [
        `msg.${family}-one-kind`,
        `media of several kinds are refused on ${family}-* models`,
        requirement,
        'several-accepted',
      ],
      refuses(
        (body) => String(body.model).startsWith(family) && new Set(addressesIn(body)).size > 3,
        'invalid_param',
        'messages',
      ),
    ),
  ),
];

export const links: readonly Mutant[] = [
  ...['http', 'https'].map((scheme) =>
    front(
      [
        `msg.${scheme}-links-refused`,
        `images by ${scheme} are refused`,
        'MSG-017',
        `${scheme}-link-accepted`,
      ],
      refuses((body) => holds(body, `${scheme}://`), 'invalid_param', 'messages'),
    ),
  ),
  front(
    ['msg.dead-link-breaks', 'a link that leads nowhere breaks the gateway', 'MSG-017', 'unusable-clean'],
    refuses((body) => holds(body, 'https://no-such-host'), 'internal_error'),
  ),
  front(
    ['msg.odd-type-breaks', 'an unknown image type breaks the gateway', 'MSG-018', 'unusable-clean'],
    refuses((body) => holds(body, 'data:image/zz'), 'internal_error'),
  ),
  front(
    [
      'msg.refused-medium-breaks',
      'an upstream that refuses a medium breaks the gateway',
      'MSG-018',
      'refused-upstream',
    ],
    {
      answer: (answer, request) =>
        answer.status >= 400 && holds(objectIn(request.body) ?? {}, 'data:image/png')
          ? refusal('internal_error')
          : answer,
    },
  ),
  upstream(
    ['msg.link-fetched', 'the gateway fetches an image and sends its bytes', 'MSG-010', 'images-in-order'],
    // Only in chat-completions do a URL and a data URI use the same member.
    mediaAtUpstream((medium) => {
      if (medium.url.startsWith('http')) medium.url = 'data:image/png;base64,AAAA';
    }),
  ),
];

function isLinkTo(kind: Kind): (address: string) => boolean {
  const endings = { image: /png|jpg|webp/, video: /mp4/, audio: /mp3|wav/, pdf: /pdf/ };
  return (address) => address.startsWith('http') && endings[kind].test(address.slice(-4));
}
