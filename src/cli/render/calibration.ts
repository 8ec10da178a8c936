import type { CalibrationReport } from '../../runtime/calibration/thread.ts';
import { renderTable } from './table.ts';

type World = CalibrationReport['worlds'][number];
type Figure = World['summary']['figures'][number];

const percent = (share: number, digits = 1): string => `${(100 * share).toFixed(digits)} %`;

const errorText = ({ figure, error }: Figure): string =>
  /pct$/.test(figure) || figure === 'percentile' ? `${error.toPrecision(2)} points` : percent(error);

const rowOf = (figure: Figure): readonly string[] => [
  `${figure.figure}${figure.few ? ' *' : ''}`,
  String(figure.n),
  errorText(figure),
  percent(figure.coverage),
  `${percent(figure.coverage_low)} to ${percent(figure.coverage_high)}`,
  figure.width === null ? '' : figure.width.toFixed(2),
  figure.missed ?? '',
];

const HEAD = [
  { head: 'figure', keep: true },
  'accounts',
  'median error',
  'coverage',
  { head: '99.9 % interval', optional: true },
  'width',
  { head: 'missed', keep: true },
];

const AUDIT_HEAD = [
  { head: 'audits', keep: true },
  'accounts',
  'AUC',
  'of best',
  'blocks named',
  'surges taken for bought',
  { head: 'missed', keep: true },
] as const;

const SHARE_HEAD = [
  { head: 'share of followers', keep: true },
  'accounts',
  'median error',
  'coverage',
  { head: '99.9 % interval', optional: true },
  'width',
  'not distinguished from 0',
] as const;

const auditTexts = (audits: World['audits']): readonly string[] =>
  audits.length === 0
    ? []
    : [
        renderTable(
          AUDIT_HEAD,
          audits.map((audit) => [
            audit.platform,
            String(audit.accounts),
            audit.auc.toFixed(3),
            percent(audit.of_best),
            `${percent(audit.named)} of ${audit.bought}`,
            `${percent(audit.false_alarms)} of ${audit.surges}`,
            audit.missed.join('; '),
          ]),
        ),
        renderTable(
          SHARE_HEAD,
          audits.flatMap(({ platform, shares }) =>
            shares.map((one) => [
              `${one.share}, ${platform}`,
              String(one.n),
              `${(100 * one.error).toFixed(1)} points`,
              percent(one.coverage),
              `${percent(one.coverage_low)} to ${percent(one.coverage_high)}`,
              `${(100 * one.width).toFixed(1)} points`,
              percent(one.indistinguishable),
            ]),
          ),
        ),
      ];

const worldText = (world: World, seeds: readonly number[]): string => {
  const { figures, tests, cells } = world.summary;
  const first = figures.find(({ figure }) => figure === 'engagement_rate_followers');
  const of = cells.filter(({ figure }) => figure === 'engagement_rate_followers');
  return [
    `World ${world.hash}${world.held_back ? ', held back' : ''}: sightline calibrate${world.options === '' ? '' : ` ${world.options}`} --seeds ${seeds.length} --first-seed ${seeds[0]}`,
    renderTable(HEAD, figures.map(rowOf)),
    renderTable(
      [
        { head: 'test', keep: true },
        'without effect',
        'false discoveries',
        'with one',
        'found',
        { head: 'missed', keep: true },
      ],
      tests.map((test) => [
        test.test,
        String(test.without),
        percent(test.false_discoveries),
        String(test.with),
        percent(test.power),
        test.missed ?? '',
      ]),
    ),
    renderTable(
      [{ head: 'engagement by followers, of accounts', keep: true }, 'accounts', 'median error', 'coverage'],
      of.map(({ cell, n, error, coverage }) => [cell, String(n), percent(error), percent(coverage)]),
    ),
    ...auditTexts(world.audits),
    first === undefined
      ? ''
      : `Insufficient data for ${percent(first.insufficient)} of the accounts as they come.`,
  ].join('\n');
};

/** Tables of each world, and what was missed. */
export const calibrationText = ({ method_version, seeds, worlds }: CalibrationReport): string =>
  [
    ...worlds.map((world) => worldText(world, seeds)),
    `Method ${method_version}. * accounts for which the figure takes few values: an interval of whole counts, judged from below.`,
    'Width: median of the intervals’ widths by those of a block bootstrap of the same posts.',
    worlds.every(({ missed }) => missed.length === 0)
      ? 'All bars met.'
      : worlds
          .flatMap(({ hash, missed }) => missed.map((what) => `Missed in world ${hash}: ${what}`))
          .join('\n'),
  ].join('\n\n');
