import type { Screen } from './console.ts';
import { account, accounts } from './screens/accounts.ts';
import { engine, engines, surfaces } from './screens/engines.ts';
import { erasure, erasures } from './screens/erasures.ts';
import { audit, event, events, upkeep } from './screens/events.ts';
import { holder, holders } from './screens/holders.ts';
import { model, models } from './screens/models.ts';
import { operators } from './screens/operators.ts';
import { pool, pools } from './screens/pools.ts';
import { finding, research } from './screens/research.ts';
import { sessions } from './screens/sessions.ts';
import { settings } from './screens/settings.ts';
import { alarm, tonight } from './screens/tonight.ts';

/** All screens, in the order of the navigation. */
export const SCREENS: readonly Screen[] = [
  tonight,
  alarm,
  engines,
  engine,
  surfaces,
  pools,
  pool,
  accounts,
  account,
  models,
  model,
  holders,
  holder,
  sessions,
  research,
  finding,
  events,
  event,
  audit,
  upkeep,
  erasures,
  erasure,
  operators,
  settings,
];
