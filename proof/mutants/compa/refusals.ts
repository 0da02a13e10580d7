import { type Body, objectsIn } from '../../../suites/rewrite/json.ts';
import type { ProxyRequest } from '../../../suites/rewrite/mutation.ts';
import { refusal } from '../../../suites/rewrite/refusal-edits.ts';
import { refusesTooLate } from '../../edits/chat-edits.ts';
import {
  errorIn,
  frontA,
  miscalledA,
  refusalsA,
  refusesA,
  takesA,
  turnsOf,
} from '../../edits/compat-a-edits.ts';
import { type Mutant, source } from '../../edits/mutant.ts';
import { nativeBlocks } from '../../edits/native-edits.ts';

/** Gateways that accept bodies that compat path A rejects, or report the wrong error. */

const error = 'COMPA-011';

export const bodies: readonly Mutant[] = [
  takesA('max-tokens-coerced', 'max_tokens may be a string', 'COMPA-002', (body) => {
    if (typeof body.max_tokens === 'string') body.max_tokens = Number(body.max_tokens);
  }),
  takesA('any-role', 'a turn of any role is the user’s', 'COMPA-003', (body) => {
    for (const turn of turnsOf(body))
      if (!['user', 'assistant', 'system'].includes(String(turn.role))) turn.role = 'user';
  }),
  frontA(
    ['compa.param-null', 'what is wrong with a body is not reported by name', 'COMPA-002', 'param'],
    refusalsA((body) => {
      errorIn(body).param = null;
      return undefined;
    }),
  ),
  frontA(
    ['compa.content-not-named', 'what is wrong with messages is not reported by name', 'COMPA-003', 'param'],
    refusalsA((body) => {
      if (String(errorIn(body).param).startsWith('messages')) errorIn(body).param = null;
      return undefined;
    }),
  ),
  frontA(
    ['compa.version-not-named', 'a version that is refused is not named', 'COMPA-009', 'param'],
    refusalsA((body) => {
      if (errorIn(body).param === 'compat-a-version') errorIn(body).param = null;
      return undefined;
    }),
  ),
];

export const shapes: readonly Mutant[] = [
  frontA(
    ['compa.native-error', 'errors are the native ones alone', error, 'error-shape'],
    refusalsA((body) => {
      body.error = { type: errorIn(body).type, message: errorIn(body).message };
      return undefined;
    }),
  ),
  frontA(
    ['compa.error-200', 'errors come with 200', error, 'error-status'],
    refusalsA(() => 200),
  ),
  frontA(
    ['compa.error-400', 'every error comes with 400', error, 'triple'],
    refusalsA(() => 400),
  ),
  frontA(
    ['compa.error-is-message', 'the top-level type of an error is message', error, 'native-type'],
    refusalsA((body) => {
      body.type = 'message';
      return undefined;
    }),
  ),
  frontA(['compa.error-html', 'errors are HTML', error, 'error-content-type'], {
    answer: (answer) =>
      answer.status < 400
        ? answer
        : { ...answer, headers: [['content-type', 'text/html']], body: Buffer.from('<h1>Error</h1>') },
  }),
  frontA(
    ['compa.broken-body', 'a body that is not JSON counts as an internal failure', error, 'broken-body'],
    {
      request: (request) => (isObject(request) ? request : refusal('internal_error')),
    },
  ),
  frontA(
    ['compa.not-found-is-param', 'an unknown model is an invalid parameter', error, 'normalised'],
    miscalledA('model_not_found', 'invalid_param'),
  ),
  frontA(
    [
      'compa.refused-late',
      'a body without turns is refused after the upstream was asked',
      error,
      'no-upstream-call',
    ],
    refusesTooLate(
      ({ model }) => model === 'no-such-model-7',
      (body) => {
        body.model = 'beta-mid-4-5';
      },
      'model_not_found',
    ),
  ),
];

function isObject({ body }: ProxyRequest): boolean {
  try {
    const value: unknown = JSON.parse(body.toString('utf8'));
    return value !== null && typeof value === 'object';
  } catch {
    return false;
  }
}

export const limits: readonly Mutant[] = [
  takesA(
    'images-stripped',
    'images are dropped for a model that does not see',
    'COMPA-013',
    (body) => {
      if (body.model !== 'beta-small-4-5') return;
      for (const turn of turnsOf(body))
        if (Array.isArray(turn.content))
          turn.content = objectsIn(turn.content).filter(({ type }) => type !== 'image');
    },
    'image-refused',
  ),
  frontA(
    ['compa.images-refused', 'native images are refused on every model', 'COMPA-013', 'image-accepted'],
    refusesA((body) => nativeBlocks(body, 'image').length > 0, 'unsupported_capability'),
  ),
  takesA(
    'sum-unseen',
    'a prompt and max_tokens are judged each for itself',
    'COMPA-014',
    (body) => {
      if (JSON.stringify(body.messages).length > 100_000) body.max_tokens = 16;
    },
    'sum-refused',
  ),
  takesA(
    'one-token-more',
    'one token beyond the window is let through',
    'COMPA-014',
    (body) => {
      if (typeof body.system === 'string' && body.system.length > 100_000)
        body.max_tokens = Math.max(1, Number(body.max_tokens) - 1);
    },
    'above-refused',
  ),
];

/** Rewrites the link of an image block. */
function relink(block: Body, edit: (url: string) => string): void {
  const source = (block.source ?? {}) as Body;
  if (source.type === 'url') source.url = edit(String(source.url));
}

const harmless = 'https://media.example.com/sea.png';

export const links: readonly Mutant[] = [
  source(
    ['compa.links-of-users', 'only links in turns of the user are looked at', 'COMPA-022', 'private-kept'],
    'requests/check-links.ts',
    '  const links = native?.links ?? fields.messages.flatMap(linksOf);',
    '  const links = fields.messages.flatMap(linksOf);',
  ),
  takesA(
    'tabs-dropped',
    'a link is read without its tabs and line breaks, and for its host as written',
    'COMPA-022',
    (body) => {
      for (const block of nativeBlocks(body, 'image'))
        relink(block, (url) => (/[\t\r\n]/.test(url) ? harmless : url));
    },
    'private-refused',
  ),
  frontA(
    [
      'compa.digits-refused',
      'a link to a host with digits counts as private',
      'COMPA-022',
      'public-accepted',
    ],
    refusesA((body) => /"url":"https:..[^"/]*\d/.test(JSON.stringify(body.messages ?? ''))),
  ),
];

/** Gateways that check streams of compat path A less. */
export const unchecked: readonly Mutant[] = (
  [
    ['fields', 'COMPA-002', '!=='],
    ['content', 'COMPA-003', '==='],
  ] as const
).map(([what, requirement, is]) =>
  source(
    [
      `compa.streamed-${what}-unchecked`,
      `streams with wrong ${what} get as far as an upstream`,
      requirement,
      'refused-streamed',
    ],
    'requests/compat/messages/parse.ts',
    'if (!parsed.success) throw firstIssue(parsed.error, value);',
    `if (!parsed.success)
    throw value.stream === true && parsed.error.issues[0]?.path[0] ${is} 'messages'
      ? new GatewayError('upstream_error')
      : firstIssue(parsed.error, value);`,
  ),
);
