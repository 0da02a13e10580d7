import type { TenantControl } from 'gatecheck-simulators/client';

/** The last request that reached the upstream, as text. */
export async function lastAtUpstream(upstream: TenantControl): Promise<string> {
  const { entries } = await upstream.journal();
  return Buffer.from(entries.at(-1)?.request.body_base64 ?? '', 'base64').toString('utf8');
}
