import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ALIKE, type Look, shadowbanVerdicts } from '../../src/analysis/shadowban.ts';

const MINUTE_MS = 60_000;

const look = (surface: Look['surface'], shown: Look['shown'], more: Partial<Look> = {}): Look => ({
  surface,
  shown,
  of: 'account',
  post: null,
  atMs: 0,
  reason: null,
  ...more,
});

const control = (surface: Look['surface'], more: Partial<Look> = {}) =>
  look(surface, 'shown', { of: 'control', ...more });

const reply = (post: string, shown: Look['shown'], more: Partial<Look> = {}) =>
  look('thread', shown, { post, ...more });

describe.each([
  ['search', 'search', 1],
  ['suggestions', 'suggestion', ALIKE],
] as const)('the verdict on %s', (surface, part, needed) => {
  const verdict = (...looks: Look[]) => shadowbanVerdicts(looks)[part];
  const controls = (more: Partial<Look> = {}) => Array.from({ length: needed }, () => control(surface, more));
  const missing = [look(surface, 'absent'), look(surface, 'absent'), look(surface, 'absent')];

  it('is clear once the account was seen', () => {
    expect(verdict(look(surface, 'shown'))).toBe('clear');
    expect(verdict(...missing, ...controls(), look(surface, 'shown'))).toBe('clear');
  });

  it('is limited if the account was missing three times while the control was shown within a minute', () => {
    expect(verdict(...missing, ...controls())).toBe('limited');
    expect(verdict(...missing, ...controls({ atMs: MINUTE_MS }))).toBe('limited');
  });

  it.each([
    ['nothing was looked for', []],
    ['the account was missing twice', [...missing.slice(1), ...controls()]],
    ['there is no control', missing],
    ['the control was missing as well', [...missing, ...controls({ shown: 'absent' })]],
    ['the control is of another surface', [...missing, ...controls({ surface: 'thread' })]],
    ['the control was shown more than a minute later', [...missing, ...controls({ atMs: MINUTE_MS + 1 })]],
    ['one answer could not be read', [...missing.slice(1), look(surface, null), ...controls()]],
  ])('is unknown if %s', (_, looks) => {
    expect(verdict(...looks)).toBe('unknown');
  });
});

describe('the verdict on suggestions', () => {
  const shown = fc.constantFrom<Look['shown']>('shown', 'absent', null);

  it('is limited only if the box suggests three accounts of the kind and lacks none of it', () => {
    fc.assert(
      fc.property(fc.array(shown, { maxLength: 6 }), fc.integer({ min: 3, max: 9 }), (controls, misses) => {
        const { suggestion } = shadowbanVerdicts([
          ...Array.from({ length: misses }, () => look('suggestions', 'absent')),
          ...controls.map((one) => look('suggestions', one, { of: 'control' })),
        ]);
        const seen = controls.filter((one) => one === 'shown').length;
        expect(suggestion).toBe(seen >= ALIKE && !controls.includes('absent') ? 'limited' : 'unknown');
      }),
    );
  });
});

describe('the verdicts on replies', () => {
  const verdicts = (...looks: Look[]) => {
    const { ghost, reply_deboost } = shadowbanVerdicts(looks);
    return [ghost, reply_deboost];
  };

  it('are both clear once a reply was seen among the others', () => {
    expect(verdicts(reply('1', 'absent'), reply('2', 'hidden'), reply('3', 'shown'))).toEqual([
      'clear',
      'clear',
    ]);
  });

  it('call it a ghost ban when replies, but not the control’s, are missing in two threads', () => {
    const missing = [reply('1', 'absent'), reply('2', 'absent')];
    expect(verdicts(...missing, control('thread'))).toEqual(['limited', 'unknown']);
    expect(verdicts(...missing)).toEqual(['unknown', 'unknown']);
    expect(verdicts(reply('1', 'absent'), reply('1', 'absent'), control('thread'))).toEqual([
      'unknown',
      'unknown',
    ]);
  });

  it('call replies limited that two threads show only on request', () => {
    const hidden = [reply('1', 'hidden'), reply('2', 'hidden')];
    expect(verdicts(...hidden, control('thread'))).toEqual(['clear', 'limited']);
    expect(verdicts(...hidden)).toEqual(['clear', 'unknown']);
    expect(verdicts(reply('1', 'hidden'), control('thread'))).toEqual(['clear', 'unknown']);
  });

  it('say nothing about threads that could not be read', () => {
    expect(verdicts(reply('1', null), reply('2', null), control('thread'))).toEqual(['unknown', 'unknown']);
  });
});
