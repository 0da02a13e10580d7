import { readFileSync } from 'node:fs';
import type { Profile } from '../../suites/profile/profile.ts';
import { type EventRelay, startEventRelay } from '../../suites/rewrite/event-relay.ts';
import { type FrontProxy, startFrontProxy } from '../../suites/rewrite/front-proxy.ts';
import type { Mutation } from '../../suites/rewrite/mutation.ts';
import { startUpstreamRelay, type UpstreamRelay } from '../../suites/rewrite/upstream-relay.ts';
import { preflight } from '../../suites/runner/preflight.ts';
import type { JobTarget } from '../../suites/runner/run-input.ts';
import { StartError } from '../../suites/stack/child.ts';
import { type Stack, type StackGateway, startStack } from '../../suites/stack/stack.ts';
import type { Mutant, Variant } from '../edits/mutant.ts';
import { patchFlags } from './patch.ts';
import { referenceTarget, targetOf } from './plan.ts';

/** Tenants that the reference, the front mutants and the variants share. */
const mainTenants = 16;

/** Maximum concurrent mutants: tenants for upstream mutants, and separate gateways (0.5 GB each). */
export interface MutantLimits {
  readonly upstream: number;
  readonly source: number;
}

export interface ProofStackOptions {
  readonly seed: number;
  /** The mutants and variants that may be requested later. */
  readonly mutants: readonly Mutant[];
  readonly variants: readonly Variant[];
  readonly limits: MutantLimits;
}

/** Flags and environment for starting Node. */
interface NodeFlags {
  readonly nodeArgs: readonly string[];
  readonly env: NodeJS.ProcessEnv;
}

type SourceMutant = Extract<Mutant, { kind: 'source' }>;

/** The reference stack with proxies on both sides of its gateway, which apply mutants and variants. */
export class ProofStack {
  readonly #stack: Stack;
  readonly #relay: UpstreamRelay;
  readonly #events: EventRelay;
  readonly #front: FrontProxy;
  readonly #profile: Profile;
  readonly #models: Pick<JobTarget, 'models' | 'mediaModels'>;
  readonly #spare: Profile['tenants'];
  #gateways: StackGateway[] = [];
  #started = 0;

  private constructor(parts: {
    stack: Stack;
    relay: UpstreamRelay;
    events: EventRelay;
    front: FrontProxy;
    profile: Profile;
    models: Pick<JobTarget, 'models' | 'mediaModels'>;
  }) {
    this.#stack = parts.stack;
    this.#relay = parts.relay;
    this.#events = parts.events;
    this.#front = parts.front;
    this.#models = parts.models;
    this.#profile = { ...parts.profile, tenants: parts.profile.tenants.slice(0, mainTenants) };
    this.#spare = parts.profile.tenants.slice(mainTenants);
  }

  static async start(options: ProofStackOptions): Promise<ProofStack> {
    const { seed, mutants, variants, limits } = options;
    let relay: UpstreamRelay | null = null;
    let events: EventRelay | null = null;
    let stack: Stack | null = null;
    let provider = '';
    try {
      stack = await startStack({
        seed,
        tenants: mainTenants + limits.upstream,
        moreGateways: true,
        between: async (providerUrl) => {
          provider = new URL(providerUrl).host;
          relay = await startUpstreamRelay(providerUrl);
          // Only for mutants: a proxy would change malformed bytes on the wire into something else.
          return { url: relay.url, isFor: (tenant) => tenantNumber(tenant) > mainTenants };
        },
        events: async ({ key, cert }) => {
          events = await startEventRelay({
            key: readFileSync(key, 'utf8'),
            cert: readFileSync(cert, 'utf8'),
          });
          // Links to results name the simulators directly, even when a relay is in front of them.
          return { allowedHosts: [events.host, provider] };
        },
      });
      if (relay === null || events === null) throw new Error('the stack was started without its relays');
      const { profile, models, mediaModels, lost } = await preflight(stack.profile);
      if (lost.length > 0) throw new Error(`the reference stack is not whole: ${lost.join('; ')}`);
      leadEvents(events, stack);
      const front = await startFrontProxy(stack.baseUrl, frontMutations(mutants, variants), {
        relay: events,
        ...(profile.webhooks.kit === undefined ? {} : { kitUrl: profile.webhooks.kit.url }),
      });
      return new ProofStack({ stack, relay, events, front, profile, models: { models, mediaModels } });
    } catch (error) {
      const relays = [relay, events] as (UpstreamRelay | EventRelay | null)[];
      await Promise.all([stack?.stop(), ...relays.map((one) => one?.close())]);
      throw error;
    }
  }

  /** Runs `work` on the stack. Rejects as soon as a process of the stack ends. */
  whileUp<T>(work: Promise<T>): Promise<T> {
    const broken = this.#stack.failed.then((reason) => Promise.reject(new Error(reason)));
    return Promise.race([work, broken]);
  }

  reference(): JobTarget {
    return this.#target(referenceTarget, this.#profile);
  }

