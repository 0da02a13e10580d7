import { isJsonObject } from '../values/json.ts';
import type { Answer, PlanRequest } from './protocol.ts';

const redirects = [301, 302, 303, 307, 308] as const;

/**
 * Reads the plan of an inbox.
 * @throws Error with one sentence that names the invalid member.
 */
export function readPlan(text: string): PlanRequest {
  const { answers } = objectIn(parsed(text), 'the plan');
  if (!Array.isArray(answers)) throw new Error('answers must be a list');
  return { answers: answers.map((answer, index) => readAnswer(answer, `answers.${index}`)) };
}

function readAnswer(value: unknown, at: string): Answer {
  const answer = objectIn(value, at);
  if (answer.reset === true) return { reset: true };
  if (answer.hold === true)
    return { hold: true, ...(answer.status === undefined ? {} : { status: statusIn(answer.status, at) }) };
  if (answer.redirect !== undefined) {
    if (typeof answer.redirect !== 'string') throw new Error(`${at}.redirect must be a text`);
    const status = redirects.find((known) => known === (answer.status ?? 302));
    if (status === undefined) throw new Error(`${at}.status must be one of ${redirects.join(', ')}`);
    return { redirect: answer.redirect, status };
  }
  const { headers, body, after_ms: afterMs, ends } = answer;
  if (body !== undefined && typeof body !== 'string') throw new Error(`${at}.body must be a text`);
  if (afterMs !== undefined && !(typeof afterMs === 'number' && afterMs >= 0 && afterMs <= 600_000))
    throw new Error(`${at}.after_ms must be from 0 to 600000`);
  if (ends !== undefined && ends !== 'cut' && ends !== 'never')
    throw new Error(`${at}.ends must be cut or never`);
  return {
    status: statusIn(answer.status, at),
    ...(headers === undefined ? {} : { headers: headersIn(headers, `${at}.headers`) }),
    ...(body === undefined ? {} : { body }),
    ...(afterMs === undefined ? {} : { after_ms: afterMs }),
    ...(ends === undefined ? {} : { ends }),
  };
}

function statusIn(value: unknown, at: string): number {
  if (typeof value === 'number' && Number.isInteger(value) && value >= 200 && value <= 599) return value;
  throw new Error(`${at}.status must be a whole number from 200 to 599`);
}

function headersIn(value: unknown, at: string): Record<string, string> {
  const headers = Object.entries(objectIn(value, at));
  if (headers.every((entry): entry is [string, string] => typeof entry[1] === 'string'))
    return Object.fromEntries(headers);
  throw new Error(`${at} must map names to texts`);
}

function objectIn(value: unknown, at: string): Record<string, unknown> {
  if (isJsonObject(value)) return { ...value };
  throw new Error(`${at} must be an object`);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error('the plan must be JSON');
  }
}
