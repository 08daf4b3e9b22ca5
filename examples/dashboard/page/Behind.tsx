import { type ReactElement, useState } from 'react';

function ask(path: string, body: object): void {
  void fetch(`/behind/${path}`, {
    method: 'POST',
    headers: { 'x-dashboard': '1', 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}

/** The actions of an administrator and of a bad network, to show how the page reacts. */
export function Behind(): ReactElement {
  const [granted, setGranted] = useState<Readonly<Record<string, boolean>>>({ shop: true, 'team-01': true, 'team-02': true });
  const change = (namespace: string): void => {
    const isGranted = granted[namespace] !== true;
    setGranted({ ...granted, [namespace]: isGranted });
    ask('rights', { namespace, isGranted });
  };
  return (
    <footer>
      <span>Bob reads</span>
      {Object.entries(granted).map(([namespace, isGranted]) => (
        <label key={namespace}>
          <input type="checkbox" checked={isGranted} onChange={() => change(namespace)} /> {namespace}
        </label>
      ))}
      <button type="button" onClick={() => ask('network', { cutMs: 8_000 })}>
        Cut the network for 8 s
      </button>
    </footer>
  );
}
