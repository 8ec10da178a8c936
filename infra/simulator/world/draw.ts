import { parseArgs } from 'node:util';
import { z } from 'zod';
import { mix, unit } from './hash.ts';
import { type Parameters, parametersSchema, parseParameters } from './parameters.ts';

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

/** A document with every parameter drawn at random within its range; shares of a whole are scaled to add up. */
export const drawParameters = (seed: number): Parameters => {
  const schema = z.toJSONSchema(parametersSchema, { io: 'input' }) as Node;
  return parseParameters(drawn(schema, mix(seed, 1_000_003)));
};

if (import.meta.main) {
  const { values } = parseArgs({ options: { seed: { type: 'string', default: '1' } } });
  const seed = Number(values.seed);
  if (!Number.isInteger(seed) || seed < 0)
    throw new RangeError(`--seed is ${values.seed}; allowed: whole numbers from 0`);
  console.log(JSON.stringify(drawParameters(seed), null, 2));
}
