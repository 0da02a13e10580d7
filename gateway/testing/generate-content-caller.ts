import type { TestGateway } from './test-gateway.ts';
import { testKey } from './test-gateway.ts';
import { type Answer, parseEvents, read } from './wire.ts';

/** A body with one user turn. */
export const ask = { contents: [{ role: 'user', parts: [{ text: 'hi' }] }] };

/** POST to compat path B with the key in the query; `target` is the path after `models/`. */
export function askGenerate(gateway: TestGateway, target: string, body: unknown = ask): Promise<Answer> {
  const hint = target.includes('?') ? '&' : '?';
  const url = `${gateway.url}/compat-b/v1beta/models/${target}${hint}key=${testKey}`;
  return read(url, { method: 'POST', body });
}

/** The responses of a stream, and their combined content. */
export interface ReadResponses {
  // biome-ignore lint/suspicious/noExplicitAny: tests look at arbitrary members of a response.
  readonly responses: any[];
  readonly parts: unknown[];
  readonly text: string;
}

export function readResponses({ text: wire }: Answer): ReadResponses {
  // Readers of events ignore comments.
  const { chunks: responses } = parseEvents(wire.replaceAll(/^:.*\n/gm, ''));
  const parts = responses.flatMap((response) => response.candidates?.[0].content.parts ?? []);
  const text = parts.map((part) => (part.thought === true ? '' : (part.text ?? ''))).join('');
  return { responses, parts, text };
}
