import { createServer } from 'node:http';

// A bare upstream: answers immediately, plain or with a stream in one write. The model's name states the number of chunks.

const usage = { prompt_tokens: 120, completion_tokens: 60, total_tokens: 180 };
const common = { id: 'chatcmpl-upstream', created: 1_790_000_000, model: 'native' };
const text = 'The lazy dog was not impressed by the fox that jumped over it once more. ';
const plain = JSON.stringify({
  ...common,
  object: 'chat.completion',
  choices: [{ index: 0, message: { role: 'assistant', content: text.repeat(12) }, finish_reason: 'stop' }],
  usage,
});

const streams = new Map<number, Buffer>();

function streamOf(chunks: number): Buffer {
  const known = streams.get(chunks);
  if (known !== undefined) return known;
  const frame = (fields: object): string =>
    `data: ${JSON.stringify({ ...common, object: 'chat.completion.chunk', ...fields })}\n\n`;
  const delta = (content: object, finish_reason: string | null = null): string =>
    frame({ choices: [{ index: 0, delta: content, finish_reason }] });
  const all = Buffer.from(
    delta({ role: 'assistant', content: '' }) +
      Array.from({ length: chunks }, (_, i) => delta({ content: `word ${i} of the text ` })).join('') +
      delta({}, 'stop') +
      frame({ choices: [], usage }) +
      'data: [DONE]\n\n',
  );
  streams.set(chunks, all);
  return all;
}

const server = createServer((request, response) => {
  const parts: Buffer[] = [];
  request.on('data', (part: Buffer) => parts.push(part));
  request.on('end', () => {
    const body = Buffer.concat(parts);
    if (!body.includes('"stream":true')) {
      response.writeHead(200, {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(plain),
      });
      response.end(plain);
      return;
    }
    const [, chunks = '20'] = /"native-(\d+)"/.exec(body.toString('latin1')) ?? [];
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(streamOf(Number(chunks)));
  });
});
server.keepAliveTimeout = 600_000;
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (typeof address === 'object') process.stdout.write(`http://127.0.0.1:${address?.port}\n`);
});
