import type { Context } from 'hono';
import type { z } from 'zod';
import type { ControlErrorBody } from '../control/protocol.ts';
import { isTenantName } from '../control/tenant-name.ts';
import { type BadValue, describeIssue } from '../json/issue.ts';
import type { Tenant } from '../state/tenant.ts';
import type { Tenants } from '../state/tenants.ts';

/** A call that is answered with an error. Routes throw it; one handler catches it. */
export class ControlRefusal extends Error {
  readonly status: 400 | 401 | 403 | 404 | 409 | 413 | 500;
  readonly reason: BadValue;

  constructor(status: 400 | 401 | 403 | 404 | 409, reason: BadValue | string) {
    super(typeof reason === 'string' ? reason : reason.message);
    this.status = status;
    this.reason = typeof reason === 'string' ? { message: reason, path: '' } : reason;
  }
}

export function refuse(c: Context, status: ControlRefusal['status'], { message, path }: BadValue): Response {
  const body: ControlErrorBody = { error: path === '' ? { message } : { message, path } };
  return c.json(body, status);
}

/** The tenant that the path names. */
export function tenantOf(c: Context, tenants: Tenants): Tenant {
  const name = c.req.param('lane') ?? '';
  if (!isTenantName(name)) throw new ControlRefusal(400, `"${name}" cannot be the name of a lane`);
  const tenant = tenants.find(name);
  if (tenant === null) throw new ControlRefusal(409, 'there are too many lanes');
  return tenant;
}

/** More levels than any value needs, and few enough that JSON can be written again. */
const maxLevels = 1000;

/** The body as JSON. An empty body is an empty object, so calls without arguments need none. */
export async function readJson(c: Context): Promise<unknown> {
  const text = await c.req.text();
  if (text === '') return {};
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new ControlRefusal(400, 'the body is not JSON');
  }
  if (levelsOf(text) > maxLevels) throw new ControlRefusal(400, `the body has more than ${maxLevels} levels`);
  return value;
}

/** How deeply arrays and objects nest in a JSON text. */
function levelsOf(json: string): number {
  let [depth, deepest, isText] = [0, 0, false];
  for (let at = 0; at < json.length; at += 1) {
    const character = json[at];
    if (character === '"') isText = !isText;
    else if (isText) at += character === '\\' ? 1 : 0;
    else if (character === '[' || character === '{') depth += 1;
    else if (character === ']' || character === '}') depth -= 1;
    if (depth > deepest) deepest = depth;
  }
  return deepest;
}

/** The value as the schema parses it. @throws ControlRefusal that names the first bad member. */
export function check<T>(schema: z.ZodType<T>, value: unknown): T {
  const parsed = schema.safeParse(value);
  if (!parsed.success) throw new ControlRefusal(400, describeIssue(parsed.error));
  return parsed.data;
}
