/**
 * Constants and figures that commands import at once, also to print their help. They are re-exported here without the
 * projections and queries beside them, which a command loads when it runs.
 */
export { PROJECTION_NAMES } from '../projections/names.ts';
export {
  addUsage,
  type PeriodUsage,
  USAGE_BY,
  type Usage,
  type UsageBy,
  type UsageLine,
} from '../read/metering.ts';
