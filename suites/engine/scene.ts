import type {
  JobMove,
  JobState,
  JournalEntry,
  Reply,
  TenantControl,
} from '../../simulators/control/client.ts';
import { legalMediaBody } from '../generators/legal-media-body.ts';
import { isCountingCall } from '../oracle/native/dialects.ts';
import type { MediaProfile } from '../profile/profile.ts';
import { Untestable } from '../rules/violation.ts';

/** The simulated upstream as one lane sees it, or as a whole deployment does when it has no lanes. */
export type TenantUpstream = TenantControl;

/** A request as it reached the upstream. */
export interface UpstreamRequest {
  readonly entry: JournalEntry;
  readonly headers: ReadonlyMap<string, string>;
  readonly text: string;
  readonly json: Record<string, unknown>;
}

/** What addresses of media can lead to, with the extension and the list of the profile. */
const mediaKinds = {
  image: ['png', 'image_urls'],
  video: ['mp4', 'video_urls'],
  audio: ['mp3', 'audio_urls'],
} as const;

/** How long a check waits for something to reach the upstream before it counts as not having happened. */
const arrivalMs = 5_000;

/**
 * One arrangement within a check: a marker in the prompt that survives the gateway, and under this marker
 * the upstream's script and journal. Nothing of another check can be mixed up with it.
 */
export class Scene {
  readonly marker: string;
  readonly #upstream: TenantUpstream | null;
  readonly #signal: AbortSignal;
  readonly #onScript: (replies: readonly Reply[]) => void;
  readonly #media: MediaProfile | null;

  constructor(
    marker: string,
    upstream: TenantUpstream | null,
    signal: AbortSignal,
    onScript: (replies: readonly Reply[]) => void = () => undefined,
    media: MediaProfile | null = null,
  ) {
    this.marker = marker;
    this.#upstream = upstream;
    this.#signal = signal;
    this.#onScript = onScript;
    this.#media = media;
  }

  /** A prompt that carries the marker. */
  prompt(text = 'Say something short about the sea.'): string {
    return `${text} [${this.marker}]`;
  }

  /** The smallest legal request: a model and one user message. */
  minimal(model: string, text?: string): { model: string; messages: { role: string; content: string }[] } {
    return { model, messages: [{ role: 'user', content: this.prompt(text) }] };
  }

  /** The smallest legal request of compat path A. */
  minimalA(
    model: string,
    text?: string,
  ): { model: string; max_tokens: number; messages: { role: string; content: string }[] } {
    return { model, max_tokens: 256, messages: [{ role: 'user', content: this.prompt(text) }] };
  }

  /** The smallest legal request of compat path B, whose model stands in the path. */
  minimalB(text?: string): { contents: { role: string; parts: { text: string }[] }[] } {
    return { contents: [{ role: 'user', parts: [{ text: this.prompt(text) }] }] };
  }

