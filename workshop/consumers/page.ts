// A page that shows the config maps of the server it came from. It is a program for the browser: nothing here, nor in the declarations of the
// package's core, knows Node.
import { createClient, createInformer, resources, type ResourceEvent, type V1ConfigMap } from 'rx-informer';

const client = createClient({ server: location.origin });
const informer = createInformer(client, resources.core.v1.configmaps, { namespace: 'default' });

function show(line: string): void {
  const item = document.createElement('li');
  item.textContent = line;
  document.querySelector('ul')?.append(item);
  void fetch('/shown', { method: 'POST', body: document.querySelector('ul')?.innerText ?? '' });
}

informer.resource$.subscribe((event: ResourceEvent<V1ConfigMap>) => {
  if (event.type === 'synced') show('synced');
  else show(`${event.type} ${event.key} ${event.object.data?.['color'] ?? ''}`);
});
informer.error$.subscribe((error) => show(`error ${error.code}`));
