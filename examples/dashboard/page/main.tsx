import { type ReactElement, StrictMode, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { Behind } from './Behind.js';
import { deploymentColumns, podColumns, rolloutColumns } from './columns.js';
import { Details } from './Details.js';
import { LinkState, OfflineNotice, RevokedNotice } from './Notices.js';
import { deployments, pods, rollouts } from './sources.js';
import { Table } from './Table.js';

const tabs = ['Pods', 'Deployments', 'Rollouts'] as const;
type Tab = (typeof tabs)[number];

const userOf = (): string | undefined => /(?:^|; )user=([\w-]+)/.exec(document.cookie)?.[1];

/** A stand-in for an identity provider: the relay believes the cookie. */
function signIn(name: string): void {
  document.cookie = `user=${name}; path=/; samesite=strict`;
  location.reload();
}

function Users({ user }: { readonly user: string | undefined }): ReactElement {
  return (
    <div className="users" role="group" aria-label="User">
      {['ada', 'bob'].map((name) => (
        <button key={name} type="button" aria-pressed={name === user} onClick={() => signIn(name)}>
          {name}
        </button>
      ))}
    </div>
  );
}

function Dashboard(): ReactElement {
  const [tab, setTab] = useState<Tab>('Pods');
  const [open, setOpen] = useState<string>();
  const table = { open, onOpen: setOpen };
  const show = (next: Tab): void => {
    setTab(next);
    setOpen(undefined);
  };
  return (
    <>
      <OfflineNotice />
      <RevokedNotice />
      <nav>
        {tabs.map((name) => (
          <button key={name} type="button" aria-current={name === tab ? 'page' : undefined} onClick={() => show(name)}>
            {name}
          </button>
        ))}
      </nav>
      <main className={open === undefined ? '' : 'with-details'}>
        {tab === 'Pods' && <Table collection={pods} columns={podColumns} what="pods" {...table} />}
        {tab === 'Deployments' && <Table collection={deployments} columns={deploymentColumns} what="deployments" {...table} />}
        {tab === 'Rollouts' && <Table collection={rollouts} columns={rolloutColumns} what="rollouts" {...table} />}
        {open !== undefined && <Details kind={tab === 'Pods' ? 'pods' : 'deployments'} id={open} onClose={() => setOpen(undefined)} />}
      </main>
      <Behind />
    </>
  );
}

function Page(): ReactElement {
  const user = userOf();
  return (
    <>
      <header className="top">
        <h1>Dashboard</h1>
        {user !== undefined && <LinkState />}
        <Users user={user} />
      </header>
      {user === undefined ? <p className="empty">Choose who you are: ada reads the whole cluster, bob three namespaces.</p> : <Dashboard />}
    </>
  );
}

createRoot(document.getElementById('page') as HTMLElement).render(
  <StrictMode>
    <Page />
  </StrictMode>,
);
