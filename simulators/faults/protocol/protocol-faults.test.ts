import { brotliDecompressSync, constants, gunzipSync, inflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { faultFacts } from '../../fault-contract/known-faults.ts';
import { namedEvents } from '../../testing/post.ts';
import {
  type Cell,
  cellDeltas,
  cellsOf,
  openCall,
  type RawAnswer,
  readRaw,
  sendCell,
  sendGood,
} from '../../testing/send-cell.ts';
import { useSimulators } from '../../testing/simulators.ts';

const simulators = useSimulators();

/** The faulty answer, and the correct answer to the same call from another tenant. */
interface Pair {
  readonly faulty: RawAnswer;
  readonly good: RawAnswer;
  readonly cell: Cell;
}

const expected: Readonly<Record<string, (pair: Pair) => void>> = {
  P1: ({ faulty, good, cell: { form } }) => {
    expect(faulty.header('content-encoding')).toBe(form);
    const decode = { gzip: gunzipSync, deflate: inflateSync, br: brotliDecompressSync }[form ?? ''];
    expect(like(decode?.(faulty.body))).toBe(like(good.body));
  },
  P2: ({ faulty, good }) => {
    expect(faulty.header('content-encoding')).toBeUndefined();
    expect(faulty.header('content-type')).toBe(good.header('content-type'));
    expect(like(gunzipSync(faulty.body))).toBe(like(good.body));
  },
  P3: ({ faulty, good, cell: { call, form } }) => {
    expect(faulty.header('content-encoding')).toBe('gzip');
    expect(() => gunzipSync(faulty.body)).toThrow('unexpected end of file');
    const decoded = like(gunzipSync(faulty.body, { finishFlush: constants.Z_SYNC_FLUSH }));
    const whole = like(good.body);
    if (form === 'checksum') return expect(decoded).toBe(whole);
    expect(whole.startsWith(decoded)).toBe(true);
    expect(decoded.length).toBeLessThan(whole.length);
    if (call === 'stream') expect(decoded).toContain(cellDeltas[0]);
  },
  P4: ({ faulty, good }) => {
    const at = faulty.body.indexOf(0x80);
    const text = faulty.body.subarray(at + 1, at + 1 + (cellDeltas[0]?.length ?? 0));
    expect(text.toString()).toBe(cellDeltas[0]);
    expect(() => new TextDecoder('utf-8', { fatal: true }).decode(faulty.body)).toThrow();
    expect(like(Buffer.from(faulty.body.filter((byte) => byte !== 0x80)))).toBe(like(good.body));
  },
  P5: ({ faulty, good }) => {
    expect(faulty.body.subarray(0, 3)).toEqual(Buffer.from([0xef, 0xbb, 0xbf]));
    expect(like(faulty.body.subarray(3))).toBe(like(good.body));
  },
  P6: ({ faulty, good, cell }) => {
    const spoilt = rawDocuments(faulty, cell).filter((json) => !isJson(json));
    expect(spoilt).toHaveLength(1);
    const whole = rawDocuments(good, cell).map((json) => like(Buffer.from(json)));
    const start = like(Buffer.from(spoilt[0] ?? '')).slice(0, 60);
    if (cell.form === 'trailing-garbage') expect(spoilt[0]).toMatch(/\}\s*\]\}, "and": \s*$/);
    expect(whole.some((json) => json.startsWith(start))).toBe(true);
  },
  P7: ({ faulty, good, cell }) => {
    const text = faulty.body.toString();
    expect(good.body.toString()).toMatch(/It was a dark/);
    expect(text).not.toMatch(/It was a dark/);
    expect(text).not.toMatch(/"(?:choices|candidates|delta|content_block)"/);
    expect(documents(faulty, cell).length).toBe(documents(good, cell).length);
  },
  P8: ({ faulty, cell: { dialect, call, form } }) => {
    const text = faulty.body.toString();
    const counts = {
      'usage-strings': /(?:TokenCount|tokens)": ?"321"/,
      fractions: /(?:TokenCount|tokens)": ?321\.0/,
    };
    if (form === 'null-answer') {
      expect(text).toMatch(/"(?:choices|candidates|content|delta|message)": ?null/);
      expect(text).not.toMatch(/It was a dark/);
    } else expect(text).toMatch(counts[form === 'fractions' ? form : 'usage-strings']);
    if (form === 'fractions' && dialect === 'chat-completions') expect(text).toMatch(/"created": ?\d+\.25/);
    if (call === 'plain') expect(isJson(text)).toBe(true);
  },
  P9: ({ faulty, good, cell: { call, form } }) => {
    const text = faulty.body.toString();
    if (form === 'finish-reason') {
      expect(text).toMatch(
        /"(?:finish_reason|stop_reason|finishReason)": ?"(?:ran_out_of_patience|RAN_OUT_OF_PATIENCE)"/,
      );
      expect(text).not.toMatch(/"(?:stop|end_turn|STOP)"/);
    } else if (form === 'kinds' && call === 'stream') {
      const notes =
        text.match(/event: marginal_note\r?\ndata: \{"type":"marginal_note"[^\n]*\}\r?\n\r?\n/g) ?? [];
      expect(notes).toHaveLength(2);
      expect(like(Buffer.from(notes.reduce((rest, note) => rest.replace(note, ''), text)))).toBe(
        like(good.body),
      );
    } else expect(text).toMatch(/marginal_?[nN]ote/);
  },
  P10: ({ faulty, good, cell }) => {
    const text = faulty.body.toString();
    if (cell.form === 'huge-number') expect(text).toMatch(/(?:TokenCount|tokens)": ?1e400/);
    else expect(text).toContain('['.repeat(10_000) + ']'.repeat(10_000));
    expect(documents(faulty, cell)).toHaveLength(documents(good, cell).length);
  },
  P11: ({ faulty, good, cell: { form } }) => {
    const named = (name: string): number =>
      faulty.headers.filter(([given]) => given.toLowerCase() === name).length;
    expect(named('content-type')).toBe(form === 'odd-case' ? 1 : 2);
    expect(
      named(faulty.header('content-length') === undefined ? 'transfer-encoding' : 'content-length'),
    ).toBe(1);
    if (form === 'odd-case') expect(faulty.headers.map(([name]) => name)).toContain('cOnTeNt-tYpE');
    expect(like(faulty.body)).toBe(like(good.body));
  },
  P12: ({ faulty, cell: { form } }) => {
    const text = faulty.body.toString();
    const usual = /"(?:prompt_tokens|promptTokenCount|input_tokens)": ?321/;
    const other = /"(?:input_tokens|inputTokenCount|prompt_tokens)": ?321/;
    if (form === 'gone' || form === 'null') expect(text).not.toMatch(/: ?321\b/);
    else expect(text).toMatch(form === 'renamed' ? other : usual);
    if (form === 'null') expect(text).toMatch(/"usage(?:Metadata)?": ?null/);
    if (form === 'output-renamed')
      expect(text).toMatch(/"(?:completion_tokens|output_tokens|outputTokenCount)": ?45/);
    const places: Partial<Record<string, RegExp>> = {
      moved: /"metadata": ?\{\s*"usage(?:Metadata)?"/,
      'in-choice': /"usage(?:Metadata)?": ?\{[\s\S]*?\}\s*\}\s*\]/,
    };
    expect(text).toMatch(places[form ?? ''] ?? /./);
  },
};

