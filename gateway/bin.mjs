#!/usr/bin/env node
// Starts the gateway: from the built package, or from the sources in a clone of the repository.
import { existsSync } from 'node:fs';

const built = new URL('./dist/gateway/main.js', import.meta.url);
await import(existsSync(built) ? built.href : './main.ts');
