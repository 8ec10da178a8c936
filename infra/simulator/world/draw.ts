import { parseArgs } from 'node:util';
import { z } from 'zod';
import { mix, unit } from './hash.ts';
import { conflictsOf, leastPrivate, mostSpread, reachOf } from './parameters/conflicts.ts';
import { DEFAULT_PARAMETERS, type Parameters, parametersSchema, parseParameters } from './parameters.ts';

interface Node {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Node>>;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly drawn?: readonly [number, number];
}

const nameKey = (name: string): number => [...name].reduce((sum, c) => mix(sum, c.charCodeAt(0)), 0);

const drawn = (node: Node, key: number): unknown => {
  if (node.properties)
    return Object.fromEntries(
      Object.entries(node.properties).map(([name, child]) => [name, drawn(child, mix(key, nameKey(name)))]),
    );
  const [min, max] = node.drawn ?? [node.minimum ?? 0, node.maximum ?? 0];
  // Ranges over more than a factor of four are drawn by their logarithm.
  const value =
    min > 0 && max / min > 4 ? min * (max / min) ** unit(key, 1) : min + (max - min) * unit(key, 1);
  return Number(value.toPrecision(6));
};

const rounded = (value: number): number => Number(value.toFixed(12));
const raised = <T extends Readonly<Record<string, number>>>(shares: T, least: number): T =>
  Object.fromEntries(Object.entries(shares).map(([name, share]) => [name, Math.max(share, least)])) as T;

/** Parameters that can't hold together give way: each to the nearest value that can. */
const reconciled = (given: Parameters): Parameters => {
  const [least, most] = [0.5, 0.96];
  const { audience, names, ends } = given;
  // Less of both kinds until the smallest spread leaves room.
  let { suspicious, inactive } = audience;
  const room = () => mostSpread({ ...given, audience: { ...audience, suspicious, inactive } });
  while (room() < least) [suspicious, inactive] = [suspicious * most, inactive * most];
  const spread = Math.min(audience.suspiciousSigma, room());
  let { sameHandle } = names;
  const isTight = () => conflictsOf({ ...DEFAULT_PARAMETERS, ...pickShares(given, sameHandle) }).length > 0;
  while (isTight()) sameHandle *= most;
  return {
    ...given,
    audience: {
      ...audience,
      suspicious: rounded(suspicious),
      inactive: rounded(inactive),
      suspiciousSigma: Math.floor(spread * 1e6) / 1e6,
      auc: rounded(Math.min(audience.auc, reachOf(given))),
    },
    names: { ...names, sameHandle: rounded(sameHandle) },
    ends: { ...ends, private: raised(ends.private, Math.ceil(leastPrivate(given) * 1e6) / 1e6) },
  };
};

const SCHEMA = z.toJSONSchema(parametersSchema, { io: 'input' }) as Node;

const pickShares = ({ adversaries, handles, names }: Parameters, sameHandle: number) => ({
  adversaries,
  handles,
  names: { ...names, sameHandle },
});

/** A document with every parameter drawn at random within its range; shares of a whole are scaled to add up. */
export const drawParameters = (seed: number): Parameters =>
  parseParameters(reconciled(parametersSchema.parse(drawn(SCHEMA, mix(seed, 1_000_003)))));

if (import.meta.main) {
  const { values } = parseArgs({ options: { seed: { type: 'string', default: '1' } } });
  const seed = Number(values.seed);
  if (!Number.isInteger(seed) || seed < 0)
    throw new RangeError(`--seed is ${values.seed}; allowed: whole numbers from 0`);
  console.log(JSON.stringify(drawParameters(seed), null, 2));
}
