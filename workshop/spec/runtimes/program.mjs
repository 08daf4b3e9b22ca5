// Follows config maps in the current runtime, and prints a line for each event, and at the end the content of its cache.
import process from 'node:process';
import { setTimeout } from 'node:timers';
import { createClient, createInformer, resources } from 'rx-informer';

const informer = createInformer(createClient({ server: process.argv[2] }), resources.core.v1.configmaps, { namespace: 'default' });

informer.error$.subscribe(({ code }) => console.log(`error ${code}`));
informer.resource$.subscribe((event) => {
  console.log(event.type === 'synced' ? 'synced' : `${event.type} ${event.key} ${event.object.data?.value}`);
  if (event.key !== 'default/last') return;
  const content = informer.lister.list().map(({ metadata, data }) => `${metadata.name}=${data?.value}`);
  console.log(`holds ${content.sort().join(' ')}`);
  // Closes everything, since open connections would keep the process from ending.
  void informer.stop();
  setTimeout(() => process.exit(0), 50);
});
