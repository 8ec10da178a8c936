import { familiesOf, type MetricFamily, type Metrics } from '../../kernel/metrics.ts';
import type { FromApi, ToApi } from './messages.ts';

/** Timeout of the other process; its metrics are missing then. */
const ASK_MS = 2_000;

/** Metrics of two processes: each responds with its own and asks for the other's. */
export interface Peer {
  families(): Promise<readonly MetricFamily[]>;
  /** @returns whether the message was about metrics. */
  receive(message: ToApi | FromApi): boolean;
}

/**
 * @param send false, if the other process is not connected.
 * @param own registries of this process, those that are registered later included.
 * @param onFailure called if they can't be collected: the other process then shows its own only.
 */
export const createPeer = (
  send: (message: Extract<ToApi, FromApi>) => boolean,
  own: () => readonly Metrics[],
  onFailure: (error: unknown) => void,
): Peer => {
  const asked = new Map<number, (families: readonly MetricFamily[]) => void>();
  let lastId = 0;
  return {
    families: () =>
      new Promise((resolve) => {
        lastId += 1;
        const id = lastId;
        const settle = (families: readonly MetricFamily[]) => {
          clearTimeout(late);
          asked.delete(id);
          resolve(families);
        };
        const late = setTimeout(settle, ASK_MS, []);
        asked.set(id, settle);
        if (!send({ type: 'metrics', id })) settle([]);
      }),
    receive: (message) => {
      if (message.type === 'metrics') {
        void familiesOf(own())
          .catch((error: unknown): readonly MetricFamily[] => {
            onFailure(error);
            return [];
          })
          .then((families) => send({ type: 'families', id: message.id, families }));
        return true;
      }
      if (message.type !== 'families') return false;
      asked.get(message.id)?.(message.families);
      return true;
    },
  };
};
