import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { eventTypes } from '../../src/write/event-types.ts';
import { eventExamples } from '../support/event-examples.ts';

const documented = new Map(eventExamples().map((event) => [event.type, event]));

describe('the examples of events', () => {
  it('cover every event type, and no other', () => {
    expect([...documented.keys()].sort()).toEqual(Object.keys(eventTypes).sort());
  });

  it('have a row each in the document for analysts', () => {
    const page = readFileSync(new URL('../../docs/analysts.md', import.meta.url), 'utf8');
    const rows = page.slice(page.indexOf('## Event types')).match(/^\| `\w.*?\|/gm) ?? [];
    const named = rows.flatMap((row) => [...row.matchAll(/`(\w+)`/g)].map(([, type]) => type));
    expect(named.sort()).toEqual(Object.keys(eventTypes).sort());
  });

  it.each(Object.entries(eventTypes))('include one of %s that the log accepts', (type, definition) => {
    const { version, data } = documented.get(type) ?? {};
    expect(version).toBe(definition.version);
    expect(definition.schema.parse(data)).toEqual(data);
  });
});
