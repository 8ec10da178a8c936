import { at, isObject, type Json } from './json-access.ts';

const listOf = (value: Json): readonly Json[] =>
  Array.isArray(value) ? value : value === undefined ? [] : [value];

/** Whether a JSON-LD node has a type, bare, with vocabulary, or among others. */
export const hasType = (node: Json, type: string): boolean =>
  listOf(at(node, '@type')).some((each) => typeof each === 'string' && each.split(/[/#:]/).at(-1) === type);

/** Name of the interaction that a statistic counts: a bare name, a URL or a node. */
const actionOf = (statistic: Json): string => {
  const kind = at(statistic, 'interactionType');
  const name = isObject(kind) ? (at(kind, '@type') ?? at(kind, '@id')) : kind;
  return typeof name === 'string' ? (name.split(/[/#:]/).at(-1) ?? '') : '';
};

export interface InteractionCounts {
  readonly follow: Json;
  readonly subscribe: Json;
  readonly write: Json;
}

/** Raw counts of the nodes' interaction statistics; the first of a kind wins. */
export const followCounts = (...nodes: readonly Json[]): InteractionCounts => {
  const statistics = nodes.flatMap((node) => [
    ...listOf(at(node, 'interactionStatistic')),
    ...listOf(at(node, 'agentInteractionStatistic')),
  ]);
  const of = (action: string): Json =>
    at(
      statistics.find((each) => actionOf(each) === action),
      'userInteractionCount',
    );
  return { follow: of('FollowAction'), subscribe: of('SubscribeAction'), write: of('WriteAction') };
};

/** URL of a node's image: text, a node, or the first of several. */
export const imageOf = (node: Json, name = 'image'): Json => {
  const image = listOf(at(node, name))[0];
  return isObject(image) ? (at(image, 'contentUrl') ?? at(image, 'url')) : image;
};
