import type { DrillPhase } from 'gatecheck-reports/drill/drill-report';
import type { ScenarioState } from 'gatecheck-simulators/client';
import type { ScenarioFile } from '../profile/drill-section.ts';

interface SeenPhase {
  readonly name: string;
  readonly fromMs: number;
  readonly channels: Set<string>;
  untilMs: number;
  isOver: boolean;
}

/** The phases of a scenario as the simulators showed them, and its outages as the file has them. */
export class PhaseLog {
  readonly #seen = new Map<string, SeenPhase>();
  readonly #beganMs: number;

  /** @param beganMs the start of the drill on the simulators' clock */
  constructor(beganMs: number) {
    this.#beganMs = beganMs;
  }

  /** Notes which phase each channel is in. */
  note({ channels }: ScenarioState, nowMs: number): void {
    const current = new Set<SeenPhase>();
    for (const [channel, { phase }] of Object.entries(channels)) {
      if (phase === null) continue;
      const key = `${phase.index} ${phase.since_ms}`;
      const name = phase.name ?? `phase ${phase.index + 1}`;
      const fromMs = phase.since_ms - this.#beganMs;
      const seen = this.#seen.get(key) ?? {
        name,
        fromMs,
        untilMs: nowMs,
        channels: new Set(),
        isOver: false,
      };
      seen.channels.add(channel);
      this.#seen.set(key, seen);
      current.add(seen);
    }
    for (const seen of this.#seen.values()) {
      if (!seen.isOver) seen.untilMs = nowMs;
      if (!current.has(seen)) seen.isOver = true;
    }
  }

  /** In order of their begin. A phase ends where the next one of its channels begins. */
  phases(file: ScenarioFile, endMs: number): DrillPhase[] {
    const all = [...this.#seen.values()];
    const played = all.map((phase): DrillPhase => {
      const next = all
        .filter(
          ({ fromMs, channels }) =>
            fromMs > phase.fromMs && [...channels].some((one) => phase.channels.has(one)),
        )
        .map(({ fromMs }) => fromMs);
      const untilMs = Math.min(endMs, ...(next.length > 0 ? next : [phase.untilMs]));
      const channels =
        phase.channels.size > 4 ? `${phase.channels.size} channels` : [...phase.channels].join(', ');
      return {
        name: phase.name,
        channels,
        from_s: Math.max(0, phase.fromMs) / 1_000,
        until_s: untilMs / 1_000,
      };
    });
    const outages = Object.entries(file.channels).flatMap(([channels, given]) =>
      (given?.outages ?? []).map(
        ({ from_ms, until_ms = Number.POSITIVE_INFINITY }): DrillPhase => ({
          ...{ name: 'outage', channels, from_s: from_ms / 1_000 },
          until_s: Math.min(until_ms, endMs) / 1_000,
        }),
      ),
    );
    const inTime = ({ from_s, until_s }: DrillPhase): boolean => from_s < until_s;
    return [...played, ...outages].filter(inTime).toSorted((one, other) => one.from_s - other.from_s);
  }
}
