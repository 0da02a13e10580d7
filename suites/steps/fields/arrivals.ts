import type { CheckParts } from '../../engine/parts/check-parts.ts';
import type { UpstreamRequest } from '../../engine/upstream-request.ts';
import { type MediaInputs, smallestBody } from '../../generators/media-cells.ts';
import { drawnRound, legalRounds, type MediaRound, roundsWithout } from '../../generators/media-rounds.ts';
import { numberedText } from '../../generators/numbered-text.ts';
import { fieldsOf, type MediaField } from '../../oracle/media/fields.ts';
import type { MediaModel } from '../../oracle/media/models.ts';
import type { Rule } from '../../oracle/media/rules.ts';
import { type FieldFault, type MediaView, mediaFault, readMedia } from '../../oracle/media/upstream-view.ts';
import { flag, must, part } from '../../rules/violation.ts';
import type { Rng } from '../../values/seed.ts';
import type { Exchange } from '../../wire/exchange.ts';
import { shown } from '../chat/upstream-view.ts';
import { inTurns } from './in-turns.ts';
import { judgeLegal } from './judge-legal.ts';
import { mediaInputsOf } from './media-inputs.ts';

/** How many requests of a model are drawn, besides those that contain every boundary. */
const drawn = { quick: 1, full: 25 } as const;

/** Nearly the limit of every prompt (reading B-51), in characters. */
const longText = 3_800;

/** A media request as its upstream received it, in native and in common form. */
export interface MediaArrival {
  readonly view: MediaView;
  readonly request: UpstreamRequest;
}

/** The rule that is broken when a field did not arrive as it was sent. */
export type RuleOfArrival = (model: MediaModel, fault: FieldFault) => Rule;

/** The fields whose text must arrive whole at any length. */
const textFields = new Set(['prompt', 'text', 'lyrics']);

/** The finding about a text that did not arrive as it was sent; null for any other field, or a default. */
export function textRule({ field, sent }: FieldFault, requirement: string): Rule | null {
  return sent && textFields.has(field) ? { requirement, aspect: 'text-whole' } : null;
}

/**
 * Sends legal requests with every boundary of some models, and drawn ones. It judges what reached the upstream,
 * field by field.
 */
export async function judgeArrivals(
  parts: CheckParts,
  models: readonly MediaModel[],
  ruleOf: RuleOfArrival,
  more: (model: MediaModel, inputs: MediaInputs) => readonly MediaRound[] = () => [],
): Promise<void> {
  const { newScene, cases, rng, target } = parts;
  for (const model of models) {
    const scene = newScene();
    const inputs = mediaInputsOf(parts, scene);
    const count = cases.full ? drawn.full : drawn.quick;
    const rounds = [
      ...legalRounds(model, inputs),
      ...roundsWithout(model, inputs),
      ...Array.from({ length: count }, (_, index) => drawnRound(model, inputs, `d${index}`, rng)),
      { model, tag: 'long', body: withLongTexts(smallestBody(model, inputs, 'long'), rng) },
      ...more(model, inputs),
    ];
    const sent: { readonly round: MediaRound; readonly exchange: Exchange }[] = [];
    await inTurns(target, rounds, async (round) => {
      const { exchange } = await judgeLegal(parts, round);
      sent.push({ round, exchange });
    });
    const requests = await scene.requests(sent.length);
    for (const { round, exchange } of sent) {
      // A lost request must not hide findings about the others.
      await part(async () => {
        const arrival = arrivalOf(requests, round, exchange, ruleOf);
        judgeFields(round, arrival, exchange, ruleOf);
      });
    }
  }
}

/** The request with a prompt of almost the maximum length. */
export function withLongTexts<T extends Readonly<Record<string, unknown>>>(body: T, rng: Rng): T {
  const texts = ['prompt', 'text'].filter((name) => typeof body[name] === 'string');
  const long = texts.map((name) => [name, `${body[name]} ${numberedText(rng, longText)}`]);
  return { ...body, ...Object.fromEntries(long) };
}

/** A request as its upstream saw it, in common form; null for a dialect that the suites do not read. */
export function viewOf(request: UpstreamRequest, model: string): MediaView | null {
  const { path } = request.entry.request;
  return readMedia({ path, text: request.text, key: request.headers.get('idempotency-key') }, model);
}

/** Judges the fields of a request at its upstream. */
export function judgeFields(
  { model, body }: Pick<MediaRound, 'model' | 'body'>,
  { view, request }: MediaArrival,
  exchange: Exchange,
  ruleOf: RuleOfArrival,
  fields?: readonly MediaField[],
): void {
  const fault = mediaFault(body, view, fields);
  if (fault === null) return;
  const { field, expected, actual, sent } = fault;
  flag(false, {
    ...ruleOf(model, fault),
    expected: `${model.id}: ${field} ${expected}${sent ? ' as sent' : ', its default'}`,
    actual,
    exchange,
    upstream: shown(request),
  });
}

/** What reached the upstream for a request, found by its tag. */
function arrivalOf(
  requests: readonly UpstreamRequest[],
  { model, tag }: MediaRound,
  exchange: Exchange,
  ruleOf: RuleOfArrival,
): MediaArrival {
  const request = requests.find(({ text }) => isTagged(text, tag));
  const view = request === undefined ? null : viewOf(request, model.id);
  must(request !== undefined && view !== null, {
    ...ruleOf(model, { field: fieldsOf(model.id)[0]?.name ?? '', expected: '', actual: '', sent: true }),
    aspect: 'reaches-upstream',
    expected: 'the request at its upstream, its prompt or addresses unchanged',
    actual: 'no upstream request carries them',
    exchange,
  });
  return { view, request };
}

function isTagged(text: string, tag: string): boolean {
  return text.includes(`(${tag})`) || text.includes(`/${tag}/`);
}
