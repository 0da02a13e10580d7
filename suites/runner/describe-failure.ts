import type { Failure, ReportedExchange } from '../../reports/report.ts';
import { placeOf } from '../engine/place-of.ts';
import type { PropertyFacts } from '../engine/property.ts';
import { type Register, requirementOf } from '../rules/register.ts';
import type { Finding } from '../rules/violation.ts';
import { toCurl } from '../wire/curl.ts';
import type { Exchange } from '../wire/exchange.ts';
import type { Redact } from '../wire/redactor.ts';
import type { RunInput } from './run-input.ts';

/** Longer bodies are truncated in a report, bytes. */
const bodyLimit = 4_096;

/** What a failure report says about its run. */
export interface FailureContext {
  readonly check: { readonly id: string };
  readonly register: Register;
  readonly input: Pick<RunInput, 'seed' | 'size' | 'replayPrefix'>;
}

/** Everything a person needs to act on a failure. Whatever `redact` recognizes is replaced by placeholders. */
export function describeFailure(
  context: FailureContext,
  finding: Finding,
  property: PropertyFacts | null,
  redact: Redact,
): Failure {
  const row = requirementOf(context.register, finding.requirement);
  const place = placeOf(finding.exchange);
  return {
    requirement: finding.requirement,
    statement: row.statement,
    section: row.section,
    aspect: finding.aspect,
    ...(place !== null && { seen_in: place }),
    expected: redact(finding.expected),
    actual: redact(finding.actual),
    exchange: finding.exchange ? reported(finding.exchange, redact) : null,
    twin: finding.twin ? reported(finding.twin, redact) : null,
    upstream: finding.upstream === undefined ? null : redact(finding.upstream),
    input: property?.input ? redact(property.input.slice(0, bodyLimit)) : null,
    curl:
      finding.exchange && finding.exchange.request.method !== 'RAW'
        ? toCurl(finding.exchange.request, redact)
        : null,
    replay: replayLine(context, property),
  };
}

function replayLine(context: FailureContext, property: PropertyFacts | null): string {
  const { input, check } = context;
  const path = property?.path ? ` --path ${property.path}` : '';
  const size = input.size === 'quick' ? '' : ` --size ${input.size}`;
  return `${input.replayPrefix} --only ${check.id} --seed ${input.seed}${size}${path}`;
}

/** An exchange as reports show it. */
export function reported(exchange: Exchange, redact: Redact): ReportedExchange {
  const { request, response } = exchange;
  const headers = (list: readonly (readonly [string, string])[]): [string, string][] =>
    list.map(([name, value]) => [name, redact(value)]);
  return {
    label: redact(exchange.label),
    request: {
      method: request.method,
      url: redact(request.url),
      headers: headers(request.headers),
      body: redact(cut(request.body)),
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
  };
}

/** The text of a body. Image and video bytes are not shown as text. */
function shown(body: Buffer): string {
  const isText = !body.subarray(0, bodyLimit).includes(0);
  return isText ? cut(body) : `(${body.length} bytes that are no text)`;
}

function cut(body: Buffer): string {
  const text = body.subarray(0, bodyLimit).toString('utf8');
  return body.length > bodyLimit ? `${text}… (${body.length} bytes in all)` : text;
}
