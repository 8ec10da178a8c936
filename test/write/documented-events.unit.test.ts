import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { eventTypes } from '../../src/write/event-types.ts';

const page = readFileSync(new URL('../../docs/analysts/events.md', import.meta.url), 'utf8');

/** The section of each event type: its stream, its version and its example. */
const documented = new Map(
  [...page.matchAll(/^#### (\w+)\n\n[\s\S]*?\n\n`(\S+)`, version (\d+)\n\n```json\n([\s\S]*?)\n```$/gm)].map(
    ([, type = '', stream, version, example = '']) => [type, { stream, version: Number(version), example }],
  ),
);

describe('the page on events', () => {
  it('has every event type, and no other', () => {
    expect([...documented.keys()].sort()).toEqual(Object.keys(eventTypes).sort());
  });

  it.each(Object.entries(eventTypes))('has an example of %s that the log takes', (type, definition) => {
    const { version, example = '' } = documented.get(type) ?? {};
    expect(version).toBe(definition.version);
    expect(definition.schema.parse(JSON.parse(example))).toEqual(JSON.parse(example));
  });
});
