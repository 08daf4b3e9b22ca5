// The embedded API server in a process of its own, for recovery.ts. Each message is the content that its config map gets; the answer is the object's version.
import { startApiServer } from '@rx-informer/api-server';

const server = await startApiServer();
const change = (content: string): string => {
  const metadata = { name: 'changing', namespace: 'default' };
  const [stored] = server.objects.put({ apiVersion: 'v1', kind: 'ConfigMap', metadata, ...{ data: { content } } });
  return stored?.metadata?.resourceVersion ?? '';
};
change('at first');
process.on('message', (content: string) => process.send?.(change(content)));
process.on('disconnect', () => process.exit());
process.send?.(server.url);
