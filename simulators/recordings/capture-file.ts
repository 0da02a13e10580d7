import { renameSync, writeFileSync } from 'node:fs';
import { z } from 'zod';
import { readText } from '../http/read-text.ts';
import { describeIssue } from '../json/issue.ts';
import { bytesSchema, responseSchema } from './recorded-schema.ts';

/** The name of the format. Another version has another name. */
export const captureFormat = 'gatecheck.capture/1';

const exchangeSchema = z.strictObject({
  n: z.int().positive(),
  request: z.strictObject({
    method: z.string().min(1),
    target: z.string().min(1),
    headers: z.array(z.tuple([z.string(), z.string()])),
    body: bytesSchema,
  }),
  response: responseSchema,
});

const captureSchema = z.strictObject({
  schema: z.literal(captureFormat, { error: `expected "${captureFormat}"` }),
  upstream: z.string().min(1),
  exchanges: z.array(exchangeSchema),
  left_out: z.array(z.strictObject({ n: z.int().positive(), reason: z.string().min(1) })),
});

/** The client's request and the upstream's answer, with secrets blanked. */
export type RecordedExchange = z.infer<typeof exchangeSchema>;

/** The exchanges with one upstream, in the order in which they began. */
export type Capture = z.infer<typeof captureSchema>;

/** A file that is no capture, or not one of this version; the message names the file and the place. */
export class CaptureError extends Error {
  override readonly name = 'CaptureError';
}

/** The largest capture that is read back. */
export const maxCaptureBytes = 256 * 1024 * 1024;

/** Reads a file back, strictly. @throws CaptureError */
export function readCapture(path: string): Capture {
  let text: string;
  try {
    text = readText(path, maxCaptureBytes);
  } catch (error) {
    throw new CaptureError(`cannot read the capture ${path}: ${messageOf(error)}`);
  }
  return parseCapture(text, path);
}

/** @throws CaptureError that begins with the name. */
export function parseCapture(text: string, name: string): Capture {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new CaptureError(`${name} is not JSON: ${messageOf(error)}`);
  }
  const parsed = captureSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new CaptureError(`${name} is not a capture: ${describeIssue(parsed.error).message}`);
}

/** The exchange with that number. @throws CaptureError that lists all. */
export function exchangeOf(capture: Capture, n: number, name: string): RecordedExchange {
  const found = capture.exchanges.find((exchange) => exchange.n === n);
  if (found !== undefined) return found;
  const known = capture.exchanges.map((exchange) => exchange.n).join(', ');
  throw new CaptureError(`${name} has no exchange ${n}${known === '' ? '' : `: only ${known}`}`);
}

/** Writes the file in one step, readable only for its owner, because requests and answers may be private. */
export function writeCapture(path: string, capture: Capture): void {
  const unfinished = `${path}.tmp`;
  writeFileSync(unfinished, `${JSON.stringify(capture, null, 2)}\n`, { mode: 0o600 });
  renameSync(unfinished, path);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
