import cron from 'node-cron';

type Matches = (date: Date) => boolean;

const matchers = new Map<string, Matches>();

const matcherOf = (schedule: string): Matches => {
  const known = matchers.get(schedule);
  if (known !== undefined) return known;
  const task = cron.createTask(schedule, () => undefined, { timezone: 'UTC' });
  const matches: Matches = (date) => task.match(date);
  matchers.set(schedule, matches);
  return matches;
};

/**
 * Whether a pool is crawled in the minute of an instant.
 * @param schedule cron expression of minutes in UTC, as `* 0-5 * * *` for the first six hours of a day; null for always.
 */
export const isScheduled = (schedule: string | null, now: Date): boolean => {
  if (schedule === null) return true;
  const minute = new Date(now);
  minute.setUTCSeconds(0, 0);
  return matcherOf(schedule)(minute);
};

/** Whether a text is a cron expression of five fields. */
export const isSchedule = (text: string): boolean =>
  text.trim().split(/\s+/).length === 5 && cron.validate(text);
