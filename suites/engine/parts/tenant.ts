import { createHash } from 'node:crypto';
import type { Reply } from 'gatecheck-simulators/client';
import type { NaturalTexts } from '../../generators/natural-text.ts';
import { callsAtOnce } from '../../profile/calls-at-once.ts';
import type { Keys, Profile } from '../../profile/profile.ts';
import type { DegradedModels } from '../degraded-models.ts';
import type { ForeignTraffic } from '../foreign-traffic.ts';
import { Meter } from '../meter.ts';
import { Scene, type TenantUpstream } from '../scene.ts';
import type { Semaphore } from '../semaphore.ts';
import type { ServedCalls } from '../served-calls.ts';
import type { SlotWatch } from '../slot-watch.ts';
import { Accounts } from './accounts.ts';
import type { CheckClock } from './check-clock.ts';
import type { CheckRecord } from './check-record.ts';
import type { CheckSender } from './check-sender.ts';
import { HttpCalls } from './http-calls.ts';
import { Images } from './images.ts';
import { Tasks } from './tasks.ts';
import { TenantSender } from './tenant-sender.ts';
import { type ReachedReceiver, Webhooks } from './webhooks.ts';

/** An account with its own keys, channels and scenes, through which a check makes calls. */
export interface Tenant {
  readonly name: string;
  /** K1 is the main key. Each call uses it unless it names another one. */
  readonly keys: Keys;
  /**
   * Simulator channel name to the public id that `error.channel` may show; empty when the profile declares none.
   */
  readonly channels: Readonly<Record<string, string>>;
  /**
   * Opens a new scene: a marker in the prompt that survives the gateway, and the upstream's script and journal
   * under it.
   */
  readonly newScene: () => Scene;
  /** Removes the scripts of earlier scenes, because an upstream holds only so many scripts. */
  readonly forgetScripts: () => Promise<void>;
  readonly http: HttpCalls;
  readonly images: Images;
  readonly tasks: Tasks;
  readonly webhooks: Webhooks;
  readonly accounts: Accounts;
  /** Measures what calls cost. */
  readonly meter: Meter;
}

/** A leased tenant, as the runner hands it to a check. */
export interface LeasedTenant extends Pick<Tenant, 'name' | 'keys' | 'channels'> {
  /** The secret that signs the events of its account; null where the profile does not declare it. */
  readonly webhookSecret: string | null;
  readonly upstream: TenantUpstream | null;
  readonly degraded: DegradedModels;
  readonly served: ServedCalls;
}

/** What the tenants of one check share. */
export interface TenantContext {
  readonly profile: Profile;
  readonly signal: AbortSignal;
  readonly receiver: ReachedReceiver | null;
  readonly sender: CheckSender;
  readonly clock: CheckClock;
  readonly record: CheckRecord;
  readonly slots: SlotWatch | null;
  /** The texts for the check's prompts. */
  readonly texts: NaturalTexts;
  readonly traffic: ForeignTraffic | null;
  readonly inFlight: Map<string, Semaphore> | null;
  /** Whether upstreams may pause between the chunks of an answer. */
  readonly drawsPace: boolean;
}

/** @param purpose distinguishes the markers of this tenant from those of every other tenant, check and run. */
export function createTenant(leased: LeasedTenant, purpose: string, around: TenantContext): Tenant {
  const { name, keys, channels, upstream, degraded, served } = leased;
  const { profile, signal, texts } = around;
  const sender = new TenantSender({
    ...{ sender: around.sender, keys, degraded },
    onServed: (exchange) => served.note(name, exchange),
    width: callsAtOnce(profile),
    ...{ slots: around.slots, traffic: around.traffic, inFlight: around.inFlight, signal },
  });
  const http = new HttpCalls(sender, around.sender);
  let scenes = 0;
  const newScene = (): Scene => {
    scenes += 1;
    const marker = `gc${createHash('sha256').update(`${purpose}:${scenes}`).digest('hex').slice(0, 12)}`;
    const onScript = (replies: readonly Reply[]): Reply[] => {
      degraded.noteScript(replies);
      return around.drawsPace ? withDrawnPace(marker, replies) : [...replies];
    };
    return new Scene(marker, upstream, signal, onScript, profile.media, texts);
  };
  const webhooks = new Webhooks({ ...around, secret: leased.webhookSecret });
  return {
    ...{ name, keys, channels, newScene, http, webhooks },
    forgetScripts: async () => upstream?.unscript(undefined, { signal }),
    images: new Images({ ...around, sender, http }),
    tasks: new Tasks({ ...around, sender, http, webhooks, channels: Object.values(channels) }),
    accounts: new Accounts({ profile, keys, signal, sender }, around.record),
    meter: new Meter({
      ...{ profile, signal, mainKey: keys.K1, traffic: around.traffic },
      recent: () => served.take(name),
    }),
  };
}

/** One scene in so many is answered at this pace, ms: slower than a burst, and not by much. */
const [oneIn, eachMs] = [6, 30];

/** What is longer, characters or pieces, comes at once: it would take seconds, and others wait for it. */
const [mostText, mostPieces] = [2_000, 40];

/** What only says something: all else has its own times. */
const talk = [
  'text',
  'deltas',
  'tool_calls',
  'argument_deltas',
  'usage',
  'finish',
  'model',
  'obey',
  'strict',
];

/**
 * The replies of a scene, in some scenes with time between their pieces, so that it shows whether a gateway forwards them as
 * they come (SSE-018). The marker draws which.
 */
function withDrawnPace(marker: string, replies: readonly Reply[]): Reply[] {
  const isPaced = Number.parseInt(marker.slice(-4), 16) % oneIn === 0;
  const isTalk = (reply: Reply): boolean =>
    Object.keys(reply).length > 0 && Object.keys(reply).every((name) => talk.includes(name));
  const isShort = ({ text, deltas, argument_deltas: calls }: Reply): boolean =>
    (text?.length ?? 0) <= mostText && (deltas?.length ?? 0) + (calls ?? 0) <= mostPieces;
  return replies.map((reply) =>
    isPaced && isTalk(reply) && isShort(reply) ? { ...reply, pacing: { each_ms: eachMs } } : reply,
  );
}
