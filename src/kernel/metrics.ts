import { AggregatorRegistry, collectDefaultMetrics, Registry } from 'prom-client';

export type { Registry as Metrics } from 'prom-client';

/** A metric with its current values, in the form in which it is sent between processes. */
export type MetricFamily = Awaited<ReturnType<Registry['getMetricsAsJSON']>>[number];

/** The metrics of the other process of the same start. */
export interface PeerMetrics {
  /** Values of the label `process`: for this process, and for the other. */
  readonly self: string;
  readonly peer: string;
  /** Empty if the other process does not respond. */
  families(): Promise<readonly MetricFamily[]>;
}

/** The Prometheus registry of a process, with the default metrics. Components register their own. */
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
    // The values of two processes differ in the label `process`, so nothing is aggregated.
    aggregator: 'sum',
    values: family.values.map((value) => ({ ...value, labels: { ...value.labels, process } })),
  }));

/**
 * The metrics in the Prometheus text format.
 * @param shared registries of metrics that belong to no single process.
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
