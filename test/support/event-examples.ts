import { readFileSync } from 'node:fs';

export interface EventExample {
  readonly type: string;
  readonly stream: string;
  readonly version: number;
  readonly data: unknown;
}

/** An example of each event type. */
export const eventExamples = (): readonly EventExample[] =>
  JSON.parse(readFileSync(new URL('../fixtures/event-examples.json', import.meta.url), 'utf8'));
