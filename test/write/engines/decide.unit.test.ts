import { describe, it } from 'vitest';
import { changeEngine, type EngineEvent, engineDecider } from '../../../src/write/engines.ts';
import { storyOf } from '../../support/given-when-then.ts';

const at = (minute: number) => new Date(Date.UTC(2026, 10, 22, 8, minute)).toISOString();
const story = storyOf(engineDecider);

const degraded = (minute: number, worker: string): EngineEvent => ({
  type: 'EngineDegraded',
  data: { at: at(minute), platform: 'x', reason: 'login_wall', detail: 'all of them', worker },
});
const recovered = (minute: number, worker: string): EngineEvent => ({
  type: 'EngineRecovered',
  data: { at: at(minute), platform: 'x', worker },
});
const paused: EngineEvent = { type: 'EnginePaused', data: { at: at(1), why: 'maintenance' } };
const resumed: EngineEvent = { type: 'EngineResumed', data: { at: at(2) } };
const tuned = (rate: number): EngineEvent => ({ type: 'EngineTuned', data: { at: at(3), rate_per_s: rate } });

describe('an engine of several workers', () => {
  it('is degraded once, by the first worker that finds it', () => {
    story
      .given()
      .when(changeEngine(degraded(1, 'a')))
      .then(degraded(1, 'a'));
    story
      .given(degraded(1, 'a'))
      .when(changeEngine(degraded(2, 'b')))
      .then();
  });

  it('recovers once after an alarm, also an ended worker’s', () => {
    story
      .given(degraded(1, 'a'))
      .when(changeEngine(recovered(2, 'b')))
      .then(recovered(2, 'b'));
    story
      .given(degraded(1, 'a'), recovered(2, 'b'))
      .when(changeEngine(recovered(3, 'c')))
      .then();
    story
      .given()
      .when(changeEngine(recovered(1, 'a')))
      .then();
    story
      .given(degraded(1, 'a'), recovered(2, 'b'))
      .when(changeEngine(degraded(3, 'a')))
      .then(degraded(3, 'a'));
  });
});

describe('an operator', () => {
  it('pauses and resumes an engine once', () => {
    story.given().when(changeEngine(paused)).then(paused);
    story.given(paused).when(changeEngine(paused)).then();
    story.given(paused).when(changeEngine(resumed)).then(resumed);
    story.given().when(changeEngine(resumed)).then();
  });

  it('sets a rate that is not already set', () => {
    story
      .given(tuned(2))
      .when(changeEngine(tuned(2)))
      .then();
    story
      .given(tuned(2))
      .when(changeEngine(tuned(3)))
      .then(tuned(3));
  });
});
