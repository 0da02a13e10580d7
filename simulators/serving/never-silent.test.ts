import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { ChatDialectName } from '../answers/native-answer.ts';
import type { FaultFacts } from '../control/fault-facts.ts';
import { faultFacts } from '../fault-contract/known-faults.ts';
import { type RawOptions, rawCall } from '../testing/raw-call.ts';
import { type Cell, cellsOf } from '../testing/send-cell.ts';
import { useSimulators } from '../testing/simulators.ts';

/** The same seed, so that a tenant of the same name gets the same bytes from both. */
const [faulty, healthy] = [useSimulators({ testClock: true }), useSimulators({ testClock: true })];

const parameters = { type: 'object', properties: { place: { type: 'string' }, days: { type: 'integer' } } };

/** Forms of requests on which faults have something to act, or nothing. */
const requests: Readonly<Record<ChatDialectName, readonly RawOptions[]>> = {
  'chat-completions': [
    {},
    { body: { stream_options: undefined } },
    { body: { tools: [{ type: 'function', function: { name: 'tide', parameters } }] } },
    {
      body: {
        tools: [{ type: 'function', function: { name: 'tide', parameters } }],
        tool_choice: 'required',
      },
    },
    { body: { response_format: { type: 'json_object' } } },
    { body: { max_completion_tokens: 1 } },
    { body: { messages: [] } },
  ],
  messages: [
    {},
    { body: { tools: [{ name: 'tide', input_schema: parameters }] } },
    { body: { tools: [{ name: 'tide', input_schema: parameters }], tool_choice: { type: 'any' } } },
    { body: { max_tokens: 1 } },
    { body: { max_tokens: 0 } },
  ],
  'generate-content': [
    {},
    { inArray: true },
    { body: { tools: [{ functionDeclarations: [{ name: 'tide', parameters }] }] } },
    { body: { generationConfig: { responseMimeType: 'application/json' } } },
    { body: { generationConfig: { maxOutputTokens: 1 } } },
    { body: { contents: [] } },
  ],
};

interface Case extends Cell {
  readonly facts: FaultFacts;
  readonly request: RawOptions;
}

const cases: readonly Case[] = [...faultFacts.values()].flatMap((facts) => {
  if (facts.listener !== undefined || facts.scenario !== undefined) return [];
  return cellsOf(facts).flatMap((cell) =>
    requests[cell.dialect].map((request) => ({ ...cell, facts, request })),
  );
});

/** What differs between two moments, in whatever dialect. */
const times = /^(?:date|\S+-reset): .*$|"created": ?[\d.]+|"obfuscation":"\w*"|^: ping - .*$/gim;

/** Faults whose connection never ends by itself, or only after very many bytes. */
const lasting = ['T10', 'T11', 'T20', 'S29'];

/** The healthy answer to its end, and the other one as far; one that lasts is given a moment more. */
async function callBoth(name: string, { facts, dialect, call, request }: Case) {
  const ask = (one: typeof faulty) => rawCall(one.base(name), { dialect, call, ...request });
  const [met, good] = [ask(faulty), ask(healthy)];
  const whole = { end: await good.over, text: good.text().replaceAll(times, '') };
  const isLasting = facts.verdict.deadline !== null || lasting.includes(facts.id);
  const patient = new Promise<null>((resolve) => setTimeout(() => resolve(null), isLasting ? 300 : 15_000));
  const end = await Promise.race([met.over, patient]);
  met.socket.destroy();
  return { met: { end, text: met.text().replaceAll(times, '') }, good: whole };
}

let tenants = 0;

async function judge(one: Case): Promise<void> {
  tenants += 1;
  const name = `silent-${tenants}`;
  const tenant = faulty.control.tenant(name);
  const fault = one.form === null ? { id: one.facts.id } : { id: one.facts.id, form: one.form };
  await tenant.script({ replies: [{ fault }] });
  const { met, good } = await callBoth(name, one);
  const { entries } = await tenant.journal({ requests: 1 });
  const entry = entries[0]?.reply.fault;
  await Promise.all([tenant.reset(), healthy.control.tenant(name).reset()]);
  const told = JSON.stringify({ fault, dialect: one.dialect, call: one.call, request: one.request });
  if (entry?.misfit !== undefined) {
    expect(entry.applied, told).toBe(false);
    expect(met.text, told).toMatch(/^HTTP\/1\.1 501 [\s\S]*(?:script|ask for them)/);
  } else if (entry?.applied === true) {
    expect(met, told).not.toEqual(good);
  } else {
    expect(entry, told).toMatchObject({ id: one.facts.id, applied: false });
    expect(met, told).toEqual(good);
    // A refused request, or a connection that carries its first request.
    expect(one.facts.id === 'T9' || /^HTTP\/1\.1 400/.test(met.text), told).toBe(true);
  }
}

it('changes the answer, or says with 501 or in the journal that it did not', {
  timeout: 300_000,
}, async () => {
  const isFull = process.env.GATECHECK_TEST_FULL !== undefined;
  const chosen = isFull ? cases : fc.sample(fc.constantFrom(...cases), 300);
  const atOnce = 6;
  for (let from = 0; from < chosen.length; from += atOnce)
    await Promise.all(chosen.slice(from, from + atOnce).map(judge));
});
