import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { drawParameters } from '../../../../infra/simulator/world/draw.ts';
import { DEFAULT_PARAMETERS, hashOf, parseParameters } from '../../../../infra/simulator/world/parameters.ts';
import { createWorld } from '../../../../infra/simulator/world/world.ts';
import { DEMO_WORLD } from '../../../../src/runtime/demo/demo.ts';

describe('the document of a world', () => {
  it('has a default for whatever it leaves out', () => {
    const given = parseParameters({ growth: { jumps: 0.9 }, followers: { median: { x: 1000 } } });
    expect(given.growth.jumps).toBe(0.9);
    expect(given.growth.volatility).toBe(DEFAULT_PARAMETERS.growth.volatility);
    expect(given.followers.median.x).toBe(1000);
    expect(given.followers.median.tiktok).toBe(DEFAULT_PARAMETERS.followers.median.tiktok);
  });
  it.each([
    { growth: { jumps: 2 } },
    { followers: { sigma: { x: 1 } } },
    { posting: { burstiness: 'much' } },
    { weather: {} },
    { growth: { wind: 1 } },
  ])('refuses %j', (document) => {
    expect(() => parseParameters(document)).toThrow();
  });
  it('scales the shares of a whole until they add up', () => {
    const { links, handles } = parseParameters({ links: { oneWay: 0.4 }, handles: { identical: 0.65 } });
    expect(links.oneWay + links.bothWays + links.page + links.none).toBeCloseTo(1, 9);
    expect(handles.identical + handles.similar + handles.unlike).toBeCloseTo(1, 9);
    expect(links.oneWay / links.none).toBeCloseTo(1, 9);
  });
  it('is read back as printed, with one hash in any order', () => {
    for (const parameters of [DEFAULT_PARAMETERS, drawParameters(4), drawParameters(5)]) {
      expect(parseParameters(JSON.parse(JSON.stringify(parameters)))).toEqual(parameters);
      const turned = Object.fromEntries(Object.entries(parameters).reverse());
      expect(hashOf(turned as typeof parameters)).toBe(hashOf(parameters));
    }
    expect(hashOf(drawParameters(4))).not.toBe(hashOf(drawParameters(5)));
  });
  it('is frozen: another default is another world', () => {
    expect(hashOf(DEFAULT_PARAMETERS)).toBe('3add3c3b0a5a92b5');
  });

  it('the world of the demo is the one in the picture of the README', () => {
    const picture = readFileSync(new URL('../../../../docs/demo.svg', import.meta.url), 'utf8');
    expect(picture).toContain(`(world ${hashOf(parseParameters(DEMO_WORLD))})`);
  });
});

describe('a drawn document', () => {
  it('has another value for every parameter', () => {
    const leaves = (value: unknown, path = ''): [string, number][] =>
      typeof value === 'number'
        ? [[path, value]]
        : Object.entries(value as object).flatMap(([name, child]) => leaves(child, `${path}/${name}`));
    const usual = new Map(leaves(DEFAULT_PARAMETERS));
    const drawn = leaves(drawParameters(1));
    expect(drawn.length).toBe(usual.size);
    expect(drawn.filter(([path, value]) => usual.get(path) === value)).toEqual([]);
    expect(drawParameters(1)).toEqual(drawParameters(1));
  });
  it('holds together for every seed', () => {
    fc.assert(
      fc.property(fc.nat(), (seed) => {
        expect(() => drawParameters(seed)).not.toThrow();
      }),
      { numRuns: 1_000, examples: [[404], [605], [640]] },
    );
  });
  it('never asks for a better classifier than disguises allow', { tags: 'long' }, () => {
    for (let seed = 0; seed < 60; seed++) {
      const { audience } = drawParameters(seed);
      expect(audience.auc).toBeLessThan(1 - audience.disguised / 2);
    }
  });
  it('makes another world of the same seed', () => {
    const clock = { now: () => Date.UTC(2026, 9, 1) };
    const [one, other] = [1, 2].map((seed) =>
      createWorld({ seed: 7, size: 500, clock, parameters: drawParameters(seed) }),
    );
    expect(one?.hash).not.toBe(other?.hash);
    const followers = (world: typeof one) =>
      Array.from({ length: 50 }, (_, index) => world?.account('x', index).followers);
    expect(followers(one)).not.toEqual(followers(other));
  });
});
