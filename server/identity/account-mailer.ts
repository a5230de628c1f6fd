import { HOUR_MS } from '../durations.ts'
import type { AttemptStore } from '../http/store-attempts.ts'
import type { Mailer } from '../mail/mailer.ts'
import { createCodeMail, createPasswordChangeMail, type MailContext } from './account-mails.ts'
import { IdentityError } from './identity-error.ts'
import type { LoginGuard } from './login-guard.ts'
import type { DeriveMailedCode } from './mailed-codes.ts'
import { hashSecret } from './secrets.ts'
import type { Account } from './store-account-rows.ts'
import type { AccountStore } from './store-accounts.ts'
import type { CodeKind } from './store-codes.ts'

const CODE_LIFETIME_MS = HOUR_MS
/**
 * The age up to which a code is mailed again. A new code would make the previous one invalid, so that anybody could invalidate the code in a mail
 * by requesting further mails.
 */
const CODE_REPEAT_MAX_AGE_MS = 10 * 60_000
/** The limits of mails per hour to one account: in total, and at the request of one client, so that no single client can use up the total. */
const MAILS_PER_ACCOUNT_MAX = 20
const MAILS_PER_ACCOUNT_AND_CLIENT_MAX = 5
/** The maximum number of mails per hour that notify an account of changed passwords. */
const NOTICES_PER_ACCOUNT_MAX = 5

interface AccountMailerDeps {
  accounts: Pick<AccountStore, 'codeOf' | 'replaceCode'>
  attempts: AttemptStore
  deriveMailedCode: DeriveMailedCode
  guardLogin: Pick<LoginGuard, 'isTrusted'>
  mailer: Mailer
  /** The maximum number of mails that one client can request in an hour. */
  mailPerHour: number
  nowMs: () => number
  /** Runs work in the background after a random delay, and logs its failure. */
  runInBackground: (work: () => Promise<void>) => void
}

/** Sends the mails of accounts, within the limits of each client and account. */
export function createAccountMailer(deps: AccountMailerDeps) {
  const { accounts, attempts, deriveMailedCode, guardLogin, mailer, nowMs, runInBackground } = deps
  const createMailLimit = (key: string, max: number) => ({ key: `mail ${key}`, max, windowMs: HOUR_MS })
  const createClientLimit = (clientId: string) => createMailLimit(`client ${clientId}`, deps.mailPerHour)

  return {
    /**
     * Counts a mail before the account is looked up, so that the response does not disclose whether the account exists. Clients that have logged in
     * to the account recently have a separate limit, which other clients cannot use up.
     */
    async countMail(clientId: string, email: string): Promise<void> {
      const mailSender = guardLogin.isTrusted(clientId, email) ? 'owner' : 'anybody'
      const mailLimits = [
        createClientLimit(clientId),
        createMailLimit(`pair ${clientId} ${email}`, MAILS_PER_ACCOUNT_AND_CLIENT_MAX),
        createMailLimit(`account ${mailSender} ${email}`, MAILS_PER_ACCOUNT_MAX),
      ]
      if ((await attempts.take(mailLimits, nowMs())) === undefined) throw new IdentityError('TOO_MANY_ATTEMPTS_TRY_LATER')
    },

    /** Mails a code. The code of an earlier mail is sent again if it is not older than `CODE_REPEAT_MAX_AGE_MS`. */
    async mailCode(kind: CodeKind, account: Account, context: MailContext): Promise<void> {
      const { uid } = account
      const atMs = nowMs()
      const earlierCode = await accounts.codeOf(uid, kind)
      if (earlierCode !== undefined && earlierCode.expiresMs > atMs + CODE_LIFETIME_MS - CODE_REPEAT_MAX_AGE_MS) {
        const code = await deriveMailedCode(uid, kind, earlierCode.expiresMs)
        if (hashSecret(code) === earlierCode.hash)
          return mailer.send(createCodeMail(kind, account, { text: code, expiresMs: earlierCode.expiresMs }, atMs, context))
      }
      const expiresMs = atMs + CODE_LIFETIME_MS
      const code = await deriveMailedCode(uid, kind, expiresMs)
      await accounts.replaceCode({ uid, kind, hash: hashSecret(code), expiresMs, atMs })
      await mailer.send(createCodeMail(kind, account, { text: code, expiresMs }, atMs, context))
    },

    /**
     * Mails a notice of a changed password. An account gets at most `NOTICES_PER_ACCOUNT_MAX` in an hour. An unverified address may belong
     * to somebody else, so a notice to it also counts towards the limit of mails that a client can request.
     */
    mailPasswordChange(clientId: string, { email, emailVerified }: Pick<Account, 'email' | 'emailVerified'>, context: MailContext) {
      const noticeLimits = [
        createMailLimit(`notice ${email}`, NOTICES_PER_ACCOUNT_MAX),
        ...(emailVerified ? [] : [createClientLimit(clientId)]),
      ]
      runInBackground(async () => {
        const isAllowed = (await attempts.take(noticeLimits, nowMs())) !== undefined
        if (isAllowed) await mailer.send(createPasswordChangeMail(email, nowMs(), context))
      })
    },
  }
}
