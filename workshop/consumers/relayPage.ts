// A page that shows the config maps of a relay. It is a program for the browser, without a client and without credentials.
import { createInformer, isForbidden, type KubernetesObject, type ResourceEvent } from 'rx-informer';
import { relaySource } from '@rx-informer/relay/client';

const source = relaySource<KubernetesObject>('/relay', { kind: 'configmaps', fields: ['metadata.labels'] });
const informer = createInformer(source, { resource: 'configmaps' });

function show(line: string): void {
  const item = document.createElement('li');
  item.textContent = line;
  document.querySelector('ul')?.append(item);
  void fetch('/shown', { method: 'POST', body: document.querySelector('ul')?.innerText ?? '' });
}

informer.resource$.subscribe((event: ResourceEvent<KubernetesObject>) => {
  if (event.type === 'synced') show('synced');
  else
    show(
      `${event.type} ${event.key} ${event.object.metadata?.labels?.['color'] ?? ''}${event.type === 'deleted' ? ` ${event.reason ?? ''}` : ''}`.trim(),
    );
});
informer.error$.subscribe((error) => {
  if (isForbidden(error)) show('forbidden');
});
