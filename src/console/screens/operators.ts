import { listOperators } from '../../operations/operators.ts';
import type { Screen } from '../console.ts';
import { table } from '../view.ts';

export const operators: Screen = {
  path: '/operators',
  nav: { text: 'Operators', key: 'o' },
  everyS: 5,
  show: async (context) => {
    const found = await listOperators(context);
    return {
      title: 'Operators',
      offers: [
        { action: 'operator.add', given: {}, values: { role: 'viewer' } },
        ...found.map(({ operator }) => ({
          action: 'operator.remove',
          given: { operator },
          label: `Remove ${operator}`,
        })),
      ],
      live: [
        table({ id: 'operators', caption: 'Who may use this console', empty: 'Nobody.' }, found, [
          { head: 'operator', value: ({ operator }) => operator },
          { head: 'role', value: ({ role }) => role },
          { head: 'open sessions', value: (each) => each.sessions },
        ]),
      ],
    };
  },
};
