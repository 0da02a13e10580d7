import type { JobMove, JobState, JournalEntry, Reply, TenantControl } from 'gatecheck-simulators/client';
import { legalMediaBody } from '../generators/legal-media-body.ts';
import { type NaturalTexts, naturalTexts } from '../generators/natural-text.ts';
import type { MediaProfile } from '../profile/profile.ts';
import { must, Untestable } from '../rules/violation.ts';
import { isBeside, isCounting, readRequest, type UpstreamRequest } from './upstream-request.ts';

/** The simulated upstream as one tenant sees it, or as a whole deployment does when it has no tenants. */
export type TenantUpstream = TenantControl;

/** The kinds of media that a URL can lead to, each with its file extension and its list in the profile. */
const mediaKinds = {
  image: ['png', 'image_urls'],
  video: ['mp4', 'video_urls'],
  audio: ['mp3', 'audio_urls'],
} as const;

/** How long a check waits for a request to reach the upstream before it counts as missing, ms. */
const arrivalMs = 5_000;

/** How soon a deployment closes an upstream call whose client has left, if it closes it at all, ms. */
const closedWithinMs = 1_000;

/**
 * One arrangement within a check. Its marker in the prompt survives the gateway, and the upstream keeps a script
 * and a journal under this marker. Nothing of another check can mix with it.
 */
export class Scene {
  readonly marker: string;
  /** The texts for its prompts, the same in all scenes of a check, because a longer prompt has more tokens. */
  readonly texts: NaturalTexts;
  readonly #upstream: TenantUpstream | null;
  readonly #signal: AbortSignal;
  readonly #onScript: (replies: readonly Reply[]) => Reply[];
  readonly #media: MediaProfile | null;

  constructor(
    marker: string,
    upstream: TenantUpstream | null,
    signal: AbortSignal,
    onScript: (replies: readonly Reply[]) => Reply[] = (replies) => [...replies],
    media: MediaProfile | null = null,
    texts: NaturalTexts = naturalTexts(0),
  ) {
    this.marker = marker;
    this.texts = texts;
    this.#upstream = upstream;
    this.#signal = signal;
    this.#onScript = onScript;
    this.#media = media;
  }

