import { type ReactElement, StrictMode, useEffect, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { inspectPage } from '@rx-informer/inspector';
import { RelayProvider, useRelay } from '@rx-informer/relay/react';
import { Details } from './Details.js';
import { stateOf, Table } from './Table.js';
import { tabs } from './tabs.js';

const user = /(?:^|; )user=([\w-]+)/.exec(document.cookie)?.[1];

/** A stand-in for an identity provider: the relay believes the cookie. */
function signIn(name: string): void {
  document.cookie = `user=${name}; path=/; samesite=strict`;
  location.reload();
}

/** The actions of an administrator and of a bad network, to show how the page reacts. */
function ask(path: string, body: object): void {
  void fetch(`/behind/${path}`, { method: 'POST', headers: { 'x-dashboard': '1' }, body: JSON.stringify(body) });
}

/** Says whether the page is live, and what was taken away. */
function State(): ReactElement {
  const result = useRelay({ ...tabs[0].scope, select: ({ size }) => size > 0 });
  const { collection, stale, error } = result;
  const [gone, setGone] = useState<readonly string[]>([]);
  useEffect(() => {
    const following = collection.resource$.subscribe((event) => {
      if (event.type === 'deleted' && event.reason === 'revoked') setGone((all) => [...all, event.key.replace(/\/.*/, '')]);
    });
    return () => following.unsubscribe();
  }, [collection]);
  const revoked = `You may not read ${[...new Set(gone)].join(' and ')} any more: ${gone.length} objects were taken away.`;
  return (
    <>
      <span role="status" data-state={stateOf(result)}>
        {stateOf(result)}
      </span>
      {stale && <p role="alert">Not connected: what you see is how it was. It is tried again. {error?.message}</p>}
      {gone.length > 0 && <p role="alert">{revoked}</p>}
    </>
  );
}

function Dashboard(): ReactElement {
  const [{ at, open }, show] = useState<{ at: number; open?: string }>({ at: 0 });
  return (
    <>
      <header>
        <h1>Dashboard</h1>
        {user !== undefined && <State />}
        {['ada', 'bob'].map((name) => (
          <button key={name} aria-pressed={name === user} onClick={() => signIn(name)}>
            {name}
          </button>
        ))}
      </header>
      <nav>
        {tabs.map(({ title }, index) => (
          <button key={title} aria-pressed={index === at} onClick={() => show({ at: index })}>
            {title}
          </button>
        ))}
      </nav>
      {user === undefined && <p className="empty">Choose who you are: ada reads the whole cluster, bob three namespaces.</p>}
      <main className={open === undefined ? '' : 'with-details'}>
        {user !== undefined && <Table key={at} tab={tabs[at] ?? tabs[0]} open={open} onOpen={(id) => show({ at, open: id })} />}
        {open !== undefined && <Details key={open} kind={at === 0 ? 'pods' : 'deployments'} id={open} onClose={() => show({ at })} />}
      </main>
      <footer>
        <span>Bob reads</span>
        {['shop', 'team-01', 'team-02'].map((namespace) => (
          <label key={namespace}>
            <input type="checkbox" defaultChecked onChange={({ target }) => ask('rights', { namespace, isGranted: target.checked })} />
            {` ${namespace}`}
          </label>
        ))}
        <button onClick={() => ask('network', { cutMs: 8_000 })}>Cut the network for 8 s</button>
        <button onClick={() => void inspectPage()}>Inspect this page</button>
      </footer>
    </>
  );
}

createRoot(document.getElementById('page') as HTMLElement).render(
  <StrictMode>
    <RelayProvider url="/relay">
      <Dashboard />
    </RelayProvider>
  </StrictMode>,
);
