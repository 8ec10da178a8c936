import type { EngineOptions } from '../../src/crawlers/engine/visitor.ts';

/** Controls of an engine that no operator has changed. */
export const uncontrolled: Pick<EngineOptions, 'controls' | 'controlCopies'> = {
  controls: { engine: async () => ({ paused: false, ratePerS: null }) },
  controlCopies: { copy: async () => ({ alarm: null, paused: false, ratePerS: null }) },
};
