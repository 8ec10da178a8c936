import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { Metrics } from '../../kernel/metrics.ts';
import { pause, steadyMs } from '../../kernel/retry.ts';
import { processStopped, REPORT_MS, reportProcess, WITHOUT_KEY } from '../../operations/health/processes.ts';
import type { Runtime } from '../open-runtime.ts';
import type { Running } from './lifecycle.ts';

/**
 * Reports every two seconds that this process has its roles.
 * @param counted registries of the API's requests; none without the API.
 * @param console the origin of its console; null without one.
 */
export const startReports = (
  { asyncCommitDb: db, disk, fence, config }: Pick<Runtime, 'asyncCommitDb' | 'disk' | 'fence' | 'config'>,
  roles: readonly string[],
  counted: readonly Metrics[] = [],
  console: string | null = null,
): Running => {
  const id = randomUUID();
  const host = hostname();
  const stopping = new AbortController();
  const { signal } = stopping;
  const countsOf = createRecentCounts(counted);
  const report = async (): Promise<void> => {
    const state = disk.state();
    const counts = counted.length === 0 ? null : await countsOf();
    await reportProcess(db, {
      id,
      host,
      roles,
      requests: counts?.requests ?? null,
      failed: counts?.failed ?? null,
      disk_free: state?.freeBytes ?? null,
      disk_hours_left: state?.hoursLeft ?? null,
      erasures: config.ERASURE_KEY === undefined ? WITHOUT_KEY : Number(fence.revision),
      console,
    });
  };
  const run = async (): Promise<void> => {
    while (!signal.aborted) {
      // A database that does not answer is reported by what needs it.
      await report().catch(() => undefined);
      await pause(REPORT_MS, signal);
    }
    await processStopped(db, id).catch(() => undefined);
  };
  const running = run();
  return {
    stop: async () => {
      stopping.abort();
      await running;
    },
  };
};

interface Counts {
  readonly requests: number;
  readonly failed: number;
}

const RECENT_MS = 300_000;
/** Errors that are the service's own; a platform that does not answer is none. */
const OWN_FAULTS: ReadonlySet<unknown> = new Set(['internal', 'service_unavailable']);

/** Requests of the last five minutes, and those that the service failed. */
const createRecentCounts = (registries: readonly Metrics[]): (() => Promise<Counts>) => {
  let samples: (Counts & { readonly atMs: number })[] = [];
  const valuesOf = async (name: string) => {
    const metrics = registries.flatMap((registry) => registry.getSingleMetric(name) ?? []);
    return (await Promise.all(metrics.map((metric) => metric.get()))).flatMap(
      ({ values }) => values as { value: number; labels: { code?: unknown }; metricName?: string }[],
    );
  };
  const sum = (values: readonly { value: number }[]) => values.reduce((total, { value }) => total + value, 0);
  return async () => {
    const durations = await valuesOf('sightline_http_request_duration_seconds');
    const errors = await valuesOf('sightline_http_request_errors_total');
    const now = {
      atMs: steadyMs(),
      requests: sum(durations.filter(({ metricName }) => metricName?.endsWith('_count') === true)),
      failed: sum(errors.filter(({ labels }) => OWN_FAULTS.has(labels.code))),
    };
    samples = [...samples.filter(({ atMs }) => now.atMs - atMs <= RECENT_MS), now];
    const [first] = samples as [typeof now];
    return { requests: now.requests - first.requests, failed: now.failed - first.failed };
  };
};
