/**
 * `/privacy`: what people do with their own accounts, in a browser and without a key. It is no endpoint of the contract.
 * What it does, and what it can't: `docs/privacy.md`.
 */

import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import Negotiator from 'negotiator';
import { z } from 'zod';
import { ACTS } from '../../../crawlers/live-read/ownership.ts';
import { systemClock } from '../../../kernel/clock.ts';
import { errorMessage, OperatorError, ServiceError } from '../../../kernel/errors.ts';
import { PLATFORMS, type Platform, platformSchema } from '../../../kernel/platform.ts';
import type { AccountName } from '../../../operations/account-name.ts';
import {
  accountGiven,
  type Challenge,
  type Outcome,
  type OwnHand,
} from '../../../operations/subjects/own-hand.ts';
import { descriptorOf } from '../../../platforms/index.ts';
import type { Services } from '../../services.ts';
import { createRateLimit } from '../throttle.ts';
import {
  askPage,
  codePage,
  outcomePage,
  PAGE_HEADERS,
  PRIVACY_PATH,
  startPage,
  type Visit,
} from './pages.ts';
import { LANGUAGES, type Language, TEXTS, type Texts } from './texts.ts';

const COOKIE = 'sightline_privacy';
const SESSION = /^[\w-]{43}$/;
const BODY_LIMIT = 8 * 1024;
/** Requests per address and second. */
const MAX_REQUESTS = 60;
const HOUR_S = 3_600;
const SESSION_S = 31 * 24 * HOUR_S;
/** No page of LinkedIn shows a bio to strangers. */
const UNPROVABLE: ReadonlySet<Platform> = new Set(['linkedin']);

const formSchema = z.object({
  step: z.enum(['name', 'check', 'ask', 'download']),
  token: z.string().max(100),
  platform: platformSchema.default(PLATFORMS[0]),
  account: z.string().max(500).default(''),
  act: z.enum(ACTS).default('erase'),
  made_at: z.coerce.number().int().nonnegative().max(Number.MAX_SAFE_INTEGER).default(0),
  contact: z.string().max(1_000).default(''),
});
type Form = z.infer<typeof formSchema>;

const languageOf = (request: FastifyRequest): Language => {
  const asked = (request.query as { readonly lang?: unknown }).lang;
  const codes = Object.keys(LANGUAGES) as Language[];
  return (
    codes.find((code) => code === asked) ??
    (new Negotiator(request.raw).language(codes) as Language | undefined) ??
    'en'
  );
};

const sessionOf = (request: FastifyRequest): string | null => {
  for (const each of (request.headers.cookie ?? '').split(';')) {
    const [name, value = ''] = each.trim().split('=');
    if (name === COOKIE && SESSION.test(value)) return value;
  }
  return null;
};

/** Sends a page, and the session that its forms belong to. */
const send = (
  request: FastifyRequest,
  reply: FastifyReply,
  session: string,
  page: string,
  status = 200,
): FastifyReply => {
  const secure = request.protocol === 'https' ? '; Secure' : '';
  return reply
    .code(status)
    .headers(PAGE_HEADERS)
    .header(
      'set-cookie',
      `${COOKIE}=${session}; Path=${PRIVACY_PATH}; Max-Age=${SESSION_S}; HttpOnly; SameSite=Strict${secure}`,
    )
    .send(page);
};

const dateOf = (language: Language, at: string): string =>
  `${new Intl.DateTimeFormat(language, { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' }).format(
    Date.parse(at),
  )} UTC`;

const shownOf = ({ platform, kind, name }: AccountName): string =>
  `${descriptorOf(platform).name} ${kind === 'id' ? name : `@${name}`}`;

/** An account as a form sends it back. */
const writtenOf = ({ kind, name }: AccountName): string => (kind === 'id' ? `id:${name}` : name);

/** The answer to a form: a page with its status. */
interface Answer {
  readonly page: string;
  readonly status: number;
}

/** Outcomes after which the code may be checked again. */
const RETRIED: ReadonlySet<Outcome['is']> = new Set<Outcome['is']>(['no_code', 'too_many']);

class PrivacyVisit {
  readonly #own: OwnHand;
  readonly #session: string;
  readonly #visit: Visit;
  readonly #texts: Texts;

  constructor(own: OwnHand, session: string, language: Language) {
    this.#own = own;
    this.#session = session;
    this.#visit = { language, formToken: own.formToken(session), delayDays: own.delayDays };
    this.#texts = TEXTS[language];
  }

