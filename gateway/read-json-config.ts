import { type Config, configSchema } from './config.ts';

/**
 * Reads a configuration in JSON, a hundred times faster than YAML. Null if the file name has no `.json`, or the text has an
 * error. The caller then reads it as YAML, which includes JSON and reports line and path.
 */
export function readJsonConfig(text: string, fileName: string): Config | null {
  if (!fileName.endsWith('.json')) return null;
  try {
    return configSchema.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}
