import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { RealClock } from '../../clock.ts';
import { media } from '../../config/media.ts';
import { type Bucket, bucketUrl, openBucket } from './bucket.ts';

/** Answers that the store of the other tests does not give. */
type Answer = (response: ServerResponse) => void;

const xml =
  (status: number, body: string, headers: Record<string, string> = {}): Answer =>
  (response) =>
    response.writeHead(status, { 'content-type': 'application/xml; charset=utf-8', ...headers }).end(body);
const error = (status: number, code: string): Answer =>
  xml(status, `<?xml version="1.0"?><Error><Code>${code}</Code><Message>SECRET</Message></Error>`);
const begun = xml(
  200,
  '<InitiateMultipartUploadResult><UploadId>u1</UploadId></InitiateMultipartUploadResult>',
);
const completed = xml(
  200,
  '<CompleteMultipartUploadResult><ETag>&quot;e&quot;</ETag></CompleteMultipartUploadResult>',
);

let server: Server;
let bucket: Bucket;
const asked: { line: string; headers: IncomingHttpHeaders; text: string }[] = [];
const answers: Answer[] = [];

function openAt(changes: Record<string, unknown> = {}): Bucket {
  const { port } = server.address() as AddressInfo;
  const { s3 } = media.parse({
    s3: { endpoint: `http://127.0.0.1:${port}`, bucket: 'media', timeout_ms: 500, ...changes },
  });
  if (s3 === undefined) throw new Error('no settings');
  return openBucket(s3, { accessKeyId: 'id', secretAccessKey: 'secret' }, new RealClock());
}

beforeAll(async () => {
  server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    asked.push({ line: `${request.method} ${request.url}`, headers: request.headers, text });
    const answer = answers.shift();
    if (answer === undefined) response.destroy();
    else answer(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  bucket = openAt();
});
beforeEach(() => {
  asked.length = 0;
  answers.length = 0;
});
afterAll(async () => {
  await bucket.close();
  server.closeAllConnections();
  server.close();
});

it('retries what a busy store rejected, and finally reports its status and code', async () => {
  answers.push(error(503, 'SlowDown'), error(500, 'InternalError'), xml(200, ''));
  await bucket.put('a.txt', Buffer.from('words'), 'text/plain');
  expect(asked.map(({ line, text }) => [line, text])).toEqual(Array(3).fill(['PUT /media/a.txt', 'words']));
  answers.push(error(503, 'SlowDown'), error(503, 'SlowDown'), error(503, 'SlowDown'));
  await expect(bucket.remove('a.txt')).rejects.toThrow('the media store failed at removing: 503 SlowDown');
});

it('does not retry a permanent error', async () => {
  answers.push(error(403, 'AccessDenied'));
  await expect(bucket.put('a.txt', Buffer.from('x'), 'text/plain')).rejects.toThrow(
    'the media store failed at writing: 403 AccessDenied',
  );
  expect(asked).toHaveLength(1);
});

it('signs what it sends, with the type and the length of the file', async () => {
  answers.push(xml(200, ''));
  await bucket.put('x/a.mp4', Buffer.from('film'), 'video/mp4');
  expect(asked[0]?.headers).toMatchObject({
    'content-type': 'video/mp4',
    'content-length': '4',
    authorization: expect.stringMatching(
      /^AWS4-HMAC-SHA256 Credential=id\/\d{8}\/us-east-1\/s3\/aws4_request, SignedHeaders=host;/,
    ),
  });
});

it('treats an upload as failed when a status 200 answer contains an error', async () => {
  const late = error(200, 'InternalError');
  answers.push(begun, xml(200, '', { etag: '"p1"' }), late, late, late);
  const upload = await bucket.beginUpload('a.mp4', 'video/mp4');
  await upload.add(Buffer.from('part'));
  await expect(upload.complete()).rejects.toThrow('the media store failed at writing');
  answers.push(begun, xml(200, '', { etag: '"p1"' }), completed);
  const other = await bucket.beginUpload('b.mp4', 'video/mp4');
  await other.add(Buffer.from('part'));
  await other.complete();
  expect(asked.at(-1)?.text).toContain('<PartNumber>1</PartNumber><ETag>p1</ETag>');
});

it('rejects an answer that is not the requested part', async () => {
  const whole: Answer = (response) => response.writeHead(200, { 'content-length': '9' }).end('the whole');
  answers.push(whole);
  await expect(bucket.read('a.mp4', 2, 3)).rejects.toThrow('reading: 200 NoRange');
  const short: Answer = (response) => response.writeHead(206).end('ab');
  answers.push(short, short, short);
  await expect(bucket.read('a.mp4', 2, 3)).rejects.toThrow('reading: CUT');
  answers.push(short, (response) => response.writeHead(206).end('abc'));
  expect(String(await bucket.read('a.mp4', 2, 3))).toBe('abc');
});

it('follows no redirect', async () => {
  answers.push(
    xml(307, '<Error><Code>TemporaryRedirect</Code></Error>', { location: 'http://127.0.0.1:1/' }),
  );
  await expect(bucket.read('a.mp4', 0, 3)).rejects.toThrow('reading: 307 TemporaryRedirect');
  expect(asked).toHaveLength(1);
});

it('repeats no text of a store except a plain error code', async () => {
  answers.push(error(400, 'secret=hunter2&amp;more'));
  const thrown = await bucket.lengthOf('a.mp4').then(
    () => null,
    (reason: unknown) => reason,
  );
  expect(thrown).toMatchObject({ status: 400, code: '', message: 'the media store failed at looking: 400' });
  expect(JSON.stringify(thrown)).not.toMatch(/hunter2|SECRET/);
});

it('lists page by page, and puts the bucket into the host name if configured so', async () => {
  const page = (key: string, token: string) =>
    `<ListBucketResult><IsTruncated>${token !== ''}</IsTruncated><Contents><Key>${key}</Key></Contents>${token}</ListBucketResult>`;
  answers.push(xml(200, page('p/a', '')));
  expect(await bucket.list('p/', null)).toEqual({ keys: ['p/a'], next: null });
  expect(asked[0]?.line).toMatch(/^GET \/media\/\?list-type=2&max-keys=1000&prefix=p%2F$/);
  expect(bucketUrl({ endpoint: 'https://s3.example.com:9000/x', bucket: 'media', path_style: false })).toBe(
    'https://media.s3.example.com:9000/x',
  );
});
