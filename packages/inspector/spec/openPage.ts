// A program with an inspector and an open page, and nothing else to do: it ends by itself.
import { once } from 'node:events';
import { connect } from 'node:net';
import { startInspector } from '@rx-informer/inspector';

const { port } = await startInspector();
const page = connect(port, '127.0.0.1').unref();
page.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
// Only the page's socket is there to wait for.
const open = setInterval(() => undefined, 1_000);
await once(page, 'data');
console.log('the page is open');
clearInterval(open);
