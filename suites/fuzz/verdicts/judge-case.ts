import { answerText, insideWords } from '../../oracle/error-leaks.ts';
import { type ErrorBody, judgeErrorShape, namesField } from '../../oracle/refusal.ts';
import type { Profile } from '../../profile/profile.ts';
import { type Exchange, excerpt, outcomeOf } from '../../wire/exchange.ts';
import type { FuzzCase } from '../cases/fuzz-case.ts';
import { failure, observation, type Verdict, warning } from './findings.ts';
import { foundBy } from './found-by.ts';
import { judgeAccepted } from './judge-accepted.ts';

/** What is known about the deployment. */
export interface JudgeFacts {
  /** Whether it declares that links to private addresses are refused everywhere. */
  readonly guardsLinks: boolean;
  /** Texts that no caller may see: upstream keys, and native model names. */
  readonly secrets: readonly string[];
  readonly timeoutMs: number;
}

/** Judges one answer by the certainty of the damage, the error shape of the specification, and what the answer reveals. */
export function judgeCase(one: FuzzCase, exchange: Exchange, facts: JudgeFacts): Verdict[] {
  const { response } = exchange;
  if (response === null) return [judgeSilence(one, exchange, facts)];
  if (!response.complete)
    return [failure('answer cut short', 'a whole answer', exchange.error ?? 'a body that broke off')];
  if (response.status < 300)
    return [...judgeAcceptance(one, exchange, facts), ...judgeAccepted(one, exchange)];
  if (response.status < 400)
    return [
      failure('redirect', 'an answer, or a refusal', `${outcomeOf(exchange)}: ${excerpt(exchange, 120)}`),
    ];
  return judgeRefusal(one, exchange, facts);
}

function judgeSilence(one: FuzzCase, { error }: Exchange, { timeoutMs }: JudgeFacts): Verdict {
  const text = error ?? 'no answer';
  if (/no end within/.test(text))
    return failure('no answer in time', `an answer within ${timeoutMs} ms`, text);
  // A gateway that refuses a head or body before its end may close the connection.
  const mayClose = one.request.body.length > 500_000 || one.cells.some(({ field }) => field.startsWith('('));
  return (mayClose ? warning : failure)('connection closed', 'an answer', text);
}

function judgeAcceptance(one: FuzzCase, exchange: Exchange, { guardsLinks }: JudgeFacts): Verdict[] {
  if (one.isPrivateLink && one.cells.length === 1) {
    const verdict = guardsLinks ? failure : warning;
    return [
      verdict('private link accepted', 'a refusal of a link to a private address', outcomeOf(exchange)),
    ];
  }
  if (one.certainty === 'refuse')
    return [failure('accepted', 'a refusal: the text leaves no other reading', outcomeOf(exchange))];
  return [observation('accepted', 'either answer', outcomeOf(exchange))];
}

/** Statuses by which the deployment reports that it could not reach, or not understand, its upstream. */
const upstreamStatuses = [502, 503, 504];

function judgeRefusal(one: FuzzCase, exchange: Exchange, facts: JudgeFacts): Verdict[] {
  const status = exchange.response?.status ?? 0;
  const found: Verdict[] = [];
  let error: ErrorBody | null = null;
  found.push(
    ...foundBy(() => {
      error = judgeErrorShape(exchange);
    }),
  );
  found.push(...judgeStatus(one, exchange), ...judgeSecrets(one, exchange, facts));
  if (error !== null && status === 400) found.push(...judgeNamed(one, error));
  return found;
}

function judgeStatus(one: FuzzCase, exchange: Exchange): Verdict[] {
  const status = exchange.response?.status ?? 0;
  if (status === 501 && one.cells.some(({ field }) => field === '(method)' || field === '(coding)'))
    return [];
  if (upstreamStatuses.includes(status)) {
    const verdict = one.certainty === 'refuse' ? failure : observation;
    return [
      verdict(
        `status ${status}`,
        'a refusal of its own',
        `${outcomeOf(exchange)}: ${excerpt(exchange, 200)}`,
      ),
    ];
  }
  if (status >= 500)
    return [failure(`status ${status}`, 'a 4xx', `${outcomeOf(exchange)}: ${excerpt(exchange, 200)}`)];
  const isKeyDamage = one.cells.some(
    ({ field }) => field === '(key)' || field === '(headers)' || field === '(query)',
  );
  if (
    (status === 401 || status === 403) &&
    !isKeyDamage &&
    !one.cells.some(({ field }) => field === '(path)')
  )
    return [failure(`status ${status}`, 'a refusal of the damage: the key is right', excerpt(exchange, 200))];
  return [];
}

