import { errorMessage } from '../../kernel/errors/error-message.ts';
import { importListings } from '../../operations/marketplace/import-listings.ts';
import type { Runtime } from '../open-runtime.ts';

/** Imports the paid posts that the marketplace has a file of: its feed shows accounts for sale only. */
export const importPlacements = async (
  runtime: Runtime,
  feedUrl: string,
  stop: AbortSignal,
): Promise<void> => {
  try {
    await importListings(runtime, new URL('/dumps/placements.ndjson', feedUrl).href, { signal: stop });
  } catch (error) {
    if (!stop.aborted) runtime.logger.warn({ err: errorMessage(error) }, 'paid posts could not be imported');
  }
};
