import { describe, expect, it } from 'vitest';
import { eventTypes } from '../../src/write/event-types.ts';
import { documentedEvents } from '../support/documented-events.ts';

const documented = new Map(documentedEvents().map((event) => [event.type, event]));

describe('the page on events', () => {
  it('has every event type, and no other', () => {
    expect([...documented.keys()].sort()).toEqual(Object.keys(eventTypes).sort());
  });

  it.each(Object.entries(eventTypes))('has an example of %s that the log takes', (type, definition) => {
    const { version, data } = documented.get(type) ?? {};
    expect(version).toBe(definition.version);
    expect(definition.schema.parse(data)).toEqual(data);
  });
});
