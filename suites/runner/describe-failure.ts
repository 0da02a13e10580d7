import type { Failure, MemberInQuestion, ReportedExchange } from 'gatecheck-reports/report';
import { placeOf } from '../engine/place-of.ts';
import type { PropertyFacts } from '../engine/property.ts';
import { type Register, requirementOf } from '../rules/register.ts';
import type { Finding } from '../rules/violation.ts';
import { type CurlWay, toCurl } from '../wire/curl.ts';
import { type Exchange, errorCodeOf, excerpt } from '../wire/exchange.ts';
import type { Redact } from '../wire/redactor.ts';
import type { Surroundings } from './evidence/surroundings.ts';
import { inQuestion } from './in-question.ts';
import { mappingOf } from './mapping-of.ts';
import type { RunInput } from './run-input.ts';

/** The most bytes of a body in a report. */
const bodyLimit = 4_096;
/** The most bytes that are shown of a body that is not text. */
const hexLimit = 128;

/** What a failure report says about its run. */
export interface FailureContext {
  readonly check: { readonly id: string };
  readonly register: Register;
  readonly input: Pick<RunInput, 'seed' | 'size' | 'replayPrefix'>;
  /** How the reader's own `curl` reaches the deployment. */
  readonly way?: CurlWay;
  /** Converts times for the report; null or absent when not kept. */
  readonly surroundings?: Pick<Surroundings, 'timeOf'> | null;
}

/** Everything a reader needs to act on a failure. Placeholders replace whatever `redact` recognises. */
export function describeFailure(
  context: FailureContext,
  finding: Finding,
  property: PropertyFacts | null,
  redact: Redact,
): Failure {
  const row = requirementOf(context.register, finding.requirement);
  const place = placeOf(finding.exchange);
  const { surroundings } = context;
  const shownAt = (exchange: Exchange | undefined): ReportedExchange | null => {
    if (exchange === undefined) return null;
    const at = surroundings?.timeOf(exchange.sentAt, 'start');
    return { ...reported(exchange, redact), ...(at !== undefined && { at_ms: Math.round(at) }) };
  };
  const members = inQuestion(finding).map((member) => redacted(member, redact));
  return {
    requirement: finding.requirement,
    statement: row.statement,
    section: row.section,
    aspect: finding.aspect,
    ...(place !== null && { seen_in: place }),
    expected: redact(finding.expected),
    actual: redact(actualOnWire(finding)),
    exchange: shownAt(finding.exchange),
    twin: shownAt(finding.twin),
    upstream: finding.upstream === undefined ? null : redact(finding.upstream),
    ...(members.length === 0 ? {} : { in_question: members }),
    input: property?.input ? redact(property.input.slice(0, bodyLimit)) : null,
    curl:
      finding.exchange && finding.exchange.request.method !== 'RAW'
        ? toCurl((finding.exchange.carried ?? finding.exchange).request, redact, context.way)
        : null,
    replay: replayLine(context, property),
  };
}

/** What was seen, in the words of the deployment, and how its dialect reads that. */
function actualOnWire({ actual, exchange }: Finding): string {
  const answer = exchange?.carried?.answer ?? null;
  if (exchange === undefined || exchange.response === null || answer === null) return actual;
  const { status } = exchange.response;
  const said = new RegExp(`^HTTP ${status}(?: \\w+)?(: .*)?$`, 's').exec(actual);
  const wire = { ...exchange, response: { ...exchange.response, ...answer } };
  const code = errorCodeOf(exchange);
  if (said === null || (answer.status === status && code === errorCodeOf(wire))) return actual;
  const read = [status, code].filter((one) => typeof one === 'number' || typeof one === 'string').join(' ');
  return `HTTP ${answer.status}${said[1] === undefined ? '' : `: ${excerpt(wire)}`}, read as ${read}`;
}

function redacted({ path, value, ...rest }: MemberInQuestion, redact: Redact): MemberInQuestion {
  const hidden = (text: string | null): string | null => (text === null ? null : redact(text));
  const twin = rest.twin === undefined ? {} : { twin: hidden(rest.twin) };
  return { path: redact(path), value: hidden(value), ...twin };
}

function replayLine(context: FailureContext, property: PropertyFacts | null): string {
  const { input, check } = context;
  const path = property?.path ? ` --path ${property.path}` : '';
  const size = input.size === 'quick' ? '' : ` --size ${input.size}`;
  return `${input.replayPrefix} --only ${check.id} --seed ${input.seed}${size}${path}`;
}

/** An exchange in the form for reports. */
export function reported(exchange: Exchange, redact: Redact): ReportedExchange {
  const request = exchange.carried?.request ?? exchange.request;
  const response = exchange.response && { ...exchange.response, ...exchange.carried?.answer };
  const headers = (list: readonly (readonly [string, string])[]): [string, string][] =>
    list.map(([name, value]) => [name, redact(value)]);
  const mapping = mappingOf(exchange).map(redact);
  return {
    label: redact(exchange.label),
    request: {
      method: request.method,
      url: redact(request.url),
      headers: headers(request.headers),
      body: redact(shown(request.body)),
    },
    response:
      response === null
        ? null
        : {
            status: response.status,
            headers: headers(response.headers),
            body: redact(shown(response.body)),
            first_byte_ms: Math.round(response.firstByteMs),
            end_ms: Math.round(response.endMs),
          },
    error: exchange.error === null ? null : redact(exchange.error),
    ...(mapping.length > 0 && { mapping }),
  };
}

/** The text of a body. For bytes that are not text: the readable characters, and the first bytes as hexadecimal digits. */
function shown(body: Buffer): string {
  const head = body.subarray(0, bodyLimit);
  const text = textOf(head, body.length > bodyLimit);
  const rest = body.length > bodyLimit ? `… (${body.length} bytes in all)` : '';
  if (text !== null) return text + rest;
  const bytes = body.subarray(0, hexLimit);
  const legible = bytes.toString('latin1').replaceAll(/[^\x20-\x7e]/g, '.');
  const hex = bytes.toString('hex').replaceAll(/(?<=^(?:..)+)(?=.)/g, ' ');
  return `(${body.length} bytes that are no text) ${legible}${body.length > hexLimit ? '…' : ''} = hex ${hex}`;
}

/** The bytes as UTF-8 text, whose last character may be cut; null when they are not text. */
function textOf(bytes: Buffer, isCut: boolean): string | null {
  if (bytes.includes(0)) return null;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes, { stream: isCut });
  } catch {
    return null;
  }
}
