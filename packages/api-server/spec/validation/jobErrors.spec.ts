import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openTarget, type Target } from '../support/target.js';
import { createChanged, type Base, type Rule } from './createChanged.js';

const bases: Readonly<Record<string, Base>> = {
  job: {
    path: '/apis/batch/v1/namespaces/default/jobs',
    body: { metadata: { name: 'x' }, spec: { template: { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] } } } },
  },
};

const rules: readonly Rule[] = [
  [
    'job',
    'counts are not negative',
    { 'spec.parallelism': -1, 'spec.backoffLimit': -2 },
    ['spec.parallelism: Invalid value', 'spec.backoffLimit: Invalid value'],
  ],
  ['job', 'a mode is one of two', { 'spec.completionMode': 'Sorted' }, ['spec.completionMode: Unsupported value']],
  [
    'job',
    'pods of a job do not always restart',
    { 'spec.template.spec.restartPolicy': 'Always' },
    ['spec.template.spec.restartPolicy: Required value'],
  ],
  [
    'job',
    'with a policy for failures, pods never restart',
    {
      'spec.template.spec.restartPolicy': 'OnFailure',
      'spec.podFailurePolicy': { rules: [{ action: 'Count', onExitCodes: { operator: 'In', values: [1] } }] },
    },
    ['spec.template.spec.restartPolicy: Invalid value'],
  ],
  [
    'job',
    'an index fails only where there is a limit for each',
    { 'spec.podFailurePolicy': { rules: [{ action: 'FailIndex', onExitCodes: { operator: 'In', values: [1] } }] } },
    ['spec.podFailurePolicy.rules[0].action: Invalid value'],
  ],
  [
    'job',
    'an action is one of four',
    { 'spec.podFailurePolicy': { rules: [{ action: 'Cry', onExitCodes: { operator: 'In', values: [1] } }] } },
    ['spec.podFailurePolicy.rules[0].action: Unsupported value'],
  ],
  [
    'job',
    'exit codes are ordered and not empty',
    {
      'spec.podFailurePolicy': {
        rules: [
          { action: 'Count', onExitCodes: { operator: 'In', values: [2, 1, 1] } },
          { action: 'Count', onExitCodes: { operator: 'NotIn', values: [] } },
        ],
      },
    },
    [
      'spec.podFailurePolicy.rules[0].onExitCodes.values: Invalid value',
      'spec.podFailurePolicy.rules[1].onExitCodes.values: Invalid value',
    ],
  ],
  [
    'job',
    'success is no exit code to look for',
    { 'spec.podFailurePolicy': { rules: [{ action: 'Count', onExitCodes: { operator: 'In', values: [0] } }] } },
    ['spec.podFailurePolicy.rules[0].onExitCodes.values[0]: Invalid value'],
  ],
  [
    'job',
    'exit codes are those of a container of the template',
    { 'spec.podFailurePolicy': { rules: [{ action: 'Count', onExitCodes: { containerName: 'd', operator: 'In', values: [1] } }] } },
    ['spec.podFailurePolicy.rules[0].onExitCodes.containerName: Invalid value'],
  ],
  [
    'job',
    'a rule has exit codes or conditions',
    { 'spec.podFailurePolicy': { rules: [{ action: 'Count' }] } },
    ['spec.podFailurePolicy.rules[0]: Invalid value'],
  ],
  [
    'job',
    'and not both',
    {
      'spec.podFailurePolicy': {
        rules: [{ action: 'Count', onExitCodes: { operator: 'In', values: [1] }, onPodConditions: [{ type: 'A', status: 'True' }] }],
      },
    },
    ['spec.podFailurePolicy.rules[0]: Invalid value'],
  ],
  [
    'job',
    'a policy for success is for indexed jobs',
    { 'spec.successPolicy': { rules: [{ succeededCount: 1 }] } },
    ['spec.successPolicy: Invalid value'],
  ],
  [
    'job',
    'a policy for success has rules',
    { 'spec.completionMode': 'Indexed', 'spec.completions': 3, 'spec.successPolicy': { rules: [] } },
    ['spec.successPolicy.rules: Required value'],
  ],
  [
    'job',
    'a rule for success says how many, or which',
    { 'spec.completionMode': 'Indexed', 'spec.completions': 3, 'spec.successPolicy': { rules: [{}] } },
    ['spec.successPolicy.rules[0]: Required value'],
  ],
  [
    'job',
    'no more can succeed than there are',
    {
      'spec.completionMode': 'Indexed',
      'spec.completions': 3,
      'spec.successPolicy': { rules: [{ succeededCount: 4 }, { succeededIndexes: '0-1', succeededCount: 3 }] },
    },
    ['spec.successPolicy.rules[0].succeededCount: Invalid value', 'spec.successPolicy.rules[1].succeededCount: Invalid value'],
  ],
  [
    'job',
    'indexes are below the completions',
    { 'spec.completionMode': 'Indexed', 'spec.completions': 3, 'spec.successPolicy': { rules: [{ succeededIndexes: '0,3' }] } },
    ['spec.successPolicy.rules[0].succeededIndexes: Invalid value'],
  ],
  [
    'job',
    'indexes increase',
    {
      'spec.completionMode': 'Indexed',
      'spec.completions': 5,
      'spec.successPolicy': { rules: [{ succeededIndexes: '2,1' }, { succeededIndexes: '3-2' }] },
    },
    ['spec.successPolicy.rules[0].succeededIndexes: Invalid value', 'spec.successPolicy.rules[1].succeededIndexes: Invalid value'],
  ],
  [
    'job',
    'indexes are numbers, an interval has two ends',
    {
      'spec.completionMode': 'Indexed',
      'spec.completions': 5,
      'spec.successPolicy': { rules: [{ succeededIndexes: 'a' }, { succeededIndexes: '1-2-3' }] },
    },
    ['spec.successPolicy.rules[0].succeededIndexes: Invalid value', 'spec.successPolicy.rules[1].succeededIndexes: Invalid value'],
  ],
  [
    'job',
    'labels of the template are labels',
    { 'spec.template.metadata': { labels: { 'a b': 'c d' } } },
    [
      'metadata.labels: Invalid value',
      'metadata.labels: Invalid value',
      'spec.template.labels: Invalid value',
      'spec.template.labels: Invalid value',
    ],
  ],
  ['job', 'a limit for each index is for indexed jobs', { 'spec.backoffLimitPerIndex': 2 }, ['spec.backoffLimitPerIndex: Invalid value']],
];

describe('validation of jobs', () => {
  let target: Target;
  beforeAll(async () => {
    target = await openTarget();
  });
  afterAll(() => target.close());

  it.each(Object.entries(bases))('takes what breaks no rule (%s)', async (_, base) => {
    expect(await createChanged(target, base, {})).toEqual([201, []]);
  });

  it.each(rules)('%s: %s', async (base, _, changes, said) => {
    expect(await createChanged(target, bases[base] as Base, changes)).toEqual([422, [...new Set(said)].sort()]);
  });
});
