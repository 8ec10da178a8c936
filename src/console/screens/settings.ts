import { describeConfig, originsOfSettings, shownValue } from '../../kernel/config.ts';
import type { Screen } from '../console.ts';
import { table } from '../view.ts';

export const settings: Screen = {
  path: '/settings',
  nav: { text: 'Settings', key: 'g' },
  show: async ({ config }) => {
    const origins = originsOfSettings(process.env);
    return {
      title: 'Settings',
      live: [
        table({ id: 'settings', caption: 'Settings of this process', empty: '' }, describeConfig(), [
          { head: 'setting', value: ({ key }) => key },
          { head: 'value', value: ({ key }) => shownValue(config, key) || null },
          { head: 'from', value: ({ key }) => origins[key] },
          { head: 'meaning', value: ({ about }) => about },
          { head: 'allowed', value: ({ allowed }) => allowed },
          { head: 'default', value: ({ fallback }) => fallback || null },
        ]),
      ],
    };
  },
};
