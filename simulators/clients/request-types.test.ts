import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { openai6At, openaiAt } from './testing/chat-completions-rig.ts';
import { genai3At, genaiAt } from './testing/generate-content-rig.ts';
import { anthropic1At, anthropicAt } from './testing/messages-rig.ts';
import { readNatively } from './testing/native-reader.ts';
import { RequestTypes, type RootName } from './testing/request-types.ts';
import { walkRequest } from './testing/request-walk.ts';
import {
  betaMessagesManner,
  completionsManner,
  generateManner,
  messagesManner,
  openManner,
  type RequestManner,
} from './testing/whole-requests.ts';

const origin = 'http://upstream.invalid';
const openai = openaiAt(origin).withOptions({ fetch: readNatively });
const anthropic = anthropicAt(origin).withOptions({ fetch: readNatively });
const genai = genaiAt(origin);
const openai6 = openai6At(origin).withOptions({ fetch: readNatively });
const anthropic1 = anthropic1At(origin).withOptions({ fetch: readNatively });
const genai3 = genai3At(origin);

interface Root {
  readonly name: RootName;
  readonly manner: RequestManner;
  send(body: never): PromiseLike<unknown>;
}

const roots: readonly Root[] = [
  { name: 'Completions', manner: completionsManner, send: (body) => openai.chat.completions.create(body) },
  { name: 'Responses', manner: openManner, send: (body) => openai.responses.create(body) },
  { name: 'Embeddings', manner: openManner, send: (body) => openai.embeddings.create(body) },
  { name: 'Messages', manner: messagesManner, send: (body) => anthropic.messages.create(body) },
  { name: 'CountedMessages', manner: messagesManner, send: (body) => anthropic.messages.countTokens(body) },
  { name: 'BetaMessages', manner: betaMessagesManner, send: (body) => anthropic.beta.messages.create(body) },
  {
    name: 'BetaCountedMessages',
    manner: betaMessagesManner,
    send: (body) => anthropic.beta.messages.countTokens(body),
  },
  { name: 'Generate', manner: generateManner, send: (body) => genai.models.generateContent(body) },
  { name: 'Count', manner: generateManner, send: (body) => genai.models.countTokens(body) },
  {
    name: 'PreviousCompletions',
    manner: completionsManner,
    send: (body) => openai6.chat.completions.create(body),
  },
  { name: 'CurrentMessages', manner: messagesManner, send: (body) => anthropic1.messages.create(body) },
  {
    name: 'CurrentCountedMessages',
    manner: messagesManner,
    send: (body) => anthropic1.messages.countTokens(body),
  },
  {
    name: 'CurrentBetaMessages',
    manner: betaMessagesManner,
    send: (body) => anthropic1.beta.messages.create(body),
  },
  {
    name: 'CurrentBetaCountedMessages',
    manner: betaMessagesManner,
    send: (body) => anthropic1.beta.messages.countTokens(body),
  },
  { name: 'CurrentGenerate', manner: generateManner, send: (body) => genai3.models.generateContent(body) },
  { name: 'CurrentCount', manner: generateManner, send: (body) => genai3.models.countTokens(body) },
];

const types = new RequestTypes();
afterAll(() => types.close());
// This client accepts no custom fetch.
beforeAll(() => void vi.stubGlobal('fetch', readNatively));
afterEach(() => vi.restoreAllMocks());
afterAll(() => vi.unstubAllGlobals());

describe('every field of the request types of the official clients', () => {
  const used = new Set<string>();
  const lines: string[] = [];

  it.each(roots)('is accepted, or rejected for a listed reason: $name', async ({ name, manner, send }) => {
    // The client warns of retired models. Its warnings are irrelevant here.
    vi.spyOn(console, 'warn').mockImplementation(() => {});
    const unknown: string[] = [];
    const figures = { fields: 0, accepted: 0, byClient: 0, byReader: 0 };
    for (const { field, body } of walkRequest(types.root(name), manner)) {
      figures.fields += 1;
      const refusal = await refusalOf(() => send(manner.complete(body) as never));
      const row = refusedFields.find((one) => one.of.includes(name) && field.startsWith(one.field));
      if (refusal === null) figures.accepted += 1;
      else if (refusedByClient.test(refusal)) figures.byClient += 1;
      else if (row === undefined) unknown.push(`${field} → ${refusal}`);
      else {
        figures.byReader += 1;
        used.add(`${name} ${row.field}`);
      }
    }
    expect(unknown).toEqual([]);
    lines.push(
      `${name}: ${figures.fields} fields, ${figures.accepted} accepted, ${figures.byReader} refused here, ` +
        `${figures.byClient} by the client`,
    );
  });

  it('has no reason listed for a rejection that no longer happens', () => {
    const rows = refusedFields.flatMap(({ of, field }) => of.map((name) => `${name} ${field}`));
    expect([...used].toSorted()).toEqual(rows.toSorted());
  });

  it('matches the recorded counts', async () => {
    await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('./request-fields.txt');
  });
});

async function refusalOf(send: () => PromiseLike<unknown>): Promise<string | null> {
  try {
    await send();
    return null;
  } catch (error) {
    if (error instanceof Error) return error.message;
    throw error;
  }
}

/** A field of a request type that the dialect's reader or the client rejects, and the reason. */
interface RefusedField {
  /** The root types, then a prefix of the field name. */
  readonly of: readonly RootName[];
  readonly field: string;
  readonly why: string;
}

/** All rejected fields. A row that matches nothing fails the test. */
const refusedFields: readonly RefusedField[] = [
  {
    of: ['Completions', 'PreviousCompletions'],
    field: 'ChatCompletionAssistantMessageParam.content: null',
    why: 'the provider wants a content from an assistant that calls nothing',
  },
  {
    of: ['Generate', 'CurrentGenerate'],
    field: 'GenerateContentConfig.cachedContent:',
    why: 'nothing is cached by name here',
  },
  // The client counts tokens of contents only and does not send schemas.
  {
    of: ['Generate', 'CurrentGenerate'],
    field: 'Schema.type: "TYPE_UNSPECIFIED"',
    why: 'the provider refuses a schema of no type',
  },
];

/** The client's message for fields that it sends only to another product of the provider. */
const refusedByClient: RegExp =
  /^\w+ parameter is (?:only supported in Gemini Enterprise Agent Platform mode|not supported in Gemini)/;
