import { html } from '../../kernel/html.ts';
import { formatUsd } from '../../kernel/money.ts';
import { activePlans } from '../../operations/holders/change-holder.ts';
import { listHolders, showHolder } from '../../operations/holders/holders.ts';
import { readUsage } from '../../operations/usage/usage.ts';
import type { PeriodUsage } from '../../read/metering.ts';
import { holderStream } from '../../write/holders/holder.ts';
import type { ConsoleContext, Param, Screen } from '../console.ts';
import { addressOf, badge, facts, instant, link, note, pathOf, table, UNKNOWN, valueText } from '../view.ts';
import { eventsTable } from './events.ts';

export const holders: Screen = {
  path: '/holders',
  nav: { text: 'Holders', key: 'h' },
  everyS: 5,
  show: async (context) => ({
    title: 'Holders',
    offers: [{ action: 'holder.add', given: {} }],
    live: [
      table(
        { id: 'holders', caption: 'Customers who may call the API', empty: 'None yet.' },
        await listHolders(context),
        [
          {
            head: 'holder',
            value: ({ holder }) => holder,
            cell: ({ holder }) => link(pathOf('holders', holder), holder),
          },
          { head: 'name', value: ({ name }) => name },
          { head: 'plan', value: ({ plan }) => plan },
          { head: 'keys', value: ({ keys }) => keys },
          { head: 'registered', value: ({ registered_at }) => registered_at, is: 'instant' },
          {
            head: 'state',
            value: ({ suspended_at }) => (suspended_at === null ? 'active' : 'suspended'),
            cell: ({ suspended_at }) =>
              suspended_at === null ? badge('active', 'good') : badge('suspended', 'bad'),
          },
          { head: 'why', value: ({ suspended_why }) => suspended_why },
        ],
      ),
    ],
  }),
};

const PERIOD: Param = { allowed: 'the number of a period', isValid: (text) => /^[1-9]\d{0,8}$/.test(text) };

/** What calls cost on a plan, and how much of its units is left. */
const priceFacts = async (
  { config }: ConsoleContext,
  plan: string | null,
  running: PeriodUsage | undefined,
) => {
  const plans = await activePlans(config);
  const found = plan === null ? plans.default : plans.find(plan);
  if (found === null) return [['prices', `The plan ${plan} is not among the active ones.`] as const];
  const { units, weights, overage_micro_usd: overage } = found;
  const used = running?.budget_units ?? 0n;
  const unitsText = (n: number) => `${valueText(n)} ${n === 1 ? 'unit' : 'units'}`;
  return [
    [
      'units left',
      `${valueText(Math.max(0, units - Number(used)))} of ${valueText(units)} a period`,
    ] as const,
    ['a read of the catalog', unitsText(weights.catalog)] as const,
    [
      'a live call',
      `${unitsText(weights.live)}${
        weights.upstream ? `, and ${unitsText(weights.upstream)} for each request to the platform` : ''
      }`,
    ] as const,
    [
      'a unit beyond the quota',
      overage === null ? 'not sold on this plan' : `${formatUsd(BigInt(overage))} US dollars`,
    ] as const,
  ];
};

const requestForm = html`<form class="filter" action="/events">
<label>What did a request cause? Its ID, from the answer's x-request-id<input name="request" required autocomplete="off"></label>
<button>Find its readings</button>
</form>`;

/** The period that an address names; the running one by default. */
const periodOf = (text: string | undefined): number | 'running' =>
  text === undefined ? 'running' : Number(text);

