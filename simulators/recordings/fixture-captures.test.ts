import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { rawCall } from '../testing/raw-call.ts';
import { useSimulators } from '../testing/simulators.ts';
import { readCapture } from './capture-file.ts';
import { bytesOf } from './recorded.ts';

const simulators = useSimulators();
const shelf = fileURLToPath(new URL('../../fixtures/captures/', import.meta.url));

/** The recorded end as a client sees it. */
const overs: Readonly<Record<string, string>> = { fin: 'fin', rst: 'ECONNRESET' };

describe('the captures in fixtures', () => {
  it.each(readdirSync(shelf))('hold %s, which replays byte for byte and to the same end', async (file) => {
    const { exchanges } = readCapture(shelf + file);
    expect(exchanges.length).toBeGreaterThan(0);
    for (const { response } of exchanges) {
      const tenant = simulators.tenant();
      await tenant.script({ replies: [{ replay: response }] });
      const call = rawCall(simulators.base(tenant.name), { call: 'stream' });
      expect(await call.over).toBe(overs[response.ended]);
      expect(call.bytes().toString('latin1')).toBe(
        Buffer.concat(response.chunks.map(bytesOf)).toString('latin1'),
      );
    }
  });
});
