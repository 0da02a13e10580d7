import { describe, expect, it } from 'vitest';
import type { Reply } from '../control/client.ts';
import { parseAnswer, type RawCall, rawCall, readChunks } from '../testing/raw-call.ts';
import { useSimulators } from '../testing/simulators.ts';
import { framesBefore } from './cut-point.ts';
import type { ChatDialectName, NativeAnswer } from './native-answer.ts';

const simulators = useSimulators();

const deltas = ['plain ', 'größer ', 'end'];
const dialects: readonly ChatDialectName[] = ['chat-completions', 'messages', 'generate-content'];

/** The body of a cut stream, without and with transfer coding. */
async function cutBody(
  dialect: ChatDialectName,
  cut: NonNullable<Reply['cut']>,
): Promise<{ body: Buffer; coded: Buffer }> {
  const tenant = simulators.tenant();
  await tenant.script({ replies: [{ deltas, cut }] });
  const raw = rawCall(simulators.base(tenant.name), { dialect, call: 'stream' });
  await raw.over;
  const coded = parseAnswer(raw.bytes()).body;
  const { entries } = await tenant.journal({ ended: 1 });
  expect(entries[0]?.reply.ended).toBe('cut');
  return { body: Buffer.concat(readChunks(coded).chunks), coded };
}

describe.each(dialects)('a named cut of %s', (dialect) => {
  const usageIsApart = dialect === 'chat-completions';

  it('stops between CR and LF of its own lines, or of the chunk if its lines end with LF', async () => {
    const { body, coded } = await cutBody(dialect, { after: 'between-cr-lf', by: 'fin' });
    if (dialect === 'generate-content') expect(body.at(-1)).toBe(0x0d);
    else expect(coded.subarray(-2).toString()).toBe('\n\r');
  });

  it('stops after the finish, before the usage, and before the mark of the end', async () => {
    const finished = /"finish_reason":"stop"|"stop_reason":"end_turn"|"finishReason":"STOP"/;
    const [finish, usage, done] = await Promise.all(
      (['finish', 'before-usage', 'before-done'] as const).map((after) =>
        cutBody(dialect, { after, by: 'fin' }),
      ),
    );
    expect(finish?.body.toString()).toMatch(finished);
    expect(finish?.body.toString()).not.toMatch(/DONE|message_stop/);
    expect(finished.test(usage?.body.toString() ?? '')).toBe(usageIsApart);
    expect(usage?.body.toString()).not.toContain('"total_tokens"');
    expect(done?.body.toString()).toMatch(finished);
    expect(done?.body.toString()).toMatch(/"(prompt_tokens|output_tokens|promptTokenCount)":/);
    expect(done?.body.toString()).not.toMatch(/DONE|message_stop/);
  });
});

describe('how a cut ends the connection', () => {
  const cutPlain = async (by: NonNullable<Reply['cut']>['by']): Promise<{ raw: RawCall; tenant: string }> => {
    const tenant = simulators.tenant();
    await tenant.script({ replies: [{ body: '0123456789', cut: { after: 1, by } }] });
    return { raw: rawCall(simulators.base(tenant.name)), tenant: tenant.name };
  };

  it('a half-close keeps the upstream reading', async () => {
    const { raw, tenant } = await cutPlain('half-close');
    expect(await raw.over).toBe('fin');
    expect((await simulators.control.tenant(tenant).journal({ ended: 1 })).entries[0]?.reply.ended).toBe(
      'cut',
    );
    await new Promise<void>((resolve, reject) => {
      raw.socket.write('still there', (error) => (error ? reject(error) : resolve()));
    });
  });

  it('silence lasts until the client disconnects', async () => {
    const { raw, tenant } = await cutPlain('silence');
    await raw.until((text) => text.endsWith('01234'));
    const { entries } = await simulators.control.tenant(tenant).journal({ waiting: 1 });
    expect(entries[0]?.reply).toMatchObject({ waiting_at: 'hang', ended: 'open' });
    raw.socket.destroy();
    const after = await simulators.control.tenant(tenant).journal({ ended: 1 });
    expect(after.entries[0]?.reply.ended).toBe('client-gone');
  });
});

describe('a cut point that the answer lacks', () => {
  const answer: NativeAnswer = {
    dialect: 'messages',
    call: 'stream',
    status: 200,
    headers: {},
    frames: ['role', 'delta-0', 'finish', 'done'].map((label) => ({
      label,
      bytes: Buffer.from('ascii'),
      dueMs: 0,
    })),
  };

  it.each([{ after: 7 }, { after: 'inside-utf8' }, { after: 'inside-json', delta: 0 }] as const)(
    'lies before the ending: %j',
    (point) => {
      const { frames } = framesBefore(answer, point);
      expect(frames.map(({ label }) => label)).toEqual(['role', 'delta-0']);
    },
  );
});
