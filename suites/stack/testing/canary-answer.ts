import { request } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import type { CanaryCall } from './canaries.ts';

/** The whole answer to a request, including its head; without an answer, the error of the connection. */
export async function answerTo(baseUrl: string, call: CanaryCall): Promise<string> {
  const { hostname, port } = new URL(baseUrl);
  return await new Promise((resolve) => {
    if (call.raw !== undefined) {
      const socket = connect(Number(port), hostname, () => socket.write(call.raw ?? ''));
      socket.setTimeout(5_000, () => socket.destroy());
      socket.on('error', (error) => resolve(String(error)));
      text(socket).then(resolve, () => {});
      return;
    }
    const sent = request({
      host: hostname,
      port,
      path: call.path ?? '/',
      method: call.method ?? 'POST',
      headers: { 'content-type': 'application/json', ...call.headers },
    });
    sent.on('response', async (response) => {
      const head = `${response.statusCode} ${JSON.stringify(response.rawHeaders)}`;
      resolve(`${head}\n${await text(response).catch(String)}`);
    });
    sent.on('error', (error) => resolve(String(error)));
    sent.end(
      call.body === undefined ? '' : typeof call.body === 'string' ? call.body : JSON.stringify(call.body),
    );
  });
}
