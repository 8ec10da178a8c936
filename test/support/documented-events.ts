import { readFileSync } from 'node:fs';

const PAGE = new URL('../../docs/analysts/events.md', import.meta.url);

export interface DocumentedEvent {
  readonly type: string;
  readonly stream: string;
  readonly version: number;
  readonly data: unknown;
}

/** The example of each event type on the page on events. */
export const documentedEvents = (): readonly DocumentedEvent[] =>
  [
    ...readFileSync(PAGE, 'utf8').matchAll(
      /^#### (\w+)\n\n[\s\S]*?\n\n`(\S+)`, version (\d+)\n\n```json\n([\s\S]*?)\n```$/gm,
    ),
  ].map(([, type = '', stream = '', version, example = '']) => ({
    type,
    stream,
    version: Number(version),
    data: JSON.parse(example),
  }));
