import type { TestGateway } from './test-gateway.ts';
import { testKey } from './test-gateway.ts';
import { type Answer, parseEvents, read } from './wire.ts';

/** The body of a user's one turn. */
export const ask = { contents: [{ role: 'user', parts: [{ text: 'hi' }] }] };

/** POST to compat path B with the key in the query; `target` is what stands behind `models/`. */
export function askGenerate(gateway: TestGateway, target: string, body: unknown = ask): Promise<Answer> {
  const hint = target.includes('?') ? '&' : '?';
  const url = `${gateway.url}/compat-b/v1beta/models/${target}${hint}key=${testKey}`;
  return read(url, { method: 'POST', body });
}

/** The responses of a stream, and what they come to. */
export interface ReadResponses {
  // biome-ignore lint/suspicious/noExplicitAny: tests look at arbitrary members of a response.
  readonly responses: any[];
  readonly parts: unknown[];
  readonly text: string;
}

export function readResponses({ text: wire }: Answer): ReadResponses {
  // Comments are nothing to readers of events.
  const { chunks: responses } = parseEvents(wire.replaceAll(/^:.*\n/gm, ''));
  const parts = responses.flatMap((response) => response.candidates?.[0].content.parts ?? []);
  const text = parts.map((part) => (part.thought === true ? '' : (part.text ?? ''))).join('');
  return { responses, parts, text };
}
