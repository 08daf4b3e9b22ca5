import { describe, expect, it } from '@jest/globals';
import { stateStyle } from '../../src/output/tableFormat.js';

describe('stateStyle', () => {
  it.each([
    ['Status', 'Running', 'green'],
    ['STATUS', 'CrashLoopBackOff', 'red'],
    ['Status', 'Init:0/1', 'yellow'],
    ['Status', 'Init:Error', 'red'],
    ['Status', 'ExitCode:3', 'red'],
    ['Status', 'Completed', 'dim'],
    ['Status', 'Ready,SchedulingDisabled', 'yellow'],
    ['Ready', '1/2', 'yellow'],
    ['Ready', '2/2', 'green'],
    ['Ready', 'False', 'red'],
    ['Status', 'something of its own', undefined],
    ['Name', 'Running', undefined],
  ])('of %s %s is %s', (column, cell, expected) => {
    expect(stateStyle(column, cell)).toBe(expected);
  });
});
