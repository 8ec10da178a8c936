import { AggregatorRegistry, collectDefaultMetrics, Registry } from 'prom-client';

export type { Registry as Metrics } from 'prom-client';

/** A metric with its present values, as it crosses the boundary of a process. */
export type MetricFamily = Awaited<ReturnType<Registry['getMetricsAsJSON']>>[number];

/** The metrics of another process of the same start. */
export interface PeerMetrics {
  /** Values of the label `process`: of this process, and of the other. */
  readonly self: string;
  readonly peer: string;
  /** Empty if the other process does not respond. */
  families(): Promise<readonly MetricFamily[]>;
}

/** Prometheus registry of a process, with default metrics; components register their own. */
export const createProcessMetrics = (): Registry => {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  return registry;
};

export const familiesOf = async (registries: readonly Registry[]): Promise<readonly MetricFamily[]> =>
  (await Promise.all(registries.map((registry) => registry.getMetricsAsJSON()))).flat();

const labelled = (families: readonly MetricFamily[], process: string): MetricFamily[] =>
  families.map((family) => ({
    ...family,
    // Of two processes no values are equal in their labels, so nothing is aggregated.
    aggregator: 'sum',
    values: family.values.map((value) => ({ ...value, labels: { ...value.labels, process } })),
  }));

/**
 * The text format of Prometheus.
 * @param shared registries whose figures are of no single process.
 */
export const renderMetrics = async (
  own: readonly Registry[],
  shared: readonly Registry[],
  peer: PeerMetrics | undefined,
): Promise<string> => {
  if (peer === undefined) return Registry.merge([...own, ...shared]).metrics();
  const [mine, theirs] = await Promise.all([familiesOf(own), peer.families()]);
  const both = AggregatorRegistry.aggregate([
    labelled(mine, peer.self),
    labelled(theirs, peer.peer),
  ] as never);
  const texts = await Promise.all([both, ...shared].map((registry) => registry.metrics()));
  return texts.join('\n');
};
