// A page that asks a server of another origin which sends no CORS headers, and one that is dead. The ports of both stand in the fragment of its URL.
import { createClient, createInformer, type KubernetesObject, resources } from 'rx-informer';
import { relaySource } from '@rx-informer/relay/client';

const lines: string[] = [];

function show(line: string): void {
  lines.push(line);
  void fetch('/shown', { method: 'POST', body: lines.join('\n') });
}

async function failuresOf(port: string): Promise<readonly string[]> {
  const server = `http://127.0.0.1:${port}`;
  const answer = createClient({ server }).get(resources.core.v1.pods, 'web', { namespace: 'default' });
  const asked = await answer.then(
    () => 'answered',
    (error: { readonly code: string }) => error.code,
  );
  const page = createInformer(relaySource<KubernetesObject>(`${server}/relay`, { kind: 'pods' }), { resource: 'pods' });
  const followed = await new Promise<string>((resolve) => {
    page.error$.subscribe(({ message }) => resolve(message.includes('without CORS headers') ? 'says that CORS refused it' : 'failed'));
    page.start();
  });
  await page.stop();
  return [asked, followed];
}

const [alive = '', dead = ''] = location.hash.slice(1).split(',');
show(`alive: ${(await failuresOf(alive)).join(', ')}`);
show(`dead: ${(await failuresOf(dead)).join(', ')}`);
show('over');