  variant(variant: Variant): JobTarget {
    const id = targetOf('variant', variant.id);
    const chat = { ...this.#profile.chat, ...variant.declares?.chat };
    return this.#target(id, { ...this.#fronted(id), chat });
  }

  /**
   * Starts the mutants of one batch, within `limits`, and removes those of the batch before.
   * A mutant that cannot be started is left out, with its reason in `faults`.
   */
  async arrange(mutants: readonly Mutant[], faults: Map<string, string>): Promise<Map<string, JobTarget>> {
    await this.#clear();
    const spare = [...this.#spare];
    const targets = new Map<string, JobTarget>();
    const late: SourceMutant[] = [];
    const starting = mutants.map(async (mutant) => {
      const id = targetOf('mutant', mutant.id);
      if (mutant.kind === 'source') {
        await this.#start(mutant, targets, (error) => {
          if (error instanceof StartError && error.childCode === null) late.push(mutant);
          else faults.set(mutant.id, error.message);
        });
      } else if (mutant.kind === 'front') {
        targets.set(mutant.id, this.#target(id, this.#fronted(id)));
      } else {
        const tenant = spare.shift();
        if (tenant === undefined) throw new Error('a batch has more upstream mutants than there are tenants');
        this.#relay.arm(tenant.name, mutant.mutation);
        targets.set(mutant.id, {
          ...this.#target(id, { ...this.#profile, tenants: [tenant] }),
          pool: tenant.name,
        });
      }
    });
    await Promise.all(starting);
    // A busy machine may be too slow for this many at once. Whatever was not ready in time is started again, alone.
    for (const mutant of late)
      await this.#start(mutant, targets, (error) => void faults.set(mutant.id, error.message));
    return targets;
  }

  async #start(
    mutant: SourceMutant,
    targets: Map<string, JobTarget>,
    onFault: (error: Error) => void,
  ): Promise<void> {
    try {
      targets.set(mutant.id, await this.addGateway(targetOf('mutant', mutant.id), patchFlags(mutant)));
    } catch (error) {
      onFault(error as Error);
    }
  }

  async stop(): Promise<void> {
    await Promise.all([this.#stack.stop(), this.#relay.close(), this.#front.close()]);
    // Closed last, because a gateway that shuts down may still send an event.
    await this.#events.close();
  }

  /** The profile of the deployment as seen through the front proxy, including its receiver kit. */
  #fronted(id: string): Profile {
    const { webhooks } = this.#profile;
    const kit = webhooks.kit === undefined ? {} : { kit: { ...webhooks.kit, url: this.#front.kitUrlOf(id) } };
    return { ...this.#profile, base_url: this.#front.baseUrlOf(id), webhooks: { ...webhooks, ...kit } };
  }

  async #clear(): Promise<void> {
    for (const tenant of this.#spare) this.#relay.arm(tenant.name, null);
    await Promise.all(this.#gateways.map((gateway) => gateway.stop()));
    this.#gateways = [];
  }

  /** Starts another gateway in a Node process with these flags. It ends with the batch. */
  async addGateway(id: string, flags: NodeFlags): Promise<JobTarget> {
    const { target, gateway } = await this.#launch(id, flags);
    this.#gateways.push(gateway);
    return target;
  }

  /** The same for a gateway outside of batches: the caller stops it. */
  async startGateway(
    id: string,
    flags: NodeFlags,
  ): Promise<{ target: JobTarget; stop: () => Promise<void> }> {
    const { target, gateway } = await this.#launch(id, flags);
    return { target, stop: () => gateway.stop() };
  }

  async #launch(
    id: string,
    { nodeArgs, env }: NodeFlags,
  ): Promise<{ target: JobTarget; gateway: StackGateway }> {
    this.#started += 1;
    const gateway = await this.#stack.addGateway(`mutant-${this.#started}`, nodeArgs, env);
    return { gateway, target: this.#target(id, { ...gateway.profile, tenants: this.#profile.tenants }) };
  }

  /** All targets share one stack: its simulators, and one lock for checks that move the clock. */
  #target(id: string, profile: Profile): JobTarget {
    return { id, stack: 'main', pool: 'main', profile, ...this.#models };
  }
}

/** Tenants are numbered from 1; a name without a number gives 0. */
function tenantNumber(tenant: string): number {
  return Number(/\d+$/.exec(tenant)?.[0] ?? 0);
}

/** Passes the receiver's address and the tenants' secrets to the relay of events. */
function leadEvents(relay: EventRelay, { receiver, profile }: Stack): void {
  relay.lead({
    receiver: receiver.url,
    plain: receiver.canary_url.replace('https:', 'http:'),
    ca: readFileSync(receiver.ca, 'utf8'),
    accounts: profile.tenants.flatMap(({ keys, webhook_secret: secret }) =>
      secret === undefined ? [] : [{ keys: Object.values(keys).filter((key) => key !== undefined), secret }],
    ),
  });
}

function frontMutations(mutants: readonly Mutant[], variants: readonly Variant[]): Map<string, Mutation> {
  const front = mutants.flatMap((mutant): [string, Mutation][] =>
    mutant.kind === 'front' ? [[targetOf('mutant', mutant.id), mutant.mutation]] : [],
  );
  return new Map([
    ...front,
    ...variants.map((variant): [string, Mutation] => [targetOf('variant', variant.id), variant.mutation]),
  ]);
}
