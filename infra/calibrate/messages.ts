import type { Platform } from '../simulator/simulated-platforms.ts';
import type { AuditSummary } from './audit/summary.ts';
import type { ImpersonationSummary } from './impersonation/summary.ts';
import type { Summary } from './summary.ts';
import type { ToolSummary } from './tools.ts';

/** What is measured. */
export interface CalibrationOptions {
  /** Whose accounts the insights are measured on. */
  readonly platform: Platform;
  /** File with the parameters of a world; null for the default document. */
  readonly world: string | null;
  /** Documents that are drawn beside it, from seed 101 on. */
  readonly draws: number;
  /** Alone, the document that is drawn from this seed. */
  readonly draw: number | null;
  readonly seeds: number;
  readonly firstSeed: number;
  /** Accounts of a seed as they come, and those that are judged besides: with enough posts and reactions. */
  readonly accounts: number;
  readonly engaged: number;
  readonly windowDays: number;
  /** Whether the tools that state prices and projections are measured, and not the insights. */
  readonly tools: boolean;
  /** Whether impersonators are, and nothing else. */
  readonly impersonation: boolean;
  /** Accounts of each platform whose followers are audited; 0 for no audits. */
  readonly audits: number;
  /** File for the first labelled samples of the first world, as AUDIT_LABELS reads them. */
  readonly auditLabels: string | null;
  /** Folder for pictures of the first world. */
  readonly svg: string | null;
}

export interface CalibratedWorld {
  readonly hash: string;
  /** Whether the document is another one than the methods were tuned on. */
  readonly held_back: boolean;
  /** Options that repeat it. */
  readonly options: string;
  readonly summary: Summary;
  /** Of tools; none if insights were measured. */
  readonly tools: readonly ToolSummary[];
  readonly audits: readonly AuditSummary[];
  /** Null unless impersonators were measured. */
  readonly impersonation: ImpersonationSummary | null;
  readonly missed: readonly string[];
}

export interface CalibrationReport {
  readonly method_version: string;
  readonly seeds: readonly number[];
  readonly worlds: readonly CalibratedWorld[];
}

export type CalibrationMessage =
  | { readonly done: number; readonly total: number }
  | { readonly report: CalibrationReport };
