import { objectIn } from '../../rewrite/json.ts';
import { jsonAnswer, type Mutation, type ProxyRequest } from '../../rewrite/mutation.ts';
import { headerOf } from '../../rewrite/proxy-headers.ts';
import { inErrors, pardons, refusal, says } from '../../rewrite/refusal-edits.ts';
import type { FuzzPart } from '../fuzz-options.ts';
import type { RawFrontOptions } from './raw-front.ts';

/** A gateway with one weakness, and the cause that the fuzzer must report. */
export interface BrokenGateway {
  readonly title: string;
  readonly part: FuzzPart;
  /** Words of the cells that reach the weakness, and a sufficient number of requests. */
  readonly only?: string;
  readonly requests?: number;
  readonly cause: RegExp;
  readonly where: RegExp;
  readonly front: { readonly mutation: Mutation } | RawFrontOptions;
}

const has =
  (pattern: RegExp) =>
  ({ body }: ProxyRequest): boolean =>
    pattern.test(body.toString('latin1'));

const page = {
  status: 415,
  headers: [['content-type', 'text/html']],
  body: Buffer.from('<html><h1>415 Unsupported Media Type</h1></html>'),
} as const;

/** Blocks the process, as unbounded work in a gateway does. */
function burn(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

const pictures = {
  created: Math.floor(Date.now() / 1_000),
  data: [{ url: 'https://media.example.com/sea.png' }],
};

export const brokenGateways: readonly BrokenGateway[] = [
  {
    title: 'fails at a deep body',
    part: 'fields',
    only: 'chat | metadata | ,chat | stop | ',
    cause: /^status 500$/,
    where: /very deep/,
    front: { mutation: says(has(/\[{5000}/), refusal('internal_error')) },
  },
  {
    title: 'shows a stack trace',
    part: 'fields',
    only: 'tasks | duration | ',
    cause: /^ERR-005 no-stack-trace$/,
    where: /duration/,
    front: {
      mutation: inErrors((error) => {
        error.message = `TypeError: duration\n    at parse (/app/src/body.js:10:5)`;
      }),
    },
  },
  {
    title: 'names another field than the wrong one',
    part: 'fields',
    only: 'chat | temperature | ,chat | seed | ',
    cause: /^param names another field$/,
    where: /temperature|seed/,
    front: {
      mutation: inErrors((error) => {
        if (error.param === 'temperature' || error.param === 'seed') error.param = 'messages';
      }),
    },
  },
  {
    title: 'answers a page for another media type',
    part: 'fields',
    only: '(media type)',
    cause: /^ERR-002 error-content-type$/,
    where: /media type/,
    front: {
      mutation: says(
        (request) =>
          request.method === 'POST' && !/^application\/json$/.test(headerOf(request.headers, 'content-type')),
        page,
      ),
    },
  },
  {
    title: 'breaks down at half a pair of surrogates',
    part: 'fields',
    only: 'lone surrogate',
    cause: /^connection closed$/,
    where: /lone surrogate/,
    front: {
      before: (_, body, response) => {
        if (!/\\u[dD][89a-fA-F]/.test(body.toString('latin1'))) return false;
        response.destroy();
        return true;
      },
    },
  },
  {
    title: 'takes a link to a private address',
    part: 'fields',
    only: 'images | image_url | private link,images | reference_image_url | private link',
    cause: /^private link accepted$/,
    where: /private link/,
    front: {
      mutation: says(
        (request) =>
          request.path.startsWith('/api/v1/images') &&
          has(/"(?:reference_)?image_url":"https?:\/\/(?!media)/)(request),
        jsonAnswer(200, pictures),
      ),
    },
  },
  {
    title: 'takes a text for a number',
    part: 'fields',
    only: 'chat | temperature | ',
    cause: /^accepted$/,
    where: /temperature/,
    front: {
      mutation: pardons(
        'invalid_param',
        (request) => typeof objectIn(request.body)?.temperature === 'string',
      ),
    },
  },
  {
    title: 'repeats the key of the caller',
    part: 'fields',
    only: 'chat | user | ',
    cause: /^ERR-005 no-key$/,
    where: /user/,
    front: {
      mutation: inErrors((error, _answer, request) => {
        error.message = `Refused for ${headerOf(request.headers, 'authorization')}.`;
      }),
    },
  },
  {
    title: 'tells the address of its store',
    part: 'fields',
    only: 'messages | max_tokens | ',
    cause: /^shows an internal detail$/,
    where: /max_tokens/,
    front: {
      mutation: inErrors((error) => {
        error.message = 'connect ECONNREFUSED 10.2.3.4:6379';
      }),
    },
  },
  {
    title: 'sends elsewhere for another spelling of its paths',
    part: 'fields',
    only: '(path)',
    cause: /^redirect$/,
    where: /slash/,
    front: {
      mutation: says((request) => /\/$|\/\//.test(request.path.split('?')[0] ?? ''), {
        status: 308,
        headers: [['location', '/']],
        body: Buffer.alloc(0),
      }),
    },
  },
  {
    title: 'is silent about broken HTTP',
    part: 'raw',
    only: 'chunk size of 20,a negative chunk',
    cause: /^neither answered nor closed$/,
    where: /chunk/,
    front: { onBroken: () => undefined },
  },
  {
    title: 'fails at broken HTTP',
    part: 'raw',
    only: 'host,blank',
    cause: /^status 500$/,
    where: /header|host/,
    front: {
      onBroken: (socket) =>
        socket.end('HTTP/1.1 500 Internal Server Error\r\ncontent-length: 0\r\nconnection: close\r\n\r\n'),
    },
  },
  {
    title: 'takes a request out of a body',
    part: 'raw',
    only: 'length',
    cause: /^more answers than requests$/,
    where: /length and chunks|hides/,
    front: {
      onBroken: (socket) => {
        const answer = 'HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n';
        socket.end(answer + answer);
      },
    },
  },
  {
    title: 'keeps everybody waiting for a body of many members',
    part: 'costs',
    cause: /^others wait$/,
    where: /KiB/,
    front: {
      before: (_, body) => {
        if (body.length > 30_000) burn(500);
        return false;
      },
    },
  },
];
