import { printerColumns, type TableColumn } from '@rx-informer/api-server/internal';
import { merge, Subject } from 'rxjs';
import { type KubeClient, resources, type UnstructuredObject } from 'rx-informer';
import type { Target } from '../arguments/argumentValues.js';
import { type ObjectLogs, objectLogs } from '../output/objectLogs.js';
import { showInformer, type ShowFlags } from '../output/showInformer.js';
import { usualColumns, type WatchSubject } from '../output/watchSubject.js';
import type { Run } from '../terminal.js';
import { findSelection, informerOf, type SelectedObjects, type SelectionFlags, withClient } from '../arguments/selection.js';

/** The flags of `rx-informer watch`. */
export interface WatchFlags extends SelectionFlags, ShowFlags {}

/** The flags for a target: with the name of its object, if it has one. */
function flagsFor({ name }: Target, flags: WatchFlags): WatchFlags {
  if (name === undefined) return flags;
  const fieldSelector = [`metadata.name=${name}`, ...(flags.fieldSelector === undefined ? [] : [flags.fieldSelector])].join(',');
  return { ...flags, fieldSelector };
}

/** The columns of a kind: those of a custom resource are in its definition, if the user may read it and they can be understood. */
async function columnsFor(client: KubeClient, resource: WatchSubject['resource']): Promise<readonly TableColumn[]> {
  const { group, plural, version } = resource;
  const usual = usualColumns(resource);
  if (!group.includes('.')) return usual;
  try {
    const { spec } = await client.get(resources.apiextensions.v1.customresourcedefinitions, `${plural}.${group}`);
    const { additionalPrinterColumns: columns = [] } = spec.versions.find(({ name }) => name === version) ?? {};
    return printerColumns(columns.map((each) => ({ ...each })));
  } catch {
    return usual;
  }
}

/** `rx-informer watch`: shows the selected objects live until `end$` emits. */
export async function watchCommand(targets: readonly Target[], flags: WatchFlags, { terminal, end$ }: Run): Promise<void> {
  await withClient(flags, end$, async (client) => {
    const selections: (SelectedObjects & Pick<WatchSubject, 'name'>)[] = [];
    for (const target of targets)
      selections.push({ ...(await findSelection(client, target.kind, flagsFor(target, flags))), name: target.name });
    const failed = new Subject<void>();
    const shown = selections.map(async (selection) => {
      try {
        const columns = flags.output.type === 'table' ? await columnsFor(client, selection.resource) : [];
        const shownAs = { ...selection, columns, showKind: selections.length > 1 };
        const logsOf = (object: UnstructuredObject): ObjectLogs | undefined =>
          objectLogs(client, selection.resource, object, { follow: true, tail: 500 });
        await showInformer(informerOf(client, selection), shownAs, flags, { terminal, end$: merge(end$, failed) }, logsOf);
      } catch (error) {
        failed.next();
        throw error;
      }
    });
    for (const result of await Promise.allSettled(shown)) if (result.status === 'rejected') throw result.reason;
  });
}
