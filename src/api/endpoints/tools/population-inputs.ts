import type { Population } from '../../../read/insights/populations.ts';
import { inputOf } from './tool-account.ts';

type Input = ReturnType<typeof inputOf>;

/** Ladders and laws of a platform's accounts, as of their computation; none before that. */
export const populationInput = (population: Population | null, nowMs: number): readonly Input[] =>
  population === null ? [] : [inputOf('population', Date.parse(population.counts.computed_at), nowMs)];

/** What was drawn of the platform's accounts, as of that time; none if there is nothing. */
export const drawnInput = (
  input: string,
  drawn: { readonly ageMs: number } | null,
  nowMs: number,
): readonly Input[] => (drawn === null ? [] : [inputOf(input, Math.floor(nowMs - drawn.ageMs), nowMs)]);