describe.each([...faultFacts.values()].filter(({ id }) => id.startsWith('P')))('$id $name', (facts) => {
  it.each(cellsOf(facts))('is on the wire as it should be: $dialect, $call, $form', async (cell) => {
    const [faulty, good] = await Promise.all([
      sendCell(simulators, facts, cell),
      sendGood(simulators, facts, cell),
    ]);
    expect([good.status, faulty.status]).toEqual([200, 200]);
    expect(like(faulty.body), 'the fault changes something').not.toBe(
      facts.id === 'P11' ? '' : like(good.body),
    );
    expected[facts.id]?.({ faulty, good, cell });
  });
});

it('P1 makes each stream event decodable on arrival, except with br', async () => {
  for (const [form, writes] of [
    ['gzip', 7],
    ['deflate', 7],
    ['br', 1],
  ] as const) {
    const tenant = simulators.tenant();
    await tenant.script({ replies: [{ deltas: [...cellDeltas], fault: { id: 'P1', form } }] });
    await sendIn(tenant.name);
    const { entries } = await tenant.journal({ ended: 1 });
    const sends = entries[0]?.reply.sends.filter(({ label }) => label !== 'head');
    expect(sends, form).toHaveLength(writes);
  }
});

it('P6 corrupts the selected event', async () => {
  const tenant = simulators.tenant();
  await tenant.script({
    replies: [{ deltas: [...cellDeltas], fault: { id: 'P6', form: 'truncated', after: 2 } }],
  });
  const events = namedEvents((await sendIn(tenant.name)).body.toString()).map(({ data }) => data);
  expect(events.map(isJson)).toEqual([true, true, true, false, true, true, false]);
  expect(events.at(-1)).toBe('[DONE]');
});

/** The answer without ids and times, which differ between any two answers. */
function like(body: Buffer | undefined): string {
  return (body ?? Buffer.alloc(0))
    .toString('utf8')
    .replaceAll(/"(id|responseId|created)": ?(?:"[^"]*"|\d+)/g, '"$1":0');
}

/** The JSON texts of an answer, valid or not. */
function rawDocuments({ body }: RawAnswer, { call }: Cell): string[] {
  const text = body.toString();
  return call === 'plain'
    ? [text]
    : namedEvents(text)
        .map(({ data }) => data)
        .filter((data) => data !== '[DONE]');
}

function documents(answer: RawAnswer, cell: Cell): unknown[] {
  return rawDocuments(answer, cell).map((json) => JSON.parse(json));
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

async function sendIn(tenant: string): Promise<RawAnswer> {
  return readRaw(await openCall(simulators.base(tenant), 'chat-completions', 'stream'));
}
