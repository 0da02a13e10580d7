import { resolve } from 'node:path';
import type { Scenario, ScenarioChannel } from '../control/scenario.ts';
import { CaptureError, exchangeOf, readCapture } from '../recordings/capture-file.ts';
import type { FileFault } from './read-yaml.ts';

/**
 * Replaces the captures in a scenario by their recorded answers. `folder` is the base of their paths. Unreadable captures are
 * passed to `onFault`. Without a folder, every capture is a mistake, because only files may name files.
 */
export function resolveCaptures(
  scenario: Scenario,
  folder: string | null,
  onFault: (fault: FileFault) => void,
): Scenario {
  const answerOf = (capture: unknown, path: readonly PropertyKey[]): object => {
    const { file, exchange = 1 } = capture as { file: string; exchange?: number };
    try {
      if (folder === null) throw new CaptureError('only a scenario file may name a capture');
      const whole = readCapture(resolve(folder, file));
      return { reply: { replay: exchangeOf(whole, exchange, file).response } };
    } catch (error) {
      if (!(error instanceof CaptureError)) throw error;
      onFault({ path, message: error.message });
      return {};
    }
  };
  const walk = (value: unknown, path: readonly PropertyKey[]): unknown => {
    if (Array.isArray(value)) return value.map((item, at) => walk(item, [...path, at]));
    if (typeof value !== 'object' || value === null) return value;
    const resolved: Record<string, unknown> = {};
    for (const [name, member] of Object.entries(value)) {
      const here = [...path, name];
      if (name === 'capture') Object.assign(resolved, answerOf(member, here));
      else resolved[name] = leaves.has(name) ? member : walk(member, here);
    }
    return resolved;
  };
  const channels = Object.entries(scenario.channels).map(
    ([name, channel]) => [name, walk(channel, ['channels', name]) as ScenarioChannel] as const,
  );
  return { ...scenario, channels: Object.fromEntries(channels) };
}

/** Members of a channel that never contain a capture. */
const leaves: ReadonlySet<string> = new Set(['reply', 'fault', 'when', 'latency', 'rate']);
