import fc from 'fast-check';
import type { Reply } from 'gatecheck-simulators/client';
import { type Check, defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import { native } from '../../generators/native-answer.ts';
import type { ErrorCode } from '../../oracle/error-table.ts';
import { dialectOf } from '../../oracle/native/dialects.ts';
import type { ErrorBody } from '../../oracle/refusal.ts';
import { codesFor } from '../../oracle/upstream-failures.ts';
import type { Dialect } from '../../profile/dialects.ts';
import { must } from '../../rules/violation.ts';
import { compatA, compatB, coreProtocol, type Protocol } from '../../steps/protocols/protocol.ts';
import {
  formsOn,
  keepProtocolClosed,
  type ProtocolModel,
  protocolModelOf,
} from '../../steps/protocols/protocol-model.ts';
import { fewTenants, sideBySide } from '../../steps/tenants/side-by-side.ts';
import type { Exchange } from '../../wire/exchange.ts';
import { errorIn } from './reported-error.ts';

/** An upstream failure; `reply` returns null where it has no such form. */
interface Failure {
  readonly name: string;
  /** Codes that may replace each other: a complaint depends on who wrote the upstream request (reading B-109). */
  readonly either?: readonly ErrorCode[];
  readonly reply: (dialect: Dialect, stream: boolean) => Reply | null;
}

const statuses = [400, 404, 408, 413, 418, 422, 429, 500, 502, 503, 504, 529];

/** Statuses of complaints about the request, which only a compat path passes on word for word. */
const complaints: readonly number[] = [400, 413, 422];

const failures: readonly Failure[] = [
  ...statuses.map((status) => ({
    name: `status ${status}`,
    ...(complaints.includes(status) ? { either: codesFor(status) } : {}),
    reply: (dialect: Dialect): Reply => ({ status, body: native(dialect).errorBody(status, 'whatever') }),
  })),
  { name: 'a prompt that is too long', reply: (dialect) => native(dialect).tooLong },
  { name: 'a prompt that policy blocks', reply: (dialect, stream) => native(dialect).blocked(stream) },
  { name: 'an HTML page instead of an answer', reply: () => ({ status: 200, body: '<h1>It works!</h1>' }) },
  {
    name: 'an answer without content',
    reply: (dialect) => ({ status: 200, body: native(dialect).noAnswers[0] }),
  },
  { name: 'a reset after the head', reply: () => ({ cut: { after: 'head', by: 'rst' } }) },
  { name: 'an end after the head', reply: () => ({ cut: { after: 'head', by: 'fin' } }) },
  {
    name: 'a break in the middle',
    reply: (_, stream) =>
      stream ? { deltas: ['One, ', 'two, ', 'three.'], cut: { after: 2, by: 'rst' } } : null,
  },
];

interface Case {
  readonly failure: Failure;
  readonly stream: boolean;
}

interface ReportedError {
  readonly exchange: Exchange;
  readonly error: ErrorBody | null;
  readonly attempts: number;
}

/** One check for each compat path: an upstream failure gets the same code there as on the core path. */
export const sameFailureChecks: readonly Check[] = [
  { protocol: compatA, requirement: 'COMPA-011', fact: 'compat.a' as const },
  { protocol: compatB, requirement: 'COMPB-011', fact: 'compat.b' as const },
].map(({ protocol, requirement, fact }) =>
  defineCheck({
    id: `faces.same.failure-${protocol.name}`,
    title: `${protocol.name} and the core path answer an upstream failure with the same code and attempts`,
    requirements: [requirement, 'ROUTE-006'],
    kind: 'metamorphic',
    needs: ['upstream.control', fact, 'chat'],
    tenants: fewTenants,
    run: async (parts) => {
      const protocolModel = protocolModelOf(parts.target, protocol);
      const forms = await formsOn(parts, protocolModel);
      const examples = failures.map((failure, place) => ({
        failure,
        stream: forms[place % forms.length] === true,
      }));
      const judgeOn = (own: CheckParts, one: Case) => judgeSame(own, protocolModel, one, requirement);
      await sideBySide(parts, examples, async (own, one) => {
        own.cases.count();
        await judgeOn(own, one);
      });
      await parts.cases.forAll(
        fc.record({ failure: fc.constantFrom(...failures), stream: fc.constantFrom(...forms) }),
        (one) => judgeOn(parts, one),
        { quick: 6, full: 60 },
      );
    },
  }),
);

async function judgeSame(
  parts: CheckParts,
  protocolModel: ProtocolModel,
  { failure, stream }: Case,
  requirement: string,
): Promise<void> {
  const { protocol, model } = protocolModel;
  const reply = failure.reply(dialectOf(model), stream);
  if (reply === null) return;
  await keepProtocolClosed(parts, protocolModel, 4);
  const core = await failOn(parts, coreProtocol, model, { reply, stream, failure });
  const compat = await failOn(parts, protocol, model, { reply, stream, failure });
  // A broken stream may show the failure only by closing the connection (reading B-35).
  const silent = compat.error === null || core.error === null;
  const codes = [core, compat].map(({ error }) => error?.code);
  const isSame = codes[0] === codes[1] || codes.every((code) => failure.either?.some((one) => one === code));
  must(silent || isSame, {
    requirement,
    aspect: 'same-code',
    expected: `${core.error?.code}, as on the core path (${failure.name})`,
    actual: `${compat.error?.code}: ${compat.error?.message.slice(0, 160)}`,
    exchange: compat.exchange,
    twin: core.exchange,
  });
  must(compat.attempts === core.attempts, {
    requirement: 'ROUTE-006',
    aspect: 'same-attempts',
    expected: `${core.attempts} upstream requests, as on the core path (${failure.name})`,
    actual: `${compat.attempts}`,
    exchange: compat.exchange,
    twin: core.exchange,
  });
}

async function failOn(
  { newScene, http, judge }: CheckParts,
  protocol: Protocol,
  model: string,
  { reply, stream, failure }: Case & { readonly reply: Reply },
): Promise<ReportedError> {
  const scene = newScene();
  await scene.script(reply);
  const label = `${protocol.name}, ${failure.name}${stream ? ', stream' : ''}`;
  const exchange = await protocol.send(http, model, protocol.body(scene, { model }), { label, stream });
  const attempts = (await scene.requestsNow()).length;
  return { exchange, attempts, error: errorIn(judge, protocol, model, exchange) };
}
