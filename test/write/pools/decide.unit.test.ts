import { describe, expect, it } from 'vitest';
import {
  carryOut,
  changePool,
  createPool,
  type PoolEvent,
  type PoolTuning,
  poolDecider,
} from '../../../src/write/pools/pool.ts';
import { storyOf } from '../../support/given-when-then.ts';
import { poolCreated } from '../../support/pools.ts';

const NOW = Date.UTC(2026, 10, 22, 8);
const at = new Date(NOW).toISOString();
const story = storyOf(poolDecider);
const DECISION = '0190a000-0000-7000-8000-000000000001';

const created: PoolEvent = { type: 'PoolCreated', data: poolCreated('fans', 'x', NOW, { share: 2 }) };
const tuned = (data: object): Exclude<PoolEvent, { type: 'PoolCreated' }> => ({
  type: 'PoolTuned',
  data: { at, decision: null, ...data },
});
const paused = { type: 'PoolPaused', data: { at, why: 'too slow', decision: null } } as const;
const resumed = { type: 'PoolResumed', data: { at, decision: null } } as const;
const expanded = { type: 'PoolExpanded', data: { at, decision: DECISION, share: 4, size_cap: 20 } } as const;
const reopened = { type: 'PoolReopened', data: { at, decision: null } } as const;
const retired = { type: 'PoolRetired', data: { at, decision: null, why: 'empty', heir: 'seed-x' } } as const;

describe('a pool', () => {
  it('is created once', () => {
    story
      .given()
      .when(createPool(created.data as never))
      .then(created);
    story
      .given(created)
      .when(createPool(created.data as never))
      .then();
  });

  it('takes changed settings, and keeps the rest', () => {
    story
      .given(created)
      .when(changePool(tuned({ share: 3 })))
      .then(tuned({ share: 3 }));
    story
      .given(created)
      .when(changePool(tuned({ share: 2 })))
      .then();
    story
      .given(created, tuned({ share: 3 }))
      .when(changePool(tuned({ share: 3, schedule: '0 * * * *' })))
      .then(tuned({ share: 3, schedule: '0 * * * *' }));
  });

  it('is paused and resumed once', () => {
    story.given(created).when(changePool(paused)).then(paused);
    story.given(created, paused).when(changePool(paused)).then();
    story.given(created, paused).when(changePool(resumed)).then(resumed);
    story.given(created).when(changePool(resumed)).then();
  });

  it('carries out a research decision once, whatever happened since', () => {
    story.given(created).when(changePool(expanded)).then(expanded);
    story
      .given(created, expanded, tuned({ share: 1, size_cap: 5 }))
      .when(changePool(expanded))
      .then();
  });

  it('remembers its last hundred research decisions', () => {
    const ids = Array.from(
      { length: 1_000 },
      (_, n) => `0190a000-0000-7000-8000-${String(n).padStart(12, '0')}`,
    );
    const state = ids
      .map((decision, n) => tuned({ decision, share: n + 1 }) as PoolEvent)
      .reduce(poolDecider.evolve, poolDecider.evolve(poolDecider.initial, created));
    expect(state.decisions).toEqual(ids.slice(-100));
  });

  it('takes a research decision only if it is still as it was evaluated', () => {
    const { share, size_cap } = created.data as PoolTuning;
    const decided = carryOut(expanded, { share, size_cap });
    story.given(created).when(decided).then(expanded);
    story
      .given(created, tuned({ share: 0.1 }))
      .when(decided)
      .then();
    story
      .given(created, tuned({ size_cap: 5 }))
      .when(decided)
      .then();
    story.given(created, paused).when(decided).then();
    story.given(created, paused, resumed).when(decided).then(expanded);
    story
      .given(created, tuned({ schedule: '0 * * * *' }))
      .when(decided)
      .then(expanded);
  });

  it('cannot change once it is retired, until it is opened again', () => {
    story.given(created).when(changePool(retired)).then(retired);
    story
      .given(created, retired)
      .when(changePool(tuned({ share: 9 })))
      .then();
    story.given(created, retired).when(changePool(retired)).then();
    story.given(created).when(changePool(reopened)).then();
    story.given(created, retired).when(changePool(reopened)).then(reopened);
    story.given(created, retired, reopened).when(changePool(paused)).then(paused);
  });

  it('has to exist', () => {
    story.given().when(changePool(paused)).then();
  });
});
