import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { startSimulators } from '../in-process/start-simulators.ts';
import { captureFormat, type RecordedExchange, writeCapture } from '../recordings/capture-file.ts';
import { postChat } from '../testing/post-chat.ts';

const says = (content: string) => ({ messages: [{ role: 'user', content }] });

function exchange(n: number, question: string, answer: string, atMs = 1): RecordedExchange {
  const body = JSON.stringify({ model: 'a52-2026-08-07', ...says(question) });
  const head = `HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: ${answer.length}\r\n\r\n`;
  return {
    n,
    request: { method: 'POST', target: '/below/v1/chat/completions', headers: [], body: { text: body } },
    response: { chunks: [{ at_ms: atMs, text: head + answer }], ended: 'fin', ended_at_ms: atMs },
  };
}

it('replays a capture by request, at another speed, and reports requests without a match', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'gatecheck-capture-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const exchanges = [exchange(1, 'one', 'A'), exchange(2, 'two', 'C', 3_600_000), exchange(3, 'one', 'B')];
  const capture = join(folder, 'capture.json');
  writeCapture(capture, { schema: captureFormat, upstream: 'http://a', exchanges, left_out: [] });
  const file = join(folder, 'scripts.yaml');
  writeFileSync(file, 'captures:\n  - { file: capture.json, speed: 36000 }\n');
  for (const [fixtures, asked] of [
    [file, ['two', 'one', 'one', 'three']],
    [capture, ['one', 'one', 'three']],
  ] as const) {
    await using simulators = await startSimulators({ fixtures, strict: true });
    const upstream = simulators.tenant();
    const answers: string[] = [];
    for (const question of asked) answers.push((await postChat(upstream.v1, says(question))).text);
    expect(answers.slice(0, -1)).toEqual(['C', 'A', 'B'].slice(-asked.length + 1));
    expect(answers.at(-1)).toMatch(/the nearest script is .*text is three, not \{/);
    const streamed = await postChat(upstream.v1, { ...says('one'), stream: true });
    expect(streamed.text).toContain('stream is true, not false');
  }
  writeFileSync(file, 'captures: [{ file: none.json }]\n');
  await expect(startSimulators({ fixtures: file })).rejects.toThrow('none.json');
});
