import { systemClock } from '../../kernel/clock.ts';
import { projectionNamed } from '../../operations/projections/builds.ts';
import { listProjections, sampleLag } from '../../operations/projections/lag.ts';
import { listParked } from '../../operations/projections/parked.ts';
import type { Screen } from '../console.ts';
import type { Job } from '../jobs.ts';
import { badge, duration, facts, link, note, pathOf, table, UNKNOWN } from '../view.ts';
import { eventLink } from './events.ts';

export const jobsTable = (jobs: readonly Job[]) =>
  table({ id: 'jobs', caption: 'Work of this console', empty: 'None since it was started.' }, jobs, [
    { head: 'work', value: ({ name }) => name },
    { head: 'started', value: ({ startedAt }) => startedAt, is: 'instant' },
    {
      head: 'state',
      value: ({ result, done, total }) =>
        result !== null ? result.text : total === 0 ? 'begins' : `${done} of ${total}`,
      cell: ({ result, done, total }) => {
        if (result !== null) return badge(result.text, result.isGood ? 'good' : 'bad');
        return total === 0 ? 'begins' : `${Math.floor((100 * done) / total)} %`;
      },
    },
  ]);

/** Builds that no clearing up drops. */
const KEPT: ReadonlySet<string> = new Set(['active', 'copy', 'other version']);

export const models: Screen = {
  path: '/models',
  nav: { text: 'Read models', key: 'm' },
  everyS: 3,
  show: async (context) => {
    const [builds, { lags }, parked] = await Promise.all([
      listProjections(context),
      sampleLag(context, null),
      listParked(context),
    ]);
    const lagOf = (projection: string) => lags.find((lag) => lag.projection === projection);
    const ageOf = (projection: string): number | null => {
      const lag = lagOf(projection);
      if (lag?.build == null) return null;
      return lag.oldestUnprocessedAt === null
        ? 0
        : (systemClock.now() - Date.parse(lag.oldestUnprocessedAt)) / 1_000;
    };
    return {
      title: 'Read models',
      offers: [
        ...(builds.some(({ use }) => !KEPT.has(use)) ? [{ action: 'models.prune', given: {} }] : []),
        ...(parked.length === 0
          ? []
          : [
              {
                action: 'models.retry',
                given: { stream: '' },
                label:
                  parked.length === 1
                    ? 'Retry the stream that is parked'
                    : `Retry all ${parked.length} parked streams`,
              },
            ]),
      ],
      live: [
        table({ id: 'builds', caption: 'Builds', empty: 'Nothing is built yet.' }, builds, [
          {
            head: 'read model',
            value: ({ projection }) => projection,
            cell: ({ projection }) => link(pathOf('models', projection), projection),
          },
          { head: 'schema', value: ({ schema }) => schema },
          {
            head: 'use',
            value: ({ use }) => use,
            cell: ({ use }) => badge(use, use === 'active' ? 'good' : use === 'building' ? 'warn' : 'plain'),
          },
          {
            head: 'events behind',
            value: ({ behind }) => (behind === null ? null : Number(behind.events)),
          },
          {
            head: 'behind',
            value: ({ projection, use }) => (use === 'active' ? ageOf(projection) : null),
            cell: ({ projection, use }) => (use === 'active' ? duration(ageOf(projection)) : UNKNOWN),
          },
          { head: 'time left', value: ({ leftS }) => leftS, cell: ({ leftS }) => duration(leftS) },
          {
            head: 'stalled at',
            value: ({ stalledAt }) => (stalledAt.length === 0 ? null : stalledAt.join(', ')),
            cell: ({ stalledAt }) =>
              stalledAt.length === 0
                ? UNKNOWN
                : stalledAt.map((each) => link(pathOf('events', String(each)), String(each))),
          },
        ]),
        table(
          { id: 'parked', caption: 'Parked streams', empty: 'None: every event could be applied.' },
          parked,
          [
            {
              head: 'stream',
              value: ({ stream }) => stream,
              cell: ({ stream, projection }) => link(pathOf('models', projection), stream),
            },
            { head: 'read model', value: ({ projection }) => projection },
            { head: 'waiting', value: ({ waiting }) => waiting.length },
          ],
        ),
        jobsTable(context.jobs.list()),
      ],
    };
  },
};

export const model: Screen = {
  path: '/models/:projection',
  everyS: 3,
  show: async (context, { params }) => {
    const { name, version, types } = projectionNamed(params.projection ?? '');
    const [all, parked] = await Promise.all([
      listProjections(context),
      listParked(context, { projections: [name] }),
    ]);
    const builds = all.filter(({ projection }) => projection === name);
    const active = builds.find(({ use }) => use === 'active');
    const given = { projection: name };
    return {
      title: `Read model ${name}`,
      offers: [
        { action: 'models.rebuild', given },
        { action: 'models.verify', given },
        { action: 'models.copy', given },
        ...builds
          .filter(({ use }) => use === 'copy' || use === 'old version')
          .map(({ schema }) => ({ action: 'models.drop', given: { schema }, label: `Drop ${schema}` })),
        ...parked.flatMap(({ stream }) => [
          { action: 'models.retry', given: { ...given, stream }, label: `Retry ${stream}` },
          { action: 'models.skip', given: { ...given, stream }, label: `Skip ${stream}` },
        ]),
      ],
      live: [
        facts([
          ['version', String(version)],
          ['schema', active?.schema ?? UNKNOWN],
          ['events behind', active?.behind == null ? UNKNOWN : String(active.behind.events)],
          ['events that it takes', types.join(', ')],
        ]),
        table({ id: 'builds', caption: 'Builds and copies', empty: 'None yet.' }, builds, [
          { head: 'schema', value: ({ schema }) => schema },
          { head: 'use', value: ({ use }) => use },
          { head: 'version', value: (build) => build.version },
          { head: 'time left', value: ({ leftS }) => leftS, cell: ({ leftS }) => duration(leftS) },
        ]),
        ...parked.flatMap((each) => [
          note(`${each.stream} is parked.`),
          table(
            { id: `parked-${each.stream}`, caption: `Events of ${each.stream} that wait`, empty: 'None.' },
            each.waiting,
            [
              { head: 'recorded', value: (event) => event.recorded_at, is: 'instant' },
              { head: 'event', value: ({ type }) => type, cell: eventLink },
              { head: 'data', value: ({ data }) => JSON.stringify(data).slice(0, 300) },
            ],
          ),
        ]),
        jobsTable(context.jobs.list().filter((job) => job.name.endsWith(` ${name}`))),
      ],
    };
  },
};
