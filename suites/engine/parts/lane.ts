import { createHash } from 'node:crypto';
import type { Keys, Profile } from '../../profile/profile.ts';
import { Meter } from '../meter.ts';
import { Scene, type UpstreamScope } from '../scene.ts';
import type { Wear } from '../wear.ts';
import { Accounts } from './accounts.ts';
import type { CheckClock } from './check-clock.ts';
import type { CheckRecord } from './check-record.ts';
import type { CheckSender } from './check-sender.ts';
import { HttpCalls } from './http-calls.ts';
import { Images } from './images.ts';
import { LaneSender } from './lane-sender.ts';
import { Tasks } from './tasks.ts';
import { type ReachedReceiver, Webhooks } from './webhooks.ts';

/** What a check acts with: an account with keys, channels and scenes of its own, and the calls that are made with it. */
export interface Lane {
  readonly name: string;
  /** K1 is the main key; each call uses it unless it names another. */
  readonly keys: Keys;
  /** Simulator channel name to the public id that `error.channel` may show; empty when nobody declared any. */
  readonly channels: Readonly<Record<string, string>>;
  /** A fresh scope: a marker that survives the gateway in the prompt, and the upstream's script and journal under it. */
  readonly newScene: () => Scene;
  readonly http: HttpCalls;
  readonly images: Images;
  readonly tasks: Tasks;
  readonly webhooks: Webhooks;
  readonly accounts: Accounts;
  /** Tells what calls cost. */
  readonly meter: Meter;
}

/** A leased lane, as the runner hands it to a check. */
export interface LeasedLane extends Pick<Lane, 'name' | 'keys' | 'channels'> {
  /** What events of its account are signed with; null where the profile does not tell. */
  readonly webhookSecret: string | null;
  readonly upstream: UpstreamScope | null;
  readonly wear: Wear;
}

/** What the lanes of one check share. */
export interface LaneSurroundings {
  readonly profile: Profile;
  readonly signal: AbortSignal;
  readonly receiver: ReachedReceiver | null;
  readonly sender: CheckSender;
  readonly clock: CheckClock;
  readonly record: CheckRecord;
}

/** @param purpose tells the markers of this lane from those of every other lane, check and run. */
export function createLane(leased: LeasedLane, purpose: string, around: LaneSurroundings): Lane {
  const { name, keys, channels, upstream, wear } = leased;
  const { profile, signal } = around;
  const sender = new LaneSender({
    ...{ sender: around.sender, keys, wear },
    width: Math.max(1, profile.cap.value - 1),
  });
  const http = new HttpCalls(sender, around.sender);
  let scenes = 0;
  const newScene = (): Scene => {
    scenes += 1;
    const marker = `gc${createHash('sha256').update(`${purpose}:${scenes}`).digest('hex').slice(0, 12)}`;
    return new Scene(marker, upstream, signal, (replies) => wear.noteScript(replies), profile.media);
  };
  return {
    ...{ name, keys, channels, newScene, http },
    images: new Images({ ...around, sender, http }),
    tasks: new Tasks({ ...around, sender, http, channels: Object.values(channels) }),
    webhooks: new Webhooks({ ...around, secret: leased.webhookSecret }),
    accounts: new Accounts({ profile, keys, signal, sender }, around.record),
    meter: new Meter({ profile, signal, mainKey: keys.K1 }),
  };
}