/** Fields whose damage a refusal may attribute to another field. */
const related: Readonly<Record<string, readonly string[] | 'any'>> = {
  model: 'any',
  action: 'any',
  parent_task_id: 'any',
  tools: ['tool_choice', 'messages', 'toolConfig'],
  tool_choice: ['tools'],
  messages: ['tools', 'system'],
  system: ['messages'],
  response_format: ['tools', 'messages'],
  max_tokens: ['messages', 'thinking'],
  temperature: ['top_p', 'thinking'],
  top_p: ['temperature'],
  toolConfig: ['tools'],
  contents: ['tools', 'systemInstruction'],
};

/**
 * The specification requires that `param` names the offending field. A wrong name is a failure, a missing one only a warning.
 */
function judgeNamed(one: FuzzCase, { code, param }: ErrorBody): Verdict[] {
  if (!one.isNamed || code !== 'invalid_param' || isOfNobody(one.tree)) return [];
  const tops = one.cells.map(({ field }) => field.split(/[.[]/)[0] ?? field);
  const allowed = tops.map((top) => related[top] ?? []);
  if (allowed.includes('any')) return [];
  const names = [...one.cells.map(({ field }) => field.replaceAll('[]', '')), ...tops, ...allowed.flat()];
  const expected = `param naming ${tops.join(' or ')}`;
  if (param === null) return [warning('param names nothing', expected, 'param null')];
  if ([...names, ...missingIn(one)].some((name) => namesField(param, name))) return [];
  // Drawn members of the same body may be the reason for the refusal.
  const verdict = one.isLeast && one.cells.length === 1 ? failure : warning;
  return [verdict('param names another field', expected, `param ${JSON.stringify(param)}`)];
}

/** Members of the smallest legal body that this body lacks. A shrunk request may be refused for them. */
function missingIn({ subject: { least }, tree }: FuzzCase): string[] {
  const given = tree !== null && typeof tree === 'object' ? tree : {};
  return Object.keys(least ?? {}).filter((name) => !(name in given));
}

/** Whether a request names a parent task. No such task exists, so the request is refused for that in any case. */
function isOfNobody(tree: unknown): boolean {
  return tree !== null && typeof tree === 'object' && 'parent_task_id' in tree;
}

function judgeSecrets(one: FuzzCase, exchange: Exchange, { secrets }: JudgeFacts): Verdict[] {
  const text = answerText(exchange);
  const { path, headers, body } = one.request;
  const asked = `${path}\n${Object.values(headers).join('\n')}\n${body.toString('utf8')}`;
  const found: Verdict[] = [];
  const secret = secrets.find((each) => text.includes(each) && !asked.includes(each));
  if (secret !== undefined)
    found.push(
      failure('shows a secret', 'nothing that only upstreams know', 'the answer holds a declared secret'),
    );
  const [inside] = insideWords.exec(exchange.response?.body.toString('utf8') ?? '') ?? [];
  if (inside !== undefined && !asked.toLowerCase().includes(inside.toLowerCase().trim())) {
    // Some of these words are also plain English.
    const verdict = /^(?:pool|sql|select)/i.test(inside.trim()) ? warning : failure;
    found.push(
      verdict('shows an internal detail', 'a message without names of the inside', excerpt(exchange, 200)),
    );
  }
  return found;
}

/** The longest permitted time of an answer to a damaged request, ms, even when the declared timeouts are longer. */
const mostMs = 30_000;

/** The declared facts that judging needs. */
export function factsOf({ media, upstream, timeouts }: Profile): JudgeFacts {
  const natives = Object.values(upstream?.native_models ?? {});
  return {
    guardsLinks: media.guards === true,
    // Shorter names may occur in any text by chance.
    secrets: [...(upstream?.keys ?? []), ...natives.filter((name) => name.length > 6)],
    timeoutMs: Math.min(timeouts.answer_ms, mostMs),
  };
}
