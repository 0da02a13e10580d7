import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { startFrontProxy } from '../../suites/rewrite/front-proxy.ts';
import { editAnswer, editChunks, editRequest, type Mutation } from '../../suites/rewrite/mutation.ts';
import { exchange, openResponse, startOrigin } from '../../suites/rewrite/testing/origin.ts';

const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

async function behind(
  mutation: Mutation,
  answer: (response: ServerResponse, body: Buffer) => void,
): Promise<string> {
  const origin = await startOrigin((_, response, body) => answer(response, body));
  const proxy = await startFrontProxy(origin.url, new Map([['m', mutation]]));
  ends.push(origin.close, proxy.close);
  return `${proxy.baseUrlOf('m')}/x`;
}

const json = (response: ServerResponse): ServerResponse =>
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '8' }).end('{"a": 1}');

const stream = (response: ServerResponse): ServerResponse =>
  response
    .writeHead(200, { 'content-type': 'text/event-stream' })
    .end('data: {"n":1}\n\ndata: {"n":2}\n\ndata: [DONE]\n\n');

describe('a mutation of the request', () => {
  it('changes what the server behind receives, with the right length', async () => {
    const url = await behind(
      { request: editRequest((body) => Object.assign(body, { more: 'ä' })) },
      (response, body) => response.end(body),
    );
    const answer = await exchange(url, {
      method: 'POST',
      body: '{"a":1}',
      headers: [['content-length', '7']],
    });
    expect(answer.body.toString()).toBe('{"a":1,"more":"ä"}');
  });

  it('can answer instead of the server behind', async () => {
    let reached = false;
    const url = await behind(
      { request: () => ({ status: 418, headers: [['x', 'y']], body: Buffer.from('tea') }) },
      (response) => {
        reached = true;
        response.end();
      },
    );
    expect(await exchange(url)).toMatchObject({ status: 418, body: Buffer.from('tea') });
    expect(reached).toBe(false);
  });
});

describe('a mutation of whole answers', () => {
  it('changes the body and its length', async () => {
    const url = await behind(
      { answer: editAnswer((body) => Object.assign(body, { a: 'longer than before' })) },
      json,
    );
    const answer = await exchange(url);
    expect(answer.body.toString()).toBe('{"a":"longer than before"}');
    expect(answer.headers).toContainEqual(['content-length', String(answer.body.length)]);
  });

  it('leaves an event stream unchanged', async () => {
    const url = await behind(
      { answer: () => ({ status: 500, headers: [], body: Buffer.from('no') }) },
      stream,
    );
    expect(await exchange(url)).toMatchObject({ status: 200 });
  });

  it('can leave out the length', async () => {
    const chunked: Mutation = {
      answer: (answer) => ({ ...answer, headers: [...answer.headers, ['transfer-encoding', 'chunked']] }),
    };
    const answer = await exchange(await behind(chunked, json));
    const names = answer.headers.map(([name]) => name.toLowerCase());
    expect(names).toContain('transfer-encoding');
    expect(names).not.toContain('content-length');
    expect(answer.body.toString()).toBe('{"a": 1}');
  });
});

describe('a mutation of streams', () => {
  it('changes, adds and drops events, and may add some at the end', async () => {
    const edit = editChunks((chunk, index) => (index === 0 ? [chunk, { n: 1.5 }] : []));
    const url = await behind(
      { events: () => (event) => (event === null ? [': over'] : inner(event)) },
      stream,
    );
    const inner = edit();
    expect((await exchange(url)).body.toString()).toBe(
      'data: {"n":1}\n\ndata: {"n":1.5}\n\ndata: [DONE]\n\n: over\n\n',
    );
  });

  it('gets an event that arrives in pieces once and complete, with new state for each stream', async () => {
    const seen: (string | null)[] = [];
    let streams = 0;
    const mutation: Mutation = {
      events: () => {
        streams += 1;
        return (event) => {
          seen.push(event);
          return event === null ? [] : [event];
        };
      },
    };
    const url = await behind(mutation, async (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      for (const byte of Buffer.from('data: ä\n\ndata: b\n\n')) {
        response.write(Buffer.from([byte]));
        await new Promise(setImmediate);
      }
      response.end();
    });
    await exchange(url);
    await exchange(url);
    expect(streams).toBe(2);
    expect(seen).toEqual(['data: ä', 'data: b', null, 'data: ä', 'data: b', null]);
  });

  it('ends lines by CRLF', async () => {
    const url = await behind({ wire: { lineEnd: '\r\n' } }, stream);
    expect((await exchange(url)).body.toString()).toBe(
      'data: {"n":1}\r\n\r\ndata: {"n":2}\r\n\r\ndata: [DONE]\r\n\r\n',
    );
  });

  it('sends few bytes at a time', async () => {
    const client = await openResponse(await behind({ wire: { bytesPerWrite: 2 } }, stream));
    const pieces: Buffer[] = [];
    for await (const bytes of client) pieces.push(bytes as Buffer);
    expect(Buffer.concat(pieces).toString()).toBe('data: {"n":1}\n\ndata: {"n":2}\n\ndata: [DONE]\n\n');
    expect(pieces.length).toBeGreaterThan(5);
  });

  it('splits the beginning of a long stream only', async () => {
    const long = `data: ${'x'.repeat(300_000)}\n\n`;
    const url = await behind({ wire: { bytesPerWrite: 64 } }, (response) =>
      response.writeHead(200, { 'content-type': 'text/event-stream' }).end(long),
    );
    const pieces: Buffer[] = [];
    for await (const bytes of await openResponse(url)) pieces.push(bytes as Buffer);
    expect(Buffer.concat(pieces).toString()).toBe(long);
    expect(pieces.length).toBeLessThan(1_200);
  });

  it('changes the head', async () => {
    const url = await behind(
      { streamHead: (head) => ({ ...head, headers: [['content-type', 'text/plain']] }) },
      stream,
    );
    expect((await exchange(url)).headers).toContainEqual(['content-type', 'text/plain']);
  });

  it('withholds a stream until it has ended', async () => {
    const opened = Promise.withResolvers<ServerResponse>();
    const url = await behind({ withhold: true }, (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: 1\n\n');
      opened.resolve(response);
    });
    let headSeen = false;
    const client = openResponse(url).then((response) => {
      headSeen = true;
      return response;
    });
    const response = await opened.promise;
    await exchange(url.replace('/m/m/', '/m/other/'));
    expect(headSeen).toBe(false);
    response.end('data: 2\n\n');
    const [bytes] = (await once(await client, 'data')) as [Buffer];
    expect(bytes.toString()).toBe('data: 1\n\ndata: 2\n\n');
  });
});

describe('compression', () => {
  it.each([{ answer: json }, { answer: stream }])(
    'is used for a client that accepts it, and decodes to the same',
    async ({ answer }) => {
      const url = await behind({ wire: { gzip: true } }, answer);
      const plain = await exchange(url);
      const packed = await exchange(url, { headers: [['accept-encoding', 'br, gzip']] });
      expect(plain.headers.map(([name]) => name)).not.toContain('content-encoding');
      expect(packed.headers).toContainEqual(['content-encoding', 'gzip']);
      expect(gunzipSync(packed.body)).toEqual(plain.body);
    },
  );

  it.each([['identity'], ['gzip;q=0']])('is not used for a client that accepts %s', async (accepted) => {
    const url = await behind({ wire: { gzip: true } }, json);
    expect((await exchange(url, { headers: [['accept-encoding', accepted]] })).body.toString()).toBe(
      '{"a": 1}',
    );
  });
});
