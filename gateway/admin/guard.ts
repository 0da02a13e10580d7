import { createHash, timingSafeEqual } from 'node:crypto';

/** Whether a path is in the administrators' area, existing or not. */
export function isAdminPath(path: string): boolean {
  return path === '/api/admin' || path.startsWith('/api/admin/');
}

/** Whether a bearer token equals the configured secret; compared in constant time, by digests of equal length. */
export function isSecret(token: string | null, configured: string | null): boolean {
  if (token === null || configured === null) return false;
  const [given, wanted] = [token, configured].map((text) => createHash('sha256').update(text).digest());
  return given !== undefined && wanted !== undefined && timingSafeEqual(given, wanted);
}
