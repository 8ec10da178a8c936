import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import { DEFAULT_MODELS } from '../../analysis/audit/default-models.ts';
import {
  type AuditModel,
  FOLLOWER_CLASSES,
  fitAuditModel,
  type LabelledFollower,
} from '../../analysis/audit/model.ts';
import type { Config } from '../../kernel/config.ts';
import { errorMessage, OperatorError } from '../../kernel/errors.ts';
import { type Platform, platformSchema } from '../../kernel/platform.ts';

export type LabelLine = z.infer<typeof labelSchema>;

export type AuditModels = ReadonlyMap<Platform, AuditModel>;

/**
 * Fits a model per platform.
 * @throws {OperatorError} `labels_invalid` if a sample is too small or no trait separates its classes.
 */
export const modelsOf = (
  labelled: ReadonlyMap<Platform, readonly LabelledFollower[]>,
): Map<Platform, AuditModel> => {
  const models = new Map<Platform, AuditModel>();
  for (const [platform, sample] of labelled) {
    const model = fitAuditModel(sample);
    if (model === 'inseparable')
      throw new OperatorError(
        'labels_invalid',
        `labelled followers of ${platform}: no trait separates suspicious ones from others`,
      );
    if ('needs' in model)
      throw new OperatorError(
        'labels_invalid',
        `labelled followers of ${platform}: of suspicious ones and of others ${model.needs} are needed, and there are ${model.had}`,
      );
    models.set(platform, model);
  }
  return models;
};

/**
 * Models of the labelled sample that AUDIT_LABELS names, and the default ones of platforms that it lacks.
 * @throws {OperatorError} `labels_invalid`, naming each line.
 */
export const loadAuditModels = async ({
  AUDIT_LABELS,
}: Pick<Config, 'AUDIT_LABELS'>): Promise<AuditModels> => {
  if (AUDIT_LABELS === undefined) return DEFAULT_MODELS;
  try {
    const input = createReadStream(AUDIT_LABELS, 'utf8');
    const labelled = await readLabels(createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY }));
    return new Map([...DEFAULT_MODELS, ...modelsOf(labelled)]);
  } catch (error) {
    const reason =
      error instanceof OperatorError ? error.message : `it can't be read (${errorMessage(error)})`;
    throw new OperatorError('labels_invalid', `AUDIT_LABELS is "${AUDIT_LABELS}": ${reason}`, {
      cause: error,
    });
  }
};

const count = z.int().nonnegative().nullable();

/** A line of a labelled sample: a follower as a list showed it, and the class that a person gave it. */
const labelSchema = z.strictObject({
  platform: platformSchema,
  /** Handle or ID of the account whose list it was taken from. */
  list: z.string().min(1).max(1_024),
  label: z.enum(FOLLOWER_CLASSES),
  observed_at: z.iso.datetime({ offset: true }),
  created_at: z.iso.datetime({ offset: true }).nullable(),
  followers: count,
  following: count,
  posts: count,
  has_picture: z.boolean().nullable(),
  has_bio: z.boolean().nullable(),
});

const DAY = 86_400_000;
const MAX_LINES = 200_000;
/** Maximum invalid lines that an error names. */
const MAX_NAMED = 10;

const followerOf = (line: LabelLine): LabelledFollower => ({
  label: line.label,
  list: line.list,
  ageDays:
    line.created_at === null
      ? null
      : Math.max(0, Date.parse(line.observed_at) - Date.parse(line.created_at)) / DAY,
  followers: line.followers,
  following: line.following,
  posts: line.posts,
  hasAvatar: line.has_picture,
  hasBio: line.has_bio,
});

const parseLine = (text: string): z.ZodSafeParseResult<LabelLine> | null => {
  try {
    return labelSchema.safeParse(JSON.parse(text));
  } catch {
    return null;
  }
};

/** Reads labelled followers from NDJSON, by platform. @throws {OperatorError} `labels_invalid`, naming each line. */
const readLabels = async (lines: AsyncIterable<string>): Promise<Map<Platform, LabelledFollower[]>> => {
  const labelled = new Map<Platform, LabelledFollower[]>();
  const invalid: string[] = [];
  let number = 0;
  for await (const text of lines) {
    number += 1;
    if (text.trim() === '') continue;
    const line = parseLine(text);
    if (line?.success !== true) {
      const [issue] = line?.error?.issues ?? [];
      invalid.push(
        `line ${number}: ${issue === undefined ? 'no JSON' : `${issue.path.join('.')} ${issue.message}`}`,
      );
    } else {
      const known = labelled.get(line.data.platform) ?? [];
      known.push(followerOf(line.data));
      labelled.set(line.data.platform, known);
    }
    if (invalid.length >= MAX_NAMED) break;
    if (number > MAX_LINES) invalid.push(`more than ${MAX_LINES.toLocaleString('en')} lines`);
  }
  if (invalid.length > 0) throw new OperatorError('labels_invalid', invalid.join('\n'));
  return labelled;
};
