import { atomicObject, listBy, object, scalarSet, type FieldShape } from './fieldShape.js';

/** `metadata` of every object, and of templates. */
export const metadataShape: FieldShape = object({
  ownerReferences: listBy('uid', atomicObject),
  finalizers: { keys: [], patchKey: '' },
});

/** A label selector: its parts only make sense together. */
export const selectorShape: FieldShape = atomicObject;

const reference = atomicObject;

const envVar = object({
  valueFrom: object({
    configMapKeyRef: reference,
    secretKeyRef: reference,
    fieldRef: reference,
    resourceFieldRef: reference,
    fileKeyRef: reference,
  }),
});

const container = object({
  ports: { ...listBy('containerPort'), keys: ['containerPort', 'protocol'], keyDefaults: { protocol: 'TCP' } },
  env: listBy('name', envVar),
  volumeMounts: listBy('mountPath', object({ bindMountOptions: scalarSet })),
  volumeDevices: listBy('devicePath'),
  resources: object({ claims: { keys: ['name'] } }),
});

const containers = listBy('name', container);

const claimSpec = object({ selector: selectorShape, dataSource: reference });

const secretRef = object({ secretRef: reference });

const volume = object({
  cephfs: secretRef,
  cinder: secretRef,
  csi: object({ nodePublishSecretRef: reference }),
  ephemeral: object({ volumeClaimTemplate: object({ metadata: metadataShape, spec: claimSpec }) }),
  flexVolume: secretRef,
  iscsi: secretRef,
  rbd: secretRef,
  scaleIO: secretRef,
  storageos: secretRef,
});

const nodeAffinity = object({ requiredDuringSchedulingIgnoredDuringExecution: atomicObject });

/** The spec of a pod. */
export const podSpecShape: FieldShape = object({
  affinity: object({ nodeAffinity }),
  containers,
  ephemeralContainers: containers,
  hostAliases: listBy('ip'),
  imagePullSecrets: listBy('name', reference),
  initContainers: containers,
  nodeSelector: atomicObject,
  resourceClaims: listBy('name'),
  resources: object({ claims: { keys: ['name'] } }),
  schedulingGates: listBy('name'),
  topologySpreadConstraints: {
    ...listBy('topologyKey', object({ labelSelector: selectorShape })),
    keys: ['topologyKey', 'whenUnsatisfiable'],
  },
  volumes: listBy('name', volume),
});

/** A template of pods. */
export const podTemplateShape: FieldShape = object({ metadata: metadataShape, spec: podSpecShape });

/** The spec of a claim for storage. */
export const claimSpecShape: FieldShape = claimSpec;

/** `conditions`, which have one entry for each type. */
export const conditions: FieldShape = listBy('type');

/** The status of a pod. */
export const podStatusShape: FieldShape = object({
  conditions,
  hostIPs: { patchKey: 'ip' },
  podIPs: listBy('ip'),
  resourceClaimStatuses: listBy('name'),
});
