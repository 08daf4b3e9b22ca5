import { describe, expect, it } from '@jest/globals';
import { cronSchedule } from '../../src/workload/cronSchedule.js';

const at = (text: string): number => Date.parse(`${text}Z`);

describe('cronSchedule', () => {
  it.each<[schedule: string, matching: readonly string[], others: readonly string[]]>([
    ['*/15 * * * *', ['2026-11-28T10:00', '2026-11-28T10:45'], ['2026-11-28T10:01']],
    ['5/20 * * * *', ['2026-11-28T10:05', '2026-11-28T10:45'], ['2026-11-28T10:00']],
    ['0 8-10/2 * * 1-5', ['2026-11-27T08:00', '2026-11-27T10:00'], ['2026-11-27T09:00', '2026-11-28T08:00']],
    ['0 0 1 jan,jul *', ['2026-01-01T00:00', '2026-07-01T00:00'], ['2026-02-01T00:00']],
    ['0 0 13 * fri', ['2026-11-13T00:00', '2026-11-27T00:00', '2026-12-13T00:00'], ['2026-11-28T00:00']],
    ['0 0 * * 7', ['2026-11-29T00:00'], ['2026-11-28T00:00']],
    ['@hourly', ['2026-11-28T10:00'], ['2026-11-28T10:30']],
    ['@weekly', ['2026-11-29T00:00'], ['2026-11-30T00:00']],
  ])('%s', (schedule, matching, others) => {
    const matches = (minute: number): boolean => cronSchedule(schedule).matches(minute);
    expect(matching.filter((minute) => !matches(at(minute)))).toEqual([]);
    expect(others.filter((minute) => matches(at(minute)))).toEqual([]);
  });

  it('reads the clock of a time zone', () => {
    expect(cronSchedule('30 9 * * *', 'Asia/Kolkata').matches(at('2026-11-28T04:00'))).toBe(true);
  });
});
