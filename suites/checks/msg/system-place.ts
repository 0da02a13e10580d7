import { defineCheck } from '../../engine/check.ts';
import type { HttpCalls } from '../../engine/parts/http-calls.ts';
import type { Judge } from '../../engine/parts/judge.ts';
import type { JsonObject } from '../../engine/requests.ts';
import { readCaller } from '../../oracle/native/read.ts';
import { textOf } from '../../oracle/native/view.ts';
import { must, part } from '../../rules/violation.ts';
import { familyModels, nativeRequest, shown } from '../../steps/chat/upstream-view.ts';
import { type Exchange, isSuccess } from '../../wire/exchange.ts';

const system = (content: string): JsonObject => ({ role: 'system', content });
const user = (content: string): JsonObject => ({ role: 'user', content });
const said = { role: 'assistant', content: 'Yes?' };

const first = { requirement: 'MSG-005', aspect: 'leading-system-accepted' };
const second = { requirement: 'MSG-004', aspect: 'clean-either-way' };
const late = { requirement: 'MSG-005', aspect: 'clean-either-way' };

/** A conversation and its rule; it may be refused where `open`. */
interface Conversation {
  readonly title: string;
  readonly messages: (prompt: string) => JsonObject[];
  readonly rule: { readonly requirement: string; readonly aspect: string };
  readonly open: boolean;
}

/** One system message at the start, a second one, and a late one (reading B-22). */
const conversations: readonly Conversation[] = [
  {
    title: 'a system message at the start',
    messages: (prompt) => [system('Be brief.'), user(prompt)],
    rule: first,
    open: false,
  },
  {
    title: 'a system message at the start of a longer talk',
    messages: (prompt) => [system('Be brief.'), user('Hello.'), said, user(prompt)],
    rule: first,
    open: false,
  },
  {
    title: 'two system messages at the start',
    messages: (prompt) => [system('Be brief.'), system('Speak like a sailor.'), user(prompt)],
    rule: second,
    open: true,
  },
  {
    title: 'a second system message later on',
    messages: (prompt) => [
      system('Be brief.'),
      user('Hello.'),
      said,
      system('Speak like a sailor.'),
      user(prompt),
    ],
    rule: second,
    open: true,
  },
  {
    title: "a system message after the user's",
    messages: (prompt) => [user(prompt), system('Speak like a sailor.')],
    rule: late,
    open: true,
  },
  {
    title: 'a system message in the middle',
    messages: (prompt) => [user('Hello.'), said, system('Speak like a sailor.'), user(prompt)],
    rule: late,
    open: true,
  },
];

export const placeIsJudgedCleanly = defineCheck({
  id: 'msg.system.place',
  title: 'a leading system message is accepted; a second or late one is accepted or refused cleanly',
  requirements: ['MSG-004', 'MSG-005', 'CHAT-049'],
  kind: 'example',
  needs: [],
  run: async ({ cases, newScene, target, judge, http }) => {
    for (const model of target.few(familyModels(target)))
      await part(async () => {
        for (const conversation of target.few(conversations, ({ rule }) => rule.requirement)) {
          for (const stream of target.few([false, true])) {
            cases.count();
            const body = bodyOf(model, conversation, newScene().prompt(), stream);
            judgeAnswer(judge, body, conversation, await send(http, body, conversation));
          }
        }
      });
  },
});

export const acceptedMeansHeard = defineCheck({
  id: 'msg.system.none-dropped',
  title: 'a second or late system message that is accepted reaches the upstream with its text',
  requirements: ['MSG-004', 'MSG-005'],
  kind: 'upstream',
  needs: ['upstream.control'],
  run: async ({ cases, newScene, target, http, judge }) => {
    for (const model of familyModels(target))
      await part(async () => {
        for (const conversation of conversations) {
          cases.count();
          const scene = newScene();
          const body = bodyOf(model, conversation, scene.prompt(), false);
          const exchange = await send(http, body, conversation);
          if (!isSuccess(exchange)) {
            judgeAnswer(judge, body, conversation, exchange);
            continue;
          }
          const { requirement } = conversation.rule;
          const native = await nativeRequest(scene, requirement, exchange);
          const seen = [native.view.system.map(textOfPart), native.view.turns.map(textOf)].flat().join('\n');
          const sent = readCaller(body).system.map(textOfPart);
          const dropped = sent.filter((text) => !seen.includes(text));
          const rule = { requirement, aspect: 'none-dropped', exchange, upstream: shown(native) };
          const expected = `${model}, ${conversation.title}: ${JSON.stringify(sent)}`;
          must(dropped.length === 0, { ...rule, expected, actual: JSON.stringify(seen).slice(0, 400) });
        }
      });
  },
});

function bodyOf(model: string, { messages }: Conversation, prompt: string, stream: boolean): JsonObject {
  return { model, messages: messages(prompt), ...(stream ? { stream } : {}) };
}

function send(http: HttpCalls, body: JsonObject, { title }: Conversation): Promise<Exchange> {
  return http.chat(body, { label: `${title}, on ${body.model}` });
}

function judgeAnswer(
  judge: Judge,
  body: JsonObject,
  { title, rule, open }: Conversation,
  exchange: Exchange,
): void {
  const accepted = isSuccess(exchange);
  if (open) judge.note(`${accepted ? 'accepts' : 'refuses'} ${title}`);
  if (open && accepted) {
    const expected = 'one system message, at the start, and others refused (reading B-22)';
    judge.advise({ ...rule, aspect: 'one-at-the-start', expected, actual: `${title} is accepted`, exchange });
  }
  if (open && !accepted) judge.refused(exchange, { ...rule, codes: ['invalid_param'], param: 'messages' });
  else if (body.stream === true) judge.streamed(exchange, { ...rule, model: String(body.model) });
  else judge.completed(exchange, { ...rule, model: String(body.model) });
}

function textOfPart(part: Parameters<typeof textOf>[0]['parts'][number]): string {
  return textOf({ parts: [part] });
}
