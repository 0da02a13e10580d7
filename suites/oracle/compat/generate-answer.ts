import { flag, must } from '../../rules/violation.ts';
import { type Exchange, excerpt, jsonOf, mediaType } from '../../wire/exchange.ts';
import { shapeFault } from '../../wire/shapes.ts';
import { judgeIsServed } from '../served.ts';

/** One part of an answer. Other members are kept but not judged. */
export interface GeneratePart extends Readonly<Record<string, unknown>> {
  readonly text?: string;
  readonly thought?: boolean;
  readonly functionCall?: { readonly id?: string; readonly name: string; readonly args?: object };
}

export interface GenerateUsage {
  readonly promptTokenCount?: number;
  readonly candidatesTokenCount?: number;
  readonly totalTokenCount?: number;
  readonly cachedContentTokenCount?: number;
  readonly thoughtsTokenCount?: number;
  readonly toolUsePromptTokenCount?: number;
}

/** A complete answer, or one event of a stream, whose members have been judged. */
export interface GenerateBody {
  readonly candidates?: readonly {
    readonly index?: number;
    readonly content?: { readonly parts?: readonly GeneratePart[] };
    readonly finishReason?: string | null;
  }[];
  readonly promptFeedback?: { readonly blockReason?: string };
  readonly usageMetadata?: GenerateUsage;
  readonly modelVersion?: string;
  readonly responseId?: string;
}

/** An answer of compat path B whose form has been judged, non-streamed or assembled from a stream. */
export interface GenerateAnswer {
  /** The parts of the first candidate, in their order. */
  readonly parts: readonly GeneratePart[];
  /** The text of the answer, without thoughts. */
  readonly text: string;
  readonly finishReason: string;
  readonly usage: GenerateUsage;
  readonly responseId: string | null;
  /** Unusual but allowed details. */
  readonly notes: readonly string[];
}

export interface ExpectedGenerate {
  /** The rule that acceptance itself proves. */
  readonly requirement: string;
  readonly aspect: string;
  /** The model of the path. */
  readonly model: string;
  /** The upstream reported no counts, or odd ones: the gateway must not invent any. */
  readonly uncounted?: boolean | undefined;
  readonly twin?: Exchange | undefined;
}

/** The requirement about the native form of answers (specification, "Endpoints"; reading B-89). */
export const formRule = 'COMPB-010';

/**
 * Judges a non-streamed answer of compat path B by everything that one answer can show, and returns what it read.
 */
export function judgeGenerateAnswer(exchange: Exchange, expected: ExpectedGenerate): GenerateAnswer {
  const body = readWhole(exchange, expected);
  judgePublicModel(body.modelVersion, expected.model, exchange);
  const candidates = body.candidates ?? [];
  const [first] = candidates.filter(({ index = 0 }) => index === 0);
  must(first !== undefined, {
    requirement: formRule,
    aspect: 'candidates',
    expected: 'a candidate',
    actual: excerpt(exchange, 200),
    exchange,
  });
  const { finishReason } = first;
  must(typeof finishReason === 'string', {
    requirement: formRule,
    aspect: 'finish-reason',
    expected: 'a finishReason on a whole answer',
    actual: excerpt(exchange, 200),
    exchange,
  });
  const parts = first.content?.parts ?? [];
  const text = textOfParts(parts);
  const usage = judgeUsageMetadata(body.usageMetadata, { produced: text, expected }, exchange);
  const notes = candidates.length > 1 ? [`candidates: ${candidates.length} for a request of one`] : [];
  return { parts, text, finishReason, usage, responseId: body.responseId ?? null, notes };
}

/** Status, media type, encoding and shape. */
function readWhole(exchange: Exchange, expected: ExpectedGenerate): GenerateBody {
  const { requirement, aspect, twin } = expected;
  judgeIsServed(exchange, {
    own: expected,
    what: 'an answer of the generate-content protocol',
    status: { requirement: formRule, aspect: 'success-status' },
  });
  must(exchange.response.complete, {
    requirement,
    aspect,
    expected: 'a whole body',
    actual: exchange.error ?? 'a body cut short',
    exchange,
    twin,
  });
  flag(mediaType(exchange) === 'application/json', {
    requirement: formRule,
    aspect: 'content-type',
    expected: 'content type application/json',
    actual: mediaType(exchange) || '(none)',
    exchange,
  });
  return judgeGenerateShape(jsonOf(exchange), excerpt(exchange, 200), exchange);
}

/** Judges the shape of an answer or of one event. `shown` is its text, or `undefined` for invalid JSON. */
export function judgeGenerateShape(value: unknown, shown: string, exchange: Exchange): GenerateBody {
  must(value !== undefined, {
    requirement: formRule,
    aspect: 'utf8-json',
    expected: 'JSON in UTF-8',
    actual: shown,
    exchange,
  });
  const fault = shapeFault('generate-b', value);
  must(fault === null, {
    requirement: formRule,
    aspect: 'shape',
    expected: 'the members of a generate-content answer with their types',
    actual: `${fault?.path || 'the answer'} ${fault?.reason}: ${shown}`,
    exchange,
  });
  return value as GenerateBody;
}

/** Judges that the named model, if any, is the requested one by its public id. */
export function judgePublicModel(named: string | undefined, model: string, exchange: Exchange): void {
  flag(named === undefined || named === model || named === `models/${model}`, {
    requirement: formRule,
    aspect: 'model-public',
    expected: `modelVersion ${model}, or none`,
    actual: `modelVersion ${named}`,
    exchange,
  });
}

/**
 * Judges counts as one answer can show them: present, consistent, cached tokens within the prompt, more than zero
 * for any output.
 */
export function judgeUsageMetadata(
  usage: GenerateUsage | undefined,
  { produced, expected }: { produced: string; expected: ExpectedGenerate },
  exchange: Exchange,
): GenerateUsage {
  const rule = (holds: boolean, aspect: string, wanted: string): void =>
    flag(holds, {
      requirement: formRule,
      aspect,
      expected: wanted,
      actual: JSON.stringify(usage) ?? 'no usageMetadata',
      exchange,
    });
  const {
    promptTokenCount: prompt = 0,
    candidatesTokenCount: said = 0,
    totalTokenCount: total = 0,
  } = usage ?? {};
  const { cachedContentTokenCount: cached = 0, thoughtsTokenCount: thoughts = 0 } = usage ?? {};
  const { toolUsePromptTokenCount: toolUse = 0 } = usage ?? {};
  const isSum = total === prompt + said + thoughts + toolUse;
  const judgeSum = (holds: boolean): void =>
    rule(holds, 'total-is-sum', 'totalTokenCount as the sum of its parts');
  if (expected.uncounted === true) {
    // Reported counts must still be consistent.
    judgeSum(isSum || prompt === 0 || total === 0);
    return usage ?? {};
  }
  rule(usage !== undefined, 'usage', 'usageMetadata');
  rule(prompt >= 1, 'prompt-counted', 'promptTokenCount of at least 1');
  rule(cached <= prompt, 'cached-within-prompt', 'cachedContentTokenCount of at most promptTokenCount');
  judgeSum(isSum);
  rule(produced === '' || said >= 1, 'candidates-counted', 'candidatesTokenCount of at least 1 for a text');
  return usage ?? {};
}

/** The joined texts of the parts, without thoughts. */
export function textOfParts(parts: readonly GeneratePart[]): string {
  return parts.map(({ text = '', thought }) => (thought === true ? '' : text)).join('');
}
