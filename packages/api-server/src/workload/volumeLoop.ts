import type { Observable } from 'rxjs';
import { resources, type V1PersistentVolume, type V1PersistentVolumeClaim } from 'rx-informer';
import { mappedKeys, type Outcome } from '@rx-informer/controller';
import { loopOver, tolerate, type WorkloadContext } from './workloadContext.js';

const { persistentvolumes, persistentvolumeclaims } = resources.core.v1;

function referenceOf({ metadata: { name = '', namespace = '', uid = '', resourceVersion = '' } = {} }: V1PersistentVolumeClaim): object {
  return { apiVersion: 'v1', kind: 'PersistentVolumeClaim', name, namespace, uid, resourceVersion };
}

/** The volume that is provisioned for a claim. */
function provisioned(claim: V1PersistentVolumeClaim): V1PersistentVolume {
  const { accessModes = [], resources: asked, storageClassName, volumeMode } = claim.spec ?? {};
  const name = `pvc-${claim.metadata?.uid ?? ''}`;
  return {
    metadata: { name },
    spec: {
      accessModes,
      capacity: { storage: asked?.requests?.['storage'] ?? '1Gi' },
      claimRef: referenceOf(claim),
      persistentVolumeReclaimPolicy: 'Delete',
      hostPath: { path: `/var/volumes/${name}` },
      ...(storageClassName !== undefined && { storageClassName }),
      ...(volumeMode !== undefined && { volumeMode }),
    },
  };
}

/** Whether a volume that exists is for a claim: it names it, or is named by it. */
function isFor({ metadata, spec }: V1PersistentVolume, claim: V1PersistentVolumeClaim): boolean {
  const { name, namespace, uid } = claim.metadata ?? {};
  const { claimRef } = spec ?? {};
  if (claimRef !== undefined) return claimRef.name === name && claimRef.namespace === namespace && (claimRef.uid ?? uid) === uid;
  return claim.spec?.volumeName === metadata?.name;
}

/** Simulates the binding of claims to volumes, which are provisioned where none is prepared, and their removal when the claim is gone. */
export function volumeLoop(context: WorkloadContext): Observable<Outcome> {
  const { client, claims, volumes, scheduler } = context;
  const sources = {
    claims: claims.resource$,
    volumes: volumes.resource$.pipe(mappedKeys(({ spec }) => [`${spec?.claimRef?.namespace ?? ''}/${spec?.claimRef?.name ?? ''}`])),
  };
  return loopOver(claims, { sources, caches: [claims, volumes], scheduler }, async (claim, name, namespace) => {
    if (claim.status?.phase === 'Bound') return;
    const found = volumes.lister.list().find((volume) => isFor(volume, claim));
    // A claim that names its volume waits for it.
    if (found === undefined && (claim.spec?.volumeName ?? '') !== '') return;
    const volume = found ?? provisioned(claim);
    const volumeName = volume.metadata?.name ?? '';
    if (found === undefined) await tolerate(client.create(persistentvolumes, volume));
    else await tolerate(client.patch(persistentvolumes, volumeName, 'merge', { spec: { claimRef: referenceOf(claim) } }));
    await tolerate(client.status.patch(persistentvolumes, volumeName, 'merge', { status: { phase: 'Bound' } }));
    await tolerate(client.patch(persistentvolumeclaims, name, 'merge', { spec: { volumeName } }, { namespace }));
    const { capacity, accessModes } = volume.spec ?? {};
    await tolerate(
      client.status.patch(persistentvolumeclaims, name, 'merge', { status: { phase: 'Bound', capacity, accessModes } }, { namespace }),
    );
  });
}

/** Simulates the reclaiming of volumes whose claim is gone. */
export function reclaimLoop(context: WorkloadContext): Observable<Outcome> {
  const { client, claims, volumes, scheduler } = context;
  const sources = {
    volumes: volumes.resource$,
    claims: claims.resource$.pipe(
      mappedKeys((claim) => volumes.lister.list().flatMap((volume) => (isFor(volume, claim) ? [volume.metadata?.name ?? ''] : []))),
    ),
  };
  return loopOver(volumes, { sources, caches: [claims, volumes], scheduler }, async (volume, name) => {
    const { claimRef, persistentVolumeReclaimPolicy } = volume.spec ?? {};
    const phase = volume.status?.phase;
    if (claimRef === undefined && phase !== 'Available')
      await tolerate(client.status.patch(persistentvolumes, name, 'merge', { status: { phase: 'Available' } }));
    if (claimRef === undefined || phase !== 'Bound') return;
    const claim = claims.indexer.getByKey(`${claimRef.namespace ?? ''}/${claimRef.name ?? ''}`);
    if (claim?.metadata?.uid === claimRef.uid) return;
    // A volume that is bound is protected.
    await tolerate(client.status.patch(persistentvolumes, name, 'merge', { status: { phase: 'Released' } }));
    if (persistentVolumeReclaimPolicy === 'Delete') await tolerate(client.delete(persistentvolumes, name));
  });
}
