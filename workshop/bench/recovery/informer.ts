// An informer of rx-informer in a process of its own, for recovery.ts: node informer.ts URL. Prints what workshop/tools/peers/client-go prints.
import { createClient, createInformer, resources } from 'rx-informer';

const print = (line: object): boolean => process.stdout.write(`${JSON.stringify(line)}\n`);
const informer = createInformer(createClient({ server: process.argv[2] ?? '' }), resources.core.v1.configmaps, { namespace: 'default' });
// What fails is no news here; without a subscriber it would be printed.
informer.error$.subscribe();
informer.resource$.subscribe({
  next: (event) =>
    print(event.type === 'synced' ? { type: 'synced' } : { type: event.type, version: event.object.metadata?.resourceVersion }),
  error: (error: unknown) => console.error(error),
});
process.on('disconnect', () => process.exit());