  /** A prompt that carries the marker. */
  prompt(text = this.texts.prompt): string {
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

  /** The smallest legal request of compat path B, whose model is in the path. */
  minimalB(text?: string): { contents: { role: string; parts: { text: string }[] }[] } {
    return { contents: [{ role: 'user', parts: [{ text: this.prompt(text) }] }] };
  }

  /**
   * The smallest legal body of a media model.
   * @throws Untestable when the model needs a voice and the profile declares none.
   */
  minimalMedia(model: string): Record<string, unknown> & { model: string } {
    const voice = this.#media?.voice_ids[0];
    if (model === 'voice-v3' && voice === undefined && this.#upstream === null)
      throw new Untestable('media.voices');
    const prompt = (): string => this.prompt(this.texts.subject);
    const mediaUrl = (kind: keyof typeof mediaKinds): string => this.mediaUrl(kind);
    return legalMediaBody(model, { prompt, mediaUrl }, voice);
  }

  /**
   * A URL of an input file. It contains the marker where simulated upstreams are used, because they fetch nothing;
   * otherwise it comes from the profile. `place` distinguishes several URLs of one request.
   */
  mediaUrl(kind: keyof typeof mediaKinds, place = 0): string {
    const [extension, list] = mediaKinds[kind];
    const name = place === 0 ? 'sea' : `sea-${place}`;
    if (this.#upstream !== null) return `https://media.example.com/${this.marker}/${name}.${extension}`;
    const known = this.#media?.[list] ?? [];
    const url = known[place % Math.max(1, known.length)];
    if (url === undefined) throw new Untestable(`media.${list}`);
    return url;
  }

  /** The jobs of this scene on all channels. It waits until there are `count` of them or the time is up. */
  async jobs(count = 1): Promise<JobState[]> {
    const { entries } = await this.#journal('requests', count, () => true);
    const own = new Set(entries.map(({ n }) => n));
    const jobs = await this.#tenantUpstream().jobs({ signal: this.#signal });
    return jobs.filter((job) => own.has(job.request_n));
  }

  /**
   * The job of this scene, or the last of several.
   * @throws Violation when there is none in time: a task was accepted, and its job was never started.
   */
  async job(): Promise<JobState> {
    const job = (await this.jobs()).at(-1);
    const rule = { requirement: 'STATE-004', aspect: 'job-started' };
    must(job !== undefined, {
      ...rule,
      expected: 'the job of an accepted task at an upstream',
      actual: 'none',
    });
    return job;
  }

  /** Lets a held job continue. */
  async moveJob(job: Pick<JobState, 'id'>, move: JobMove): Promise<void> {
    await this.#tenantUpstream().moveJob(job.id, move, { signal: this.#signal });
  }

  /** The polls of a job with their answers, by the job's own id. */
  async questionsAfter(jobId: string): Promise<UpstreamRequest[]> {
    const { entries } = await this.#tenantUpstream().journal({ path: jobId }, { signal: this.#signal });
    return entries.map(readRequest);
  }

  /** The scene of jobs that continue this one. Their upstream requests contain its id and no marker. */
  child(nativeId: string): Scene {
    return new Scene(nativeId, this.#upstream, this.#signal, this.#onScript, this.#media, this.texts);
  }

  /** Scripts how the upstream answers the requests of this scene, in order; the last reply repeats. */
  async script(...given: Reply[]): Promise<void> {
    const replies = this.#onScript(given);
    await this.#tenantUpstream().script({ marker: this.marker, replies }, { signal: this.#signal });
  }

  /** Scripts how one channel answers the requests of this scene. It overrides the script of all channels. */
  async scriptOn(channel: string, ...given: Reply[]): Promise<void> {
    const replies = this.#onScript(given);
    await this.#tenantUpstream().script({ marker: this.marker, channel, replies }, { signal: this.#signal });
  }

  /**
   * Breaks every connection that the gateway reuses for a request of this scene. On new connections the upstream answers as
   * usual.
   */
  async loseReused(by: 'fin' | 'rst'): Promise<void> {
    await this.#tenantUpstream().script(
      { marker: this.marker, replies: [{}], reused: by },
      { signal: this.#signal },
    );
  }

  /** Starts a scenario of `fixtures/scenarios` on all upstreams of the tenant. */
  async play(file: string): Promise<void> {
    this.#onScript([{ status: 500 }]);
    await this.#tenantUpstream().play({ file }, { signal: this.#signal });
  }

  /** Moves the scenario to its next phase. */
  async step(): Promise<void> {
    await this.#tenantUpstream().step(undefined, { signal: this.#signal });
  }

  /** Ends the scenario, so that the upstreams are healthy again. */
  async stop(): Promise<void> {
    await this.#tenantUpstream().stop({ signal: this.#signal });
  }

  /**
   * Opens every gate where requests of the tenant wait, or only that of one request. Returns how many were opened.
   */
  async release(request?: UpstreamRequest): Promise<number> {
    return this.#tenantUpstream().release(request?.entry.n, { signal: this.#signal });
  }

  /**
   * The requests of this scene that reached the upstream. It waits until there are `count` of them or the time is
   * up. Calls that only count tokens are excluded, here and below: see {@link countingCalls}. So are polls of a
   * job and reads of its files.
   */
  async requests(count = 1): Promise<UpstreamRequest[]> {
    const { entries } = await this.#journal('requests', count, () => true);
    return entries.map(readRequest);
  }

  /** The requests that have reached the upstream by now, without waiting. */
  async requestsNow(): Promise<UpstreamRequest[]> {
    const entries = await this.#entriesNow();
    return entries.filter((entry) => !isBeside(entry)).map(readRequest);
  }

  /** The calls that only asked the upstream to count the tokens of this scene's prompt. */
  async countingCalls(): Promise<UpstreamRequest[]> {
    return (await this.#entriesNow()).filter(isCounting).map(readRequest);
  }

  /**
   * Waits until the upstream holds `count` requests of the scene (at a gate, or hanging). False when the time is
   * up.
   */
  async held(count: number): Promise<boolean> {
    return (await this.#journal('waiting', count, (entry) => entry.reply.waiting_at !== null)).satisfied;
  }

  /** Waits until `count` requests of the scene have ended at the upstream. False when the time is up. */
  async ended(count: number, withinMs = arrivalMs): Promise<boolean> {
    return (await this.#journal('ended', count, (entry) => entry.reply.ended !== 'open', withinMs)).satisfied;
  }

  /**
   * Waits a moment for the upstream to see that the client of the scene has left, whose earlier attempts have ended by then.
   * Returns false for a deployment that reads on to the upstream's end, and so never closes the last one.
   */
  async closedWithClient(): Promise<boolean> {
    const made = (await this.requestsNow()).length;
    return this.ended(Math.max(1, made), closedWithinMs);
  }

  /** Waits for `count` such requests without token-counting calls, which the journal's own count includes. */
  async #journal(
    what: 'requests' | 'waiting' | 'ended',
    count: number,
    isSuch: (entry: JournalEntry) => boolean,
    withinMs = arrivalMs,
  ): Promise<{ satisfied: boolean; entries: JournalEntry[] }> {
    const until = performance.now() + withinMs;
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
