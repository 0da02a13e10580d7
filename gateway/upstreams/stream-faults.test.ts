import { describe, expect, it } from 'vitest';
import { ask, type CallerView } from '../testing/caller-view.ts';
import { events, type FakeUpstream, type StreamEnd } from '../testing/fake-upstream.ts';
import { generateEvent, response } from '../testing/generate-content-upstream.ts';
import { messageEvent } from '../testing/messages-upstream.ts';
import { goodBody, NATIVE_WORDS, type NativeWords } from '../testing/native-dialects.ts';
import type { TestGateway } from '../testing/test-gateway.ts';
import { PATIENT_BREAKER, twoEndsEachTest } from '../testing/two-ends.ts';

/** Only the idle time is short: time that these tests make pass must not end a connection before it stands. */
const LONG_MS = 600_000;
const PATIENT = {
  ...PATIENT_BREAKER,
  upstream: { connect_timeout_ms: LONG_MS, first_byte_timeout_ms: LONG_MS },
};

let upstream: FakeUpstream;
let gateway: TestGateway;
twoEndsEachTest((ends) => {
  ({ upstream, gateway } = ends);
}, PATIENT);

const SAID = { seen: 'served', text: 'ab', finish: 'stop' };
const COUNTED = { ...SAID, usage: { prompt_tokens: 11, completion_tokens: 7 } };

