/** Apart from the queries, so that a command's help loads none of them. */
export {
  addUsage,
  type PeriodUsage,
  USAGE_BY,
  type Usage,
  type UsageBy,
  type UsageLine,
} from '../../read/metering.ts';
