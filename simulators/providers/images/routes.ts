import { seededHex } from '../../random.ts';
import { hasBearerKey } from '../api-key.ts';
import {
  bodyTooLarge,
  errorOfStatus,
  missingKey,
  type NativeError,
  renderError,
  unknownPath,
  wrongMethod,
} from '../chat-completions/errors.ts';
import {
  type Dialect,
  type DialectContext,
  type ModelCall,
  type NativeRequest,
  type Opened,
  plainAnswer,
  type RequestOrigin,
} from '../dialect.ts';
import { identityOf } from '../identity.ts';
import { renderPictures } from './reply.ts';
import { parseRequest } from './request.ts';

const generationsPath = '/v1/images/generations';

/** The images dialect: bearer key, JSON in; one answer with images as links or base64. */
export const images: Dialect = { name: 'images', serves: ({ path }) => path.startsWith('/v1/images/'), open };

function open(origin: RequestOrigin, native: NativeRequest, { seed }: DialectContext): Opened {
  const identity = identityOf(origin, native.channel, seed);
  const { tenant, n, channel } = identity;
  const headers = {
    'x-request-id': `imgreq_${seededHex(24, seed, tenant, channel, n)}`,
    'x-upstream': 'pictures',
  };
  const misdirected = refuseAddress(native);
  if (misdirected !== null) return { is: 'settled', headers, answer: renderError(misdirected) };
  const answer: ModelCall['answer'] = (reply, pace, appliedFault) => {
    if (!hasBearerKey(native)) return { ok: false, refusal: renderError(missingKey()) };
    const parsed = parseRequest(native.body);
    if (!parsed.ok) return { ok: false, refusal: renderError(parsed.error) };
    const host = native.headers.get('host') ?? '';
    const document = renderPictures(parsed.request, reply.job ?? {}, {
      tenant: origin.tenant,
      host,
      identity,
      appliedFault,
    });
    return plainAnswer(Buffer.from(JSON.stringify(document)), 'application/json', pace);
  };
  return {
    is: 'call',
    call: 'plain',
    headers,
    ownError: (status) => renderError(errorOfStatus(status)),
    answer,
  };
}

function refuseAddress({ method, path, isTooLarge }: NativeRequest): NativeError | null {
  if (path !== generationsPath) return unknownPath(method, path);
  if (method !== 'POST') return wrongMethod(method, path);
  return isTooLarge ? bodyTooLarge() : null;
}
