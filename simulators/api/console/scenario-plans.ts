import type { ScenarioPlan } from '../../control/console-shapes.ts';
import type { Scenario } from '../../control/scenario.ts';

/** What of a scenario can be drawn: its phases and outages over time. */
export function planOf({ name, description, channels }: Scenario): ScenarioPlan {
  return {
    name,
    description: description ?? null,
    channels: Object.fromEntries(
      Object.entries(channels).map(([pattern, { phases, outages, loop }]) => [
        pattern,
        {
          ...(phases === undefined ? {} : { phases }),
          ...(outages === undefined ? {} : { outages }),
          ...(loop === undefined ? {} : { loop }),
        },
      ]),
    ),
  };
}
