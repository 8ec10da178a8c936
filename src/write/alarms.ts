/** The alarm aggregate: when each alarm was raised, acknowledged and cleared. */

import { z } from 'zod';
import type { Decider } from './log/command-handler.ts';
import { type EventOf, event, instant, key, text } from './log/event-definition.ts';

/** The stream of an alarm, for all its subjects. */
export const alarmStream = (alarm: string): string => `alarm-${alarm}`;

/** What the alarm is about: an engine, a projection, a role; `service` where there is one of it. */
const subject = key(300);

export const alarmEvents = {
  AlarmRaised: event({
    at: instant,
    subject,
    /** The measured value. */
    value: z.number(),
    detail: text(500),
  }),
  /** An operator has seen it. */
  AlarmAcknowledged: event({ at: instant, subject, note: text(2_000) }),
  AlarmCleared: event({ at: instant, subject }),
};

export type AlarmEvent = EventOf<typeof alarmEvents>;

/** An alarm that is raised. */
export interface Raised {
  readonly since: string;
  readonly value: number;
  readonly detail: string;
  /** Null until an operator has seen it. */
  readonly acknowledged: { readonly at: string; readonly note: string } | null;
}

/** What is raised, by subject. */
export type AlarmState = ReadonlyMap<string, Raised>;

const evolve = (state: AlarmState, { type, data }: AlarmEvent): AlarmState => {
  const next = new Map(state);
  const raised = state.get(data.subject);
  switch (type) {
    case 'AlarmRaised':
      return next.set(data.subject, {
        since: data.at,
        value: data.value,
        detail: data.detail,
        acknowledged: null,
      });
    case 'AlarmAcknowledged':
      return raised === undefined
        ? state
        : next.set(data.subject, { ...raised, acknowledged: { at: data.at, note: data.note } });
    case 'AlarmCleared':
      next.delete(data.subject);
      return next;
  }
};

/** An alarm that was raised so many events ago is raised anew if it still holds. */
const WINDOW = 2_000;

export const alarmDecider: Decider<AlarmState, AlarmEvent> = { initial: new Map(), evolve, window: WINDOW };

/** The events that change something: nothing is raised twice, and only what is raised is acknowledged or cleared. */
export const changeAlarm =
  (events: readonly AlarmEvent[]) =>
  (before: AlarmState): readonly AlarmEvent[] => {
    let state = before;
    return events.filter((each) => {
      const raised = state.get(each.data.subject);
      const isNews =
        each.type === 'AlarmRaised'
          ? raised === undefined
          : raised !== undefined && (each.type === 'AlarmCleared' || raised.acknowledged === null);
      if (isNews) state = evolve(state, each);
      return isNews;
    });
  };
