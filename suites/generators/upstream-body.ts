import type { Reply } from 'gatecheck-simulators/client';
import type { Dialect } from '../profile/dialects.ts';
import { native } from './native-answer.ts';

/** A failure of an upstream: its dialect and its status. */
export interface FailingUpstream {
  readonly dialect: Dialect;
  readonly status: number;
}

/** Possible bodies of a failure. Each contains the text that no caller may see. */
export const bodyForms = {
  'native error': (canary: string, { dialect, status }: FailingUpstream): Partial<Reply> => ({
    body: native(dialect).errorBody(status, canary),
  }),
  'native error in a list': (canary: string, { dialect, status }: FailingUpstream): Partial<Reply> => ({
    body: [native(dialect).errorBody(status, canary)],
  }),
  'our own error shape': (canary: string): Partial<Reply> => ({
    body: {
      error: { type: 'auth_error', code: 'sk_disabled', message: canary, channel: canary, param: canary },
    },
  }),
  html: (canary: string): Partial<Reply> => ({
    headers: { 'content-type': 'text/html' },
    body: `<html><body><h1>${canary}</h1></body></html>`,
  }),
  text: (canary: string): Partial<Reply> => ({
    headers: { 'content-type': 'text/plain' },
    body: `Traceback (most recent call last):\n  File "${canary}.py", line 3`,
  }),
  'broken JSON': (canary: string): Partial<Reply> => ({
    headers: { 'content-type': 'application/json' },
    body: `{"error":{"message":"${canary}"`,
  }),
  'nested JSON': (canary: string): Partial<Reply> => ({
    body: { detail: [{ loc: ['body', canary], msg: canary }], [canary]: canary },
  }),
  empty: (): Partial<Reply> => ({ body: '' }),
} as const;

export type BodyForm = keyof typeof bodyForms;
export const bodyFormNames = Object.keys(bodyForms) as BodyForm[];

/** Headers that reveal the upstream. */
function tellingHeaders(canary: string): Record<string, string> {
  return {
    'x-request-id': canary,
    'request-id': canary,
    'x-upstream-error': canary,
    'openai-organization': canary,
    'anthropic-organization-id': canary,
    'x-goog-api-client': canary,
    server: canary,
    via: `1.1 ${canary}`,
    'set-cookie': `session=${canary}`,
    'www-authenticate': `Bearer realm="${canary}"`,
    location: `http://${canary}.example/`,
  };
}

/** A failure whose headers and body all contain the text that no caller may see. */
export function tellingReply(form: BodyForm, canary: string, upstream: FailingUpstream): Reply {
  const { headers = {}, ...reply } = bodyForms[form](canary, upstream);
  return { status: upstream.status, ...reply, headers: { ...tellingHeaders(canary), ...headers } };
}
