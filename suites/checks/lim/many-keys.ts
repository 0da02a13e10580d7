import { defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import type { Judge } from '../../engine/parts/judge.ts';
import type { Target } from '../../engine/parts/target.ts';
import type { Scene } from '../../engine/scene.ts';
import type { UpstreamRequest } from '../../engine/upstream-request.ts';
import { must } from '../../rules/violation.ts';
import { patiently } from '../../steps/failures/pass-timeouts.ts';
import { formsOn, type ProtocolModel, protocolModelsOf } from '../../steps/protocols/protocol-model.ts';
import { readSaid } from '../../steps/protocols/said.ts';
import { isHeld } from '../../steps/ways/hold-all.ts';
import type { Exchange } from '../../wire/exchange.ts';
import type { LiveExchange } from '../../wire/live-exchange.ts';

/** Five keys of one user, in two apps. */
const fiveKeys = [{ app: 0 }, { app: 1 }, { app: 0 }, { app: 1 }, { app: 0 }];

/** How many calls of each key are sent at once. */
const callsEach = 4;

const rule = { requirement: 'LIM-002', aspect: 'cap-of-five-keys' };

type Form = ProtocolModel & { readonly stream: boolean };
type Call = Form & { readonly key: string };

interface Burst {
  readonly call: Call;
  readonly scene: Scene;
  readonly live: LiveExchange;
}

/** As many calls as the cap reach the upstream, and the others are refused. */
export const fiveKeysShareTheCap = defineCheck({
  id: 'lim.cap.five-keys',
  title: 'five keys of one user share one cap on all paths, and clients that abort free their slots',
  requirements: ['LIM-002'],
  kind: 'concurrency',
  needs: ['upstream.control', 'hooks.accounts'],
  run: async (parts) => {
    const { accounts, cases, rng, target } = parts;
    const { keys } = await accounts.create({ apps: [{}, { markup_bp: 1_000 }], keys: fiveKeys });
    const secrets = keys.map(({ secret }) => secret);
    const forms = await formsOfAll(parts);
    for (const ending of ['answered', 'left'] as const) {
      cases.count();
      const keysAtOnce = secrets.flatMap((key) => Array.from({ length: callsEach }, () => key));
      const calls = rng
        .shuffle(keysAtOnce)
        .map((key, index): Call => ({ key, ...(forms[index % forms.length] as Form) }));
      await judgeBurst(parts, calls, ending);
    }
    // The slot of an aborted call may be freed late.
    await patiently(parts, () => judgeBurst(parts, onePerSlot(target, secrets, forms), 'answered'));
  },
});

async function formsOfAll(parts: CheckParts): Promise<Form[]> {
  const forms = await Promise.all(
    protocolModelsOf(parts).map(async (protocolModel) =>
      (await formsOn(parts, protocolModel)).map((stream): Form => ({ ...protocolModel, stream })),
    ),
  );
  return parts.rng.shuffle(forms.flat());
}

/** As many calls as the cap, so that a single slot not given back shows. */
function onePerSlot(target: Target, secrets: readonly string[], forms: readonly Form[]): Call[] {
  return Array.from({ length: target.profile.cap.value }, (_, index) => ({
    ...(forms[index % forms.length] as Form),
    key: secrets[index % secrets.length] ?? '',
  }));
}

/** Sends all calls at once, and judges that as many as the cap are held at the upstream. */
async function judgeBurst(
  parts: CheckParts,
  calls: readonly Call[],
  ending: 'answered' | 'left',
): Promise<void> {
  const { target, judge } = parts;
  const cap = target.profile.cap.value;
  const burst = await Promise.all(calls.map((call) => open(parts, call)));
  const held = await Promise.all(burst.map(isHeld));
  const through = burst.filter((_, index) => held[index]);
  const refused = await Promise.all(burst.filter((_, index) => !held[index]).map(({ live }) => live.done));
  if (through.length !== cap || ending === 'left') for (const { live } of through) live.abort();
  must(through.length === cap, {
    ...rule,
    aspect: through.length > cap ? rule.aspect : 'room-for-five-keys',
    expected: `${cap} of ${calls.length} calls in flight`,
    actual: `${through.length} of them reach the upstream at once`,
    exchange: refused[0],
  });
  for (const exchange of refused) judge.refused(exchange, { ...rule, codes: ['concurrency_exceeded'] });
  await Promise.all(through.map((one) => end(judge, one, ending)));
}

async function open({ newScene, http }: CheckParts, call: Call): Promise<Burst> {
  const { protocol, model, stream, key } = call;
  const scene = newScene();
  await scene.script({ text: 'one two', deltas: ['one ', 'two'], gates: [stream ? 1 : 'head'] });
  const label = `${protocol.name}${stream ? ', stream' : ''}, one of many at once`;
  return {
    call,
    scene,
    live: protocol.open(http, model, protocol.body(scene, { model }), { label, stream, key }),
  };
}

async function end(
  judge: Judge,
  { call, scene, live }: Burst,
  ending: 'answered' | 'left',
): Promise<Exchange> {
  if (ending === 'left') {
    const exchange = await live.done;
    await scene.closedWithClient();
    return exchange;
  }
  const [request] = await scene.requests(1);
  await scene.release(request as UpstreamRequest);
  const exchange = await live.done;
  const { protocol, model, stream } = call;
  readSaid(judge, protocol, exchange, { ...rule, aspect: 'held-completes', model, stream });
  return exchange;
}
