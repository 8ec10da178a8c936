import { versionPerPlatform } from '../../../kernel/platform.ts';
import { accountOf } from '../../../write/accounts/events.ts';
import { dispatch, type Fold, type Handlers, type Projection, typesOf } from '../../projection.ts';
import { Store } from './store.ts';
import { indexes, tables } from './tables.ts';
import { type Change, end, resight, sight } from './tenures.ts';

const put = (store: Store, change: Change | null): void => {
  if (change !== null) store.put(change);
};

const handlers: Handlers<Store> = {
  AccountSighted: (store, { stream, data }) => {
    const { platform, handle: name } = accountOf(stream);
    const { observed_at: at, status, profile } = data;
    put(store, sight(store.tenures(platform, name), { platform, name, at, status, profile }));
  },
  AccountUnchanged: (store, { stream, data }) => {
    const { platform, handle } = accountOf(stream);
    put(store, resight(store.tenures(platform, handle), data.observed_at, data.moved));
  },
  AccountUnavailable: (store, { stream, data }) => {
    const { platform, handle: name } = accountOf(stream);
    const { observed_at: at, status } = data;
    put(store, end(store.tenures(platform, name), { platform, name, at, status }));
  },
};

const apply = dispatch(handlers);

const open = (schema: string): Fold => {
  let store = new Store(schema);
  return {
    load: (db, events) => store.load(db, events),
    apply: (event) => apply(store, event),
    store: (db) => store.write(db),
    // Persons are resolved when rows are written: of a new build, once for many readings of an account.
    building: { flush: async () => undefined, isFull: () => store.isFull() },
    reset: () => {
      store = new Store(schema);
    },
  };
};

/** Persons: accounts of all platforms that evidence holds together. A function of the latest facts of each account. */
export const people: Projection = {
  name: 'people',
  version: versionPerPlatform(1),
  order: 'global',
  types: typesOf(handlers),
  streamPrefixes: ['account-'],
  parks: ['account-'],
  tables,
  indexes,
  open,
};
