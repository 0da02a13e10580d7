import { workerData } from 'node:worker_threads';
import { PGlite } from '@electric-sql/pglite';
import type { NewClusterData } from './new-cluster.ts';

// Entry of the thread that makes a cluster.

const { dir, forCopies } = workerData as NewClusterData;
if (forCopies) {
  // Only this branch needs the migrations.
  const { makeCluster } = await import('./make-cluster.ts');
  await makeCluster(dir);
} else {
  const database = await PGlite.create(dir);
  await database.close();
}