  async start(
    fault: string | null = null,
    given: { platform: string; account: string; act: string } = { platform: '', account: '', act: 'erase' },
  ): Promise<Answer> {
    const hasExport = (await this.#own.exportOf(this.#session)) !== null;
    return {
      page: startPage(this.#visit, fault, hasExport, given),
      status: fault === null ? 200 : 400,
    };
  }

  /** Answers a form. */
  async answer(form: Form, request: FastifyRequest): Promise<Answer> {
    const account = accountGiven(form.platform, form.account);
    if (account === null) return this.start(this.#texts.faults.account, form);
    if (form.step === 'ask') return this.#ask(account, form, request);
    if (UNPROVABLE.has(account.platform)) return this.#askPage(account, form, null);
    if (form.step === 'check')
      return this.#check({ act: form.act, account, madeAtS: form.made_at }, form, request);
    return this.#codePage(
      { act: form.act, account, madeAtS: Math.floor(systemClock.now() / 1_000) },
      null,
      200,
    );
  }

  fault(text: string, status: number): Answer {
    return { page: outcomePage(this.#visit, text, '', false), status };
  }

  #codePage(challenge: Challenge, fault: string | null, status: number): Answer {
    const { act, account, madeAtS } = challenge;
    const shown = {
      account: shownOf(account),
      code: this.#own.codeOf(this.#session, challenge),
      until: dateOf(this.#visit.language, new Date((madeAtS + HOUR_S) * 1_000).toISOString()),
    };
    const { platform } = account;
    const fields = { act, platform, account: writtenOf(account), made_at: String(madeAtS) };
    return { page: codePage(this.#visit, fault, shown, fields), status };
  }

  #askPage(account: AccountName, { act }: Pick<Form, 'act'>, fault: string | null): Answer {
    const fields = { act, platform: account.platform, account: writtenOf(account) };
    const page = askPage(this.#visit, fault, shownOf(account), fields);
    return { page, status: fault === null ? 200 : 400 };
  }

  async #check(challenge: Challenge, form: Form, request: FastifyRequest): Promise<Answer> {
    const { faults, outcomes } = this.#texts;
    let outcome: Outcome;
    try {
      outcome = await this.#own.check(this.#session, request.ip, challenge, request.id);
    } catch (error) {
      if (error instanceof ServiceError)
        return error.code === 'not_readable'
          ? this.#askPage(challenge.account, form, null)
          : this.#codePage(challenge, faults.platform, 503);
      if (error instanceof OperatorError) return this.#codePage(challenge, faults.later, 503);
      throw error;
    }
    if (outcome.is === 'ask') return this.#askPage(challenge.account, form, null);
    const text = outcomes[outcome.is];
    if (RETRIED.has(outcome.is))
      return this.#codePage(challenge, text, outcome.is === 'too_many' ? 429 : 200);
    const time = 'at' in outcome ? dateOf(this.#visit.language, outcome.at) : '';
    return { page: outcomePage(this.#visit, text, time, outcome.is === 'ready'), status: 200 };
  }

  async #ask(account: AccountName, form: Form, request: FastifyRequest): Promise<Answer> {
    const { asked, faults, outcomes } = this.#texts;
    const contact = form.contact.trim();
    if (contact === '' || contact.length > 200) return this.#askPage(account, form, faults.contact);
    const isTaken = await this.#own.ask(request.ip, { act: form.act, account, contact });
    return isTaken ? this.fault(asked, 200) : this.fault(outcomes.too_many, 429);
  }
}

/** Lines of an export, as a file that a browser stores. */
async function* linesOf(all: AsyncIterable<unknown>): AsyncGenerator<string> {
  for await (const held of all) yield `${JSON.stringify(held)}\n`;
}

/** Serves `/privacy`, unless the operator switched it off. */
export const registerPrivacy = async (
  app: FastifyInstance,
  { ownHand: own, logger }: Pick<Services, 'ownHand' | 'logger'>,
): Promise<void> => {
  if (own === null) return;
  const limit = createRateLimit(MAX_REQUESTS);
  await app.register(async (scope) => {
    scope.addHook('onRequest', async (request) => {
      if (!limit.take(request.ip, 1))
        throw new ServiceError('rate_limited', 'Too many requests of your address in this second.');
    });
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: BODY_LIMIT },
      (_request, body, done) => done(null, Object.fromEntries(new URLSearchParams(body as string))),
    );
    scope.setErrorHandler((error, request, reply) => {
      logger.warn({ err: errorMessage(error), request_id: request.id }, 'a request of /privacy failed');
      const visit = new PrivacyVisit(own, sessionOf(request) ?? newSession(), languageOf(request));
      const isLimited = error instanceof ServiceError && error.code === 'rate_limited';
      const given = isLimited ? 429 : ((error as { statusCode?: number }).statusCode ?? 500);
      const status = given < 500 ? given : 503;
      const { page } = visit.fault(TEXTS[languageOf(request)].faults.later, status);
      return reply.code(status).headers(PAGE_HEADERS).send(page);
    });
    scope.get(PRIVACY_PATH, async (request, reply) => {
      const session = sessionOf(request) ?? newSession();
      const { page, status } = await new PrivacyVisit(own, session, languageOf(request)).start();
      return send(request, reply, session, page, status);
    });
    scope.post(PRIVACY_PATH, async (request, reply) => {
      const session = sessionOf(request);
      const language = languageOf(request);
      const form = formSchema.safeParse(request.body);
      // Another site's form comes without the cookie, and knows no token.
      if (session === null || !form.success || !own.isFormToken(session, form.data.token)) {
        const fresh = session ?? newSession();
        const { page } = await new PrivacyVisit(own, fresh, language).start(TEXTS[language].faults.form);
        return send(request, reply, fresh, page, 400);
      }
      if (form.data.step === 'download') {
        const account = await own.exportOf(session);
        const gone = new AbortController();
        reply.raw.once('close', () => gone.abort());
        const all = account && (await own.exported(request.ip, account, gone.signal));
        if (all !== null) return reply.headers(FILE_HEADERS).send(Readable.from(linesOf(all)));
        const { page } = await new PrivacyVisit(own, session, language).start(
          account === null ? TEXTS[language].faults.form : TEXTS[language].outcomes.too_many,
        );
        return send(request, reply, session, page, account === null ? 400 : 429);
      }
      const { page, status } = await new PrivacyVisit(own, session, language).answer(form.data, request);
      return send(request, reply, session, page, status);
    });
  });
};

const newSession = (): string => randomBytes(32).toString('base64url');

const FILE_HEADERS = {
  'content-type': 'application/x-ndjson',
  'content-disposition': 'attachment; filename="sightline.ndjson"',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
};
