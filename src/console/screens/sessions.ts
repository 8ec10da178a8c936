import { listProxies } from '../../operations/proxies.ts';
import { listSessions } from '../../operations/sessions/sessions.ts';
import type { Screen } from '../console.ts';
import { badge, table } from '../view.ts';

export const sessions: Screen = {
  path: '/sessions',
  nav: { text: 'Sessions', key: 's' },
  everyS: 5,
  show: async (context) => {
    const [found, proxies] = await Promise.all([
      listSessions(context, context.keyring),
      listProxies(context),
    ]);
    return {
      title: 'Sessions and proxies',
      offers: [
        { action: 'session.add', given: {} },
        ...found.flatMap(({ id, label, platform }) => [
          { action: 'session.test', given: { session: id }, label: `Test ${platform} ${label}` },
          { action: 'session.remove', given: { session: id }, label: `Remove ${platform} ${label}` },
        ]),
      ],
      live: [
        table(
          {
            id: 'sessions',
            caption: 'Sessions',
            empty: 'None: what platforms hide from strangers is not read.',
          },
          found,
          [
            { head: 'platform', value: ({ platform }) => platform },
            { head: 'label', value: ({ label }) => label },
            {
              head: 'status',
              value: ({ status }) => status,
              cell: ({ status }) =>
                badge(status, status === 'active' ? 'good' : status === 'resting' ? 'warn' : 'bad'),
            },
            { head: 'proxy', value: ({ proxy }) => proxy },
            { head: 'added', value: ({ created_at }) => created_at, is: 'instant' },
            { head: 'id', value: ({ id }) => id },
          ],
        ),
        table({ id: 'proxies', caption: 'Proxies', empty: 'None: requests go out directly.' }, proxies, [
          { head: 'proxy', value: ({ name }) => name },
          { head: 'address', value: ({ url }) => url },
          { head: 'platform', value: ({ platform }) => platform },
          {
            head: 'status',
            value: ({ status }) => status,
            cell: ({ status }) => badge(status, status === 'usable' ? 'good' : 'warn'),
          },
          { head: 'failures', value: ({ failures }) => failures },
          { head: 'reason', value: ({ reason }) => reason },
          { head: 'rests until', value: ({ resting_until }) => resting_until, is: 'instant' },
        ]),
      ],
    };
  },
};
