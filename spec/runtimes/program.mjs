// Follows config maps in whatever runtime it is started with, and tells its standard output: a line for each event, and at the end all that its cache holds.
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
  // As a program ends: what is still open would hold it.
  void informer.stop();
  setTimeout(() => process.exit(0), 50);
});
