import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openTarget, type Target } from '../support/target.js';
import { createChanged, type Base, type Rule } from './createChanged.js';

const bases: Readonly<Record<string, Base>> = {
  job: {
    path: '/apis/batch/v1/namespaces/default/jobs',
    body: { metadata: { name: 'x' }, spec: { template: { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] } } } },
  },
};

// What is expected was answered by a kube-apiserver 1.36.3.
const rules: readonly Rule[] = [
  [
    'job',
    'counts are not negative',
    { 'spec.parallelism': -1, 'spec.backoffLimit': -2 },
    [
      'spec.parallelism: Invalid value: -1: must be greater than or equal to 0',
      'spec.backoffLimit: Invalid value: -2: must be greater than or equal to 0',
    ],
  ],
  [
    'job',
    'a mode is one of two',
    { 'spec.completionMode': 'Sorted' },
    ['spec.completionMode: Unsupported value: "Sorted": supported values: "NonIndexed", "Indexed"'],
  ],
  [
    'job',
    'pods of a job do not always restart',
    { 'spec.template.spec.restartPolicy': 'Always' },
    ['spec.template.spec.restartPolicy: Required value: valid values: "OnFailure", "Never"'],
  ],
  [
    'job',
    'with a policy for failures, pods never restart',
    {
      'spec.template.spec.restartPolicy': 'OnFailure',
      'spec.podFailurePolicy': { rules: [{ action: 'Count', onExitCodes: { operator: 'In', values: [1] } }] },
    },
    ['spec.template.spec.restartPolicy: Invalid value: "OnFailure": only "Never" is supported when podFailurePolicy is specified'],
  ],
  [
    'job',
    'with a policy for failures, pods are replaced once they have failed',
    {
      'spec.podReplacementPolicy': 'TerminatingOrFailed',
      'spec.podFailurePolicy': { rules: [{ action: 'Count', onExitCodes: { operator: 'In', values: [1] } }] },
    },
    ['spec.podReplacementPolicy: Unsupported value: "TerminatingOrFailed": supported values: "Failed"'],
  ],
  [
    'job',
    'an index fails only where there is a limit for each',
    { 'spec.podFailurePolicy': { rules: [{ action: 'FailIndex', onExitCodes: { operator: 'In', values: [1] } }] } },
    ['spec.podFailurePolicy.rules[0].action: Invalid value: "FailIndex": requires the backoffLimitPerIndex to be set'],
  ],
  [
    'job',
    'an action is one of four',
    { 'spec.podFailurePolicy': { rules: [{ action: 'Cry', onExitCodes: { operator: 'In', values: [1] } }] } },
    ['spec.podFailurePolicy.rules[0].action: Unsupported value: "Cry": supported values: "Count", "FailIndex", "FailJob", "Ignore"'],
  ],
  [
    'job',
    'exit codes are ordered, unique and not empty',
    {
      'spec.podFailurePolicy': {
        rules: [
          { action: 'Count', onExitCodes: { operator: 'In', values: [2, 1, 1] } },
          { action: 'Count', onExitCodes: { operator: 'NotIn', values: [] } },
        ],
      },
    },
    [
      'spec.podFailurePolicy.rules[0].onExitCodes.values[2]: Duplicate value: 1',
      'spec.podFailurePolicy.rules[0].onExitCodes.values: Invalid value: [2,1,1]: must be ordered',
      'spec.podFailurePolicy.rules[1].onExitCodes.values: Invalid value: []: at least one value is required',
    ],
  ],
  [
    'job',
    'success is no exit code to look for',
    { 'spec.podFailurePolicy': { rules: [{ action: 'Count', onExitCodes: { operator: 'In', values: [0] } }] } },
    ['spec.podFailurePolicy.rules[0].onExitCodes.values[0]: Invalid value: 0: must not be 0 for the In operator'],
  ],
  [
    'job',
    'exit codes are those of a container of the template',
    { 'spec.podFailurePolicy': { rules: [{ action: 'Count', onExitCodes: { containerName: 'd', operator: 'In', values: [1] } }] } },
    [
      'spec.podFailurePolicy.rules[0].onExitCodes.containerName: Invalid value: "d": must be one of the container or initContainer names in the pod template',
    ],
  ],
  [
    'job',
    'a rule has exit codes or conditions',
    { 'spec.podFailurePolicy': { rules: [{ action: 'Count' }] } },
    ['spec.podFailurePolicy.rules[0]: Invalid value: specifying one of OnExitCodes and OnPodConditions is required'],
  ],
  [
    'job',
    'and not both',
    {
      'spec.podFailurePolicy': {
        rules: [{ action: 'Count', onExitCodes: { operator: 'In', values: [1] }, onPodConditions: [{ type: 'A', status: 'True' }] }],
      },
    },
    ['spec.podFailurePolicy.rules[0]: Invalid value: specifying both OnExitCodes and OnPodConditions is not supported'],
  ],
  [
    'job',
    'a condition has a type and one of three states',
    { 'spec.podFailurePolicy': { rules: [{ action: 'Count', onPodConditions: [{ type: '', status: 'Maybe' }] }] } },
    [
      'spec.podFailurePolicy.rules[0].onPodConditions[0].type: Invalid value: "": name part must be non-empty',
      "spec.podFailurePolicy.rules[0].onPodConditions[0].type: Invalid value: \"\": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
      'spec.podFailurePolicy.rules[0].onPodConditions[0].status: Unsupported value: "Maybe": supported values: "False", "True", "Unknown"',
    ],
  ],
  [
    'job',
    'a policy for success is for indexed jobs',
    { 'spec.successPolicy': { rules: [{ succeededCount: 1 }] } },
    ['spec.successPolicy: Invalid value: {"Rules":[{"SucceededIndexes":null,"SucceededCount":1}]}: requires indexed completion mode'],
  ],
  [
    'job',
    'a policy for success has rules',
    { 'spec.completionMode': 'Indexed', 'spec.completions': 3, 'spec.successPolicy': { rules: [] } },
    ['spec.successPolicy.rules: Required value: at least one rules must be specified when the successPolicy is specified'],
  ],
  [
    'job',
    'a rule for success says how many, or which',
    { 'spec.completionMode': 'Indexed', 'spec.completions': 3, 'spec.successPolicy': { rules: [{}] } },
    ['spec.successPolicy.rules[0]: Required value: at least one of succeededCount or succeededIndexes must be specified'],
  ],
  [
    'job',
    'no more can succeed than there are',
    {
      'spec.completionMode': 'Indexed',
      'spec.completions': 3,
      'spec.successPolicy': { rules: [{ succeededCount: 4 }, { succeededIndexes: '0-1', succeededCount: 3 }] },
    },
    [
      'spec.successPolicy.rules[0].succeededCount: Invalid value: 4: must be less than or equal to 3 (the number of specified completions)',
      'spec.successPolicy.rules[1].succeededCount: Invalid value: 3: must be less than or equal to 2 (the number of indexes in the specified succeededIndexes field)',
    ],
  ],
  [
    'job',
    'indexes are below the completions',
    { 'spec.completionMode': 'Indexed', 'spec.completions': 3, 'spec.successPolicy': { rules: [{ succeededIndexes: '0,3' }] } },
    ['spec.successPolicy.rules[0].succeededIndexes: Invalid value: "0,3": error parsing succeededIndexes: too large index: "3"'],
  ],
  [
    'job',
    'indexes increase',
    {
      'spec.completionMode': 'Indexed',
      'spec.completions': 5,
      'spec.successPolicy': { rules: [{ succeededIndexes: '2,1' }, { succeededIndexes: '3-2' }] },
    },
    [
      'spec.successPolicy.rules[0].succeededIndexes: Invalid value: "2,1": error parsing succeededIndexes: non-increasing order, previous: 2, current: 1',
      'spec.successPolicy.rules[1].succeededIndexes: Invalid value: "3-2": error parsing succeededIndexes: non-increasing order, previous: 3, current: 2',
    ],
  ],
  [
    'job',
    'indexes are numbers, an interval has two ends',
    {
      'spec.completionMode': 'Indexed',
      'spec.completions': 5,
      'spec.successPolicy': { rules: [{ succeededIndexes: 'a' }, { succeededIndexes: '1-2-3' }] },
    },
    [
      'spec.successPolicy.rules[0].succeededIndexes: Invalid value: "a": error parsing succeededIndexes: cannot convert string to integer for index: "a"',
      'spec.successPolicy.rules[1].succeededIndexes: Invalid value: "1-2-3": error parsing succeededIndexes: the fragment "1-2-3" violates the requirement that an index interval can have at most two parts separated by \'-\'',
    ],
  ],
  [
    'job',
    'labels of the template are labels',
    { 'spec.template.metadata': { labels: { 'a b': 'c d' } } },
    [
      "metadata.labels: Invalid value: \"a b\": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
      "metadata.labels: Invalid value: \"c d\": a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')",
      "spec.template.labels: Invalid value: \"a b\": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
      "spec.template.labels: Invalid value: \"c d\": a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')",
    ],
  ],
  [
    'job',
    'a limit of failed indexes needs one for each index',
    { 'spec.completionMode': 'Indexed', 'spec.completions': 5, 'spec.maxFailedIndexes': 2 },
    ['spec.backoffLimitPerIndex: Required value: when maxFailedIndexes is specified'],
  ],
  [
    'job',
    'a limit for each index is for indexed jobs',
    { 'spec.backoffLimitPerIndex': 2 },
    ['spec.backoffLimitPerIndex: Invalid value: 2: requires indexed completion mode'],
  ],
  [
    'job',
    'no more indexes can fail than there are',
    { 'spec.completionMode': 'Indexed', 'spec.completions': 5, 'spec.backoffLimitPerIndex': 1, 'spec.maxFailedIndexes': 6 },
    ['spec.maxFailedIndexes: Invalid value: 6: must be less than or equal to completions'],
  ],
  [
    'job',
    'what manages a job has a domain',
    { 'spec.managedBy': 'me' },
    ['spec.managedBy: Invalid value: "me": must be a domain-prefixed path (such as "acme.io/foo")'],
  ],
  [
    'job',
    'an indexed job of many runs not too many at once',
    { 'spec.completionMode': 'Indexed', 'spec.completions': 200000, 'spec.parallelism': 200000, 'spec.backoffLimitPerIndex': 1 },
    [
      'spec.parallelism: Invalid value: 200000: must be less than or equal to 100000 when completion mode is Indexed',
      'spec.maxFailedIndexes: Required value: must be specified when completions is above 100000',
      'spec.parallelism: Invalid value: 200000: must be less than or equal to 10000 when completions are above 100000 and used with backoff limit per index',
    ],
  ],
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
    expect(await createChanged(target, bases[base] as Base, changes)).toEqual([422, said]);
  });
});