describe.for(NATIVE_WORDS.map((words) => [words.name, words] as const))('%s', ([name, words]) => {
  const { opening, closing, piece } = words;
  const isChat = name === 'chat-completions';
  const begun = [...opening, piece('a'), piece('b')];
  const send = (pieces: readonly (string | Uint8Array)[], end?: StreamEnd): Promise<CallerView> => {
    upstream.fallback = events(pieces, end);
    return ask(gateway, words, true);
  };
  const error = (kind: Parameters<NativeWords['error']>[0]) => words.event(words.error(kind).body);

  it('that has had its reason is complete, whatever becomes of the rest (S1)', async () => {
    const [last = ''] = closing.slice(-1);
    const cuts = isChat
      ? [closing.slice(0, 2), [closing[0] ?? ''], [...closing.slice(0, 2), 'data: {"x']]
      : [closing];
    for (const kept of [...cuts, [...closing.slice(0, -1), last]]) {
      for (const end of ['fin', 'reset'] as const)
        expect(await send([...begun, ...kept], end)).toMatchObject(SAID);
    }
  });

  it('that ends, breaks or says that it ends before its reason, is broken (S2, S3, S28)', async () => {
    for (const end of ['fin', 'reset'] as const) {
      expect(await send(begun, end)).toMatchObject({ seen: 'broken', code: 'upstream_error' });
      expect(await send([...begun, 'data: {"choices'], end)).toMatchObject({ seen: 'broken' });
      const half = Buffer.from(piece('€')).subarray(0, -12);
      expect(await send([...begun, half], end)).toMatchObject({ seen: 'broken' });
      expect(await send(opening, end)).toMatchObject({ seen: 'refused', code: 'upstream_error' });
    }
    const mark = name === 'messages' ? messageEvent('message_stop') : 'data: [DONE]\n\n';
    expect(await send([...begun, mark])).toMatchObject({ seen: 'broken' });
  });

  it.for([
    ['silence', ''],
    ['comments', ': keep-alive\n\n'],
    ['pings', 'event: ping\ndata: {"type": "ping"}\n\n'],
    ['pings without a name', 'data: {"type":"ping"}\n\n'],
  ] as const)('that goes on in %s is a timeout (S4, S5)', async ([, idle]) => {
    for (const said of [begun, []]) {
      upstream.seen.length = 0;
      upstream.fallback = async (sent, request) => {
        await events([...said, ': x\n\n'], 'hang')(sent, request);
        const beat = setInterval(() => sent.write(idle === '' ? '\r' : idle), 2);
        sent.once('close', () => clearInterval(beat));
      };
      let isOver = false;
      const answer = ask(gateway, words, true).finally(() => {
        isOver = true;
      });
      while (!isOver) await gateway.clock.sleep(10).then(() => gateway.clock.advance(9000));
      const seen = said.length === 0 ? 'refused' : 'broken';
      expect(await answer).toMatchObject({ seen, code: 'upstream_timeout' });
      expect(upstream.seen).toHaveLength(said.length === 0 ? 2 : 1);
      await upstream.seen[0]?.aborted;
    }
  });

  it('says the same with comments, other line ends and other cuts (S6, S18, S19, S20, S22)', async () => {
    const whole = goodBody(words, true, 'a€b😀');
    const lines = whole.replaceAll('\r\n', '\n');
    const good = { ...COUNTED, text: 'a€b😀' };
    const forms = [
      lines.replaceAll('\n\n', '\n\n: OPENROUTER PROCESSING\n\n: ping - 2026\n'),
      lines.replaceAll('\n', '\r'),
      lines.replaceAll('\n', '\r\n'),
      lines.replaceAll('\n\n', '\r\n\n'),
      lines.replaceAll('data: ', 'data:'),
      lines.replaceAll(/^data: \{/gm, 'data: {\ndata:'),
      lines.replaceAll(/^data: /gm, ': x\nid: 7\nretry: 5\ndata: '),
    ];
    for (const form of forms) expect(await send([form])).toMatchObject(good);
    const bytes = Buffer.from(whole);
    const sevens = Array.from({ length: Math.ceil(bytes.length / 7) }, (_, i) =>
      bytes.subarray(7 * i, 7 * i + 7),
    );
    expect(await send(sevens)).toMatchObject(good);
    const large = 'ü'.repeat(500_000);
    expect((await send([goodBody(words, true, large)])).text).toBe(large);
  });

  it('that fails before a word is a plain error, and asked for again where that helps (S7, S9, S10)', async () => {
    for (const [kind, code, calls] of [
      ['overloaded', 'channel_queue_full', 2],
      ['rate', 'channel_queue_full', 2],
      ['server', 'upstream_error', 2],
      ['context', 'context_too_long', 1],
    ] as const) {
      for (const before of [[], opening]) {
        upstream.seen.length = 0;
        const pieces = [...before, error(kind), 'data: [DONE]\n\n'];
        expect(await send(pieces)).toMatchObject({ seen: 'refused', code });
        expect(upstream.seen).toHaveLength(calls);
      }
    }
    upstream.queue.push(events([...opening, error('overloaded')]));
    expect(await send([goodBody(words, true, 'ab')])).toMatchObject(COUNTED);
  });

  it('that fails after a word is broken, and recorded as failed (S8, S9, S10)', async () => {
    for (const [kind, code] of [
      ['overloaded', 'channel_queue_full'],
      ['server', 'upstream_error'],
      ['context', 'context_too_long'],
    ] as const) {
      upstream.seen.length = 0;
      expect(await send([...begun, error(kind), ...closing])).toMatchObject({
        seen: 'broken',
        code,
        text: 'ab',
      });
      expect(gateway.records.at(-1)?.outcome).toBe(code);
      expect(upstream.seen).toHaveLength(1);
    }
  });

  it('counts its tokens once, as it told them last, and as unknown when it never did (S13 to S17)', async () => {
    const count = /,?"usage(?:Metadata)?":\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\}/g;
    const silent = goodBody(words, true, 'ab').replaceAll(count, '');
    expect(await send([silent])).toMatchObject({ ...SAID, usage: { total_tokens: 0 } });
    expect(gateway.records.at(-1)).toMatchObject({ usage_known: false });
    const zeros = goodBody(words, true, 'ab').replaceAll(/("\w*(?:_tokens|Count)":)\d+/g, '$10');
    expect(await send([zeros])).toMatchObject({ ...SAID, usage: { total_tokens: 0 } });
    expect(gateway.records.at(-1)).toMatchObject({ usage_known: true });
    const partial: Readonly<Record<string, string>> = {
      'chat-completions': `data: ${JSON.stringify({ choices: [], usage: { prompt_tokens: 11, completion_tokens: 2 } })}\n\n`,
      messages: messageEvent('message_delta', { delta: {}, usage: { output_tokens: 2 } }),
      'generate-content': generateEvent(
        response([], null, { usageMetadata: { promptTokenCount: 11, candidatesTokenCount: 2 } }),
      ),
    };
    const running = [
      ...opening,
      piece('a'),
      partial[name] ?? '',
      piece('b'),
      partial[name] ?? '',
      ...closing,
    ];
    expect(await send(running)).toMatchObject(COUNTED);
  });

  it('loses nothing when no blank line ends it, and takes nothing that comes behind its end (S21, S26)', async () => {
    const whole = goodBody(words, true, 'ab');
    for (const bytes of [whole.trimEnd(), `${whole.trimEnd()}\n`])
      expect(await send([bytes])).toMatchObject(COUNTED);
    const at = name === 'messages' ? 2 : 1;
    const late = [piece('late'), 'data: {"broken', '\n\n', error('server')];
    if (name !== 'generate-content')
      expect(await send([...begun, ...closing.slice(0, at), ...late, ...closing.slice(at)])).toMatchObject(
        SAID,
      );
    expect(await send([...begun, ...closing, ...late])).toMatchObject(COUNTED);
  });

  it('may say a thing twice: nobody can tell (S25)', async () => {
    expect(await send([...opening, piece('a'), piece('a'), ...closing])).toMatchObject({
      seen: 'served',
      text: 'aa',
    });
  });
});
