import { expect, it } from 'vitest';
import { eventTypes } from '../../../src/write/event-types.ts';
import { withValidation } from '../../../src/write/log/codec.ts';
import type { EventLog, NewEvent } from '../../../src/write/log/port.ts';
import { LogRequestRejectedError } from '../../../src/write/log/port.ts';
import { eventExamples } from '../../support/event-examples.ts';
import { hiddenIn, WITH_ALL_HIDDEN } from '../../support/hidden-characters.ts';
import { textsOf, withTextAt } from '../../support/hostile.ts';

it.each(eventExamples())('no text of $type enters the log with hidden characters', async ({ type, data }) => {
  const kept: NewEvent[] = [];
  const inner = {
    append: async (_: string, events: readonly NewEvent[]) => kept.push(...events),
  } as unknown as EventLog;
  const log = withValidation(inner, eventTypes);
  for (const path of textsOf(data)) {
    const event = {
      id: '00000000-0000-7000-8000-000000000001',
      type,
      data: withTextAt(data, path, WITH_ALL_HIDDEN),
    };
    await log.append('account-x:nasa', [event], 'any').catch((error: unknown) => {
      expect(error).toBeInstanceOf(LogRequestRejectedError);
    });
  }
  expect(hiddenIn(JSON.stringify(kept))).toEqual([]);
});

it('a link with hidden characters enters the log percent-encoded, as browsers send it', () => {
  const { schema } = eventTypes.LinkPageRead;
  const data = {
    observed_at: '2026-11-01T00:00:00.000Z',
    page: 'linktr.ee/nasa',
    links: ['https://nasa.example/\u202egpj.exe'],
  };
  expect(schema.parse(data)).toMatchObject({ links: ['https://nasa.example/%E2%80%AEgpj.exe'] });
});