  /** The smallest legal body of a media model. @throws Untestable where it needs a voice that nobody declared. */
  minimalMedia(model: string): Record<string, unknown> & { model: string } {
    const voice = this.#media?.voice_ids[0];
    if (model === 'voice-v3' && voice === undefined && this.#upstream === null)
      throw new Untestable('media.voices');
    return legalMediaBody(model, this, voice);
  }

  /**
   * An address of media to hand in: one with the marker in it, which simulated upstreams do not fetch, else one of the
   * profile. `place` tells several of one request apart.
   */
  mediaUrl(kind: keyof typeof mediaKinds, place = 0): string {
    const [extension, list] = mediaKinds[kind];
    const name = place === 0 ? 'sea' : `sea-${place}`;
    if (this.#upstream !== null) return `https://media.example.com/${this.marker}/${name}.${extension}`;
    const known = this.#media?.[list] ?? [];
    const url = known[place % Math.max(1, known.length)];
    if (url === undefined) throw new Untestable('media.urls');
    return url;
  }

  /** The jobs of this scene, of all channels, once there are `count` of them (or fewer, when time is up). */
  async jobs(count = 1): Promise<JobState[]> {
    const { entries } = await this.#journal('requests', count, () => true);
    const own = new Set(entries.map(({ n }) => n));
    const jobs = await this.#tenantUpstream().jobs({ signal: this.#signal });
    return jobs.filter((job) => own.has(job.request_n));
  }

  /** The one job of this scene, or the last one of several. @throws Error when there is none in time. */
  async job(): Promise<JobState> {
    const job = (await this.jobs()).at(-1);
    if (job === undefined) throw new Error('no job of this scene has reached the upstream');
    return job;
  }

  /** Lets a job that is held go on. */
  async moveJob(job: Pick<JobState, 'id'>, move: JobMove): Promise<void> {
    await this.#tenantUpstream().moveJob(job.id, move, { signal: this.#signal });
  }

  /** The questions after a job and the answers to them, by its own id. */
  async questionsAfter(jobId: string): Promise<UpstreamRequest[]> {
    const { entries } = await this.#tenantUpstream().journal({ path: jobId }, { signal: this.#signal });
    return entries.map(read);
  }

  /** The scene of the jobs that go on from this one: the upstream meets its id in them, and no marker. */
  child(nativeId: string): Scene {
    return new Scene(nativeId, this.#upstream, this.#signal, this.#onScript, this.#media);
  }

  /** Scripts what the upstream answers to the requests of this scene, in order; the last reply repeats. */
  async script(...replies: Reply[]): Promise<void> {
    this.#onScript(replies);
    await this.#tenantUpstream().script({ marker: this.marker, replies }, { signal: this.#signal });
  }

  /** Scripts what one channel answers to the requests of this scene, over what all of them were told. */
  async scriptOn(channel: string, ...replies: Reply[]): Promise<void> {
    this.#onScript(replies);
    await this.#tenantUpstream().script({ marker: this.marker, channel, replies }, { signal: this.#signal });
  }

  /** Puts the upstreams of the whole lane through a scenario of `fixtures/scenarios`, from now on. */
  async play(file: string): Promise<void> {
    this.#onScript([{ status: 500 }]);
    await this.#tenantUpstream().play({ file }, { signal: this.#signal });
  }

  /** Takes the scenario to its next phase. */
  async step(): Promise<void> {
    await this.#tenantUpstream().step(undefined, { signal: this.#signal });
  }

  /** Ends the scenario: the upstreams are well. */
  async stop(): Promise<void> {
    await this.#tenantUpstream().stop({ signal: this.#signal });
  }

  /** Opens every gate at which requests of the lane wait, or that of one request. Returns how many were opened. */
  async release(request?: UpstreamRequest): Promise<number> {
    return this.#tenantUpstream().release(request?.entry.n, { signal: this.#signal });
  }

  /**
   * The requests of this scene that reached the upstream, once there are `count` of them (or fewer, when time is up).
   * Calls that only ask how long the prompt is are none, here and below: see {@link countingCalls}; nor are those that
   * ask after a job or read what it made.
   */
  async requests(count = 1): Promise<UpstreamRequest[]> {
    const { entries } = await this.#journal('requests', count, () => true);
    return entries.map(read);
  }

  /** What has reached the upstream by now, without waiting. */
  async requestsNow(): Promise<UpstreamRequest[]> {
    const entries = await this.#entriesNow();
    return entries.filter((entry) => !isBeside(entry)).map(read);
  }

  /** Calls that only asked the upstream how long the prompt of this scene is. */
  async countingCalls(): Promise<UpstreamRequest[]> {
    return (await this.#entriesNow()).filter(counts).map(read);
  }

  /** Waits until `count` requests of the scene are held at the upstream (at a gate, or hanging). False when time is up. */
  async held(count: number): Promise<boolean> {
    return (await this.#journal('waiting', count, (entry) => entry.reply.waiting_at !== null)).satisfied;
  }

  /** Waits until `count` requests of the scene have ended at the upstream. False when time is up. */
  async ended(count: number): Promise<boolean> {
    return (await this.#journal('ended', count, (entry) => entry.reply.ended !== 'open')).satisfied;
  }

  /** Waits until `count` requests that are no counting calls are such; the journal itself counts all. */
  async #journal(
    what: 'requests' | 'waiting' | 'ended',
    count: number,
    isSuch: (entry: JournalEntry) => boolean,
  ): Promise<{ satisfied: boolean; entries: JournalEntry[] }> {
    const until = performance.now() + arrivalMs;
    for (let beside = 0; ; ) {
      const { satisfied, entries } = await this.#tenantUpstream().journal(
        {
          marker: this.marker,
          timeout_ms: Math.max(1, Math.round(until - performance.now())),
          [what]: count + beside,
        },
        { signal: this.#signal },
      );
      const such = entries.filter(isSuch);
      const found = entries.filter((entry) => !isBeside(entry));
      const enough = such.filter((entry) => !isBeside(entry)).length >= count;
      if (enough || !satisfied) return { satisfied: enough, entries: found };
      beside = such.filter(isBeside).length;
    }
  }

  async #entriesNow(): Promise<JournalEntry[]> {
    const { entries } = await this.#tenantUpstream().journal(
      { marker: this.marker },
      { signal: this.#signal },
    );
    return entries;
  }

  #tenantUpstream(): TenantUpstream {
    if (this.#upstream === null) throw new Untestable('upstream.control');
    return this.#upstream;
  }
}

function counts(entry: JournalEntry): boolean {
  return isCountingCall(entry.request.path);
}

/** Calls that are none for an answer of a model: for a count, for how a job stands, for a file. */
function isBeside(entry: JournalEntry): boolean {
  return counts(entry) || entry.request.method === 'GET';
}

function read(entry: JournalEntry): UpstreamRequest {
  const text = Buffer.from(entry.request.body_base64, 'base64').toString('utf8');
  return {
    entry,
    headers: new Map(entry.request.headers.map(([name, value]) => [name.toLowerCase(), value])),
    text,
    json: parseObject(text),
  };
}

function parseObject(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return value !== null && typeof value === 'object' ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
