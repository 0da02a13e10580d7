import { type Config, configSchema } from './config.ts';

/**
 * Reads a configuration in JSON, a hundred times faster than YAML. Null for a file of another name, and for a text with any
 * fault: read as YAML, which JSON is too, it has a line and a path.
 */
export function readJsonConfig(text: string, fileName: string): Config | null {
  if (!fileName.endsWith('.json')) return null;
  try {
    return configSchema.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}
