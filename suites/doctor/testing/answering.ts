import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

export interface Answer {
  readonly status: number;
  readonly body: object;
}

/** A server until the end of the test; returns its address. */
export async function serveAnswers(
  answerTo: (request: IncomingMessage, body: string) => Answer,
  headers: Readonly<Record<string, string>> = {},
): Promise<string> {
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (bytes: Buffer) => parts.push(bytes));
    request.on('end', () => {
      const { status, body } = answerTo(request, Buffer.concat(parts).toString());
      response.writeHead(status, { 'content-type': 'application/json', ...headers });
      response.end(JSON.stringify(body));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const none: Answer = { status: 404, body: { error: { type: 'not_found_error', message: 'No.' } } };

/** A server that answers by path; all other paths are 404. */
export function answering(
  answers: Readonly<Record<string, (body: string, key: string, isKeyless: boolean) => Answer>>,
): Promise<string> {
  return serveAnswers(({ url = '', headers }, body) => {
    const key = String(headers['x-api-key'] ?? headers['x-goog-api-key']);
    const isKeyless = key === 'undefined' && headers.authorization === undefined;
    return answers[url]?.(body, key, isKeyless) ?? none;
  });
}