export const holder: Screen = {
  path: '/holders/:holder',
  query: { period: PERIOD },
  everyS: 5,
  show: async (context, { params, path, query }) => {
    const id = params.holder ?? '';
    const [{ terms, keys, wallet }, usage, events] = await Promise.all([
      showHolder(context, id),
      readUsage(context, id, periodOf(query.period), ['day', 'endpoint', 'key']),
      context.log.readStream(holderStream(id), { direction: 'backwards', limit: 100 }),
    ]);
    const given = { holder: id };
    const usable = keys.filter(({ state }) => state === 'in_use' || state === 'in_grace');
    return {
      title: `Holder ${id}`,
      search: requestForm,
      offers: [
        { action: 'key.issue', given },
        ...usable.flatMap(({ key_id, label }) => [
          {
            action: 'key.rotate',
            given: { key: key_id },
            label: `Rotate ${label ?? key_id}`,
            values: { grace: '24' },
          },
          { action: 'key.revoke', given: { key: key_id }, label: `Revoke ${label ?? key_id}` },
          { action: 'key.pin', given: { key: key_id }, label: `Pin ${label ?? key_id}` },
        ]),
        { action: 'wallet.credit', given },
        { action: 'holder.plan', given, values: { plan: terms.plan ?? '' } },
        terms.suspended_at === null
          ? { action: 'holder.suspend', given }
          : { action: 'holder.resume', given },
      ],
      live: [
        facts([
          ['name', terms.name],
          ['state', terms.suspended_at === null ? badge('active', 'good') : badge('suspended', 'bad')],
          ['why', terms.suspended_why ?? UNKNOWN],
          ['plan', terms.plan],
          ...(await priceFacts(
            context,
            terms.plan,
            usage.periods.find(({ state }) => state === 'running'),
          )),
          ['registered', instant(terms.registered_at)],
          ['overage', terms.overage_on ? 'on' : 'off'],
          ['wallet', `${formatUsd(wallet.balance)} US dollars`],
          ['credited', `${formatUsd(wallet.credited)} US dollars`],
          ['charged', `${formatUsd(wallet.charged)} US dollars`],
          ['in flight', `${usage.reserved.calls} live calls, ${usage.reserved.units} units`],
        ]),
        table({ id: 'keys', caption: 'Keys', empty: 'None yet.' }, keys, [
          { head: 'key', value: ({ key_id }) => key_id },
          { head: 'label', value: ({ label }) => label },
          { head: 'state', value: ({ state }) => state.replaceAll('_', ' ') },
          { head: 'scopes', value: ({ scopes }) => scopes.join(', ') },
          { head: 'addresses', value: ({ allowlist }) => (allowlist ?? []).join(', ') || 'any' },
          { head: 'issued', value: ({ issued_at }) => issued_at, is: 'instant' },
          { head: 'expires', value: ({ expires_at }) => expires_at, is: 'instant' },
        ]),
        note(
          'Units are those of the plan, by day in UTC; US dollars are charged for overage beyond it. Refused counts what limits of the plan refused. What is refused for its key, its scopes or its arguments is never charged, and not counted.',
        ),
        table(
          { id: 'periods', caption: 'Periods', empty: 'It has never called.' },
          usage.periods.toReversed(),
          [
            {
              head: 'period',
              value: ({ period }) => period,
              cell: ({ period }) =>
                link(addressOf({ path, query }, { period: String(period) }), String(period)),
            },
            { head: 'plan', value: ({ plan }) => plan },
            { head: 'from', value: ({ started_at }) => started_at, is: 'instant' },
            { head: 'to', value: ({ ends_at }) => ends_at, is: 'instant' },
            { head: 'state', value: ({ state }) => state },
            { head: 'requests', value: ({ requests }) => Number(requests) },
            { head: 'refused', value: ({ refused }) => Number(refused) },
            { head: 'units', value: ({ budget_units }) => Number(budget_units) },
            { head: 'overage units', value: ({ overage_units }) => Number(overage_units) },
            { head: 'overage, US dollars', value: ({ overage_micro_usd }) => formatUsd(overage_micro_usd) },
            { head: 'live calls', value: ({ live_calls }) => Number(live_calls) },
          ],
        ),
        table(
          {
            id: 'usage',
            caption: `What was charged in the period ${query.period ?? 'that runs'}, by day, endpoint and key`,
            empty: 'Nothing.',
          },
          usage.lines.toReversed(),
          [
            { head: 'day', value: ({ by }) => by[0] ?? null },
            { head: 'endpoint', value: ({ by }) => by[1] ?? null },
            { head: 'key', value: ({ by }) => by[2] ?? null },
            { head: 'requests', value: ({ requests }) => Number(requests) },
            { head: 'refused', value: ({ refused }) => Number(refused) },
            { head: 'units', value: ({ budget_units }) => Number(budget_units) },
            { head: 'overage units', value: ({ overage_units }) => Number(overage_units) },
            { head: 'overage, US dollars', value: ({ overage_micro_usd }) => formatUsd(overage_micro_usd) },
            { head: 'live calls', value: ({ live_calls }) => Number(live_calls) },
          ],
        ),
        eventsTable('What was decided, newest first', events),
      ],
    };
  },
};
