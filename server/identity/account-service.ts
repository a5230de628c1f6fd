import { domainToASCII } from 'node:url'
import type { Mailer } from '../services/mail.ts'
import type { Account, AccountStore, CodeKind } from '../storage/storage.ts'
import { codeMail, type MailContext } from './account-mails.ts'
import { createAttempts } from './attempts.ts'
import type { IssueIdToken } from './id-tokens.ts'
import { IdentityError } from './identity-error.ts'
import type { LogInGuard } from './log-in-guard.ts'
import { checkPolicy, type Passwords } from './passwords.ts'
import { hashOf, newRefreshToken, newSecret, newUid, readRefreshToken } from './secrets.ts'
import { TokenError, type VerifyToken } from './token-verifier.ts'

const HOUR_MS = 3_600_000
const CODE_LASTS_MS = HOUR_MS
/** How long a replaced refresh token may be shown again. */
const GRACE_MS = 10_000
/** Changing the password and deleting the account need a password that was given this recently. */
const RECENT_MS = 5 * 60_000
/** Mails in an hour to one account, whoever asks, and asked for by one client: so no single client can use up all of an account's. */
const MAILS_TO_MAX = 20
const MAILS_PAIR_MAX = 5
const CODE_MAX_LENGTH = 200

/** What a log-in gives: the account and its new tokens. */
export interface Session {
  account: Account
  idToken: string
  refreshToken: string
}

interface AccountServiceDeps {
  accounts: AccountStore
  passwords: Passwords
  issue: IssueIdToken
  verify: VerifyToken
  guard: LogInGuard
  mailer: Mailer
  signUpPerHour: number
  mailPerHour: number
  nowMs: () => number
  /** Work that nobody waits for, begun a random moment later; its failures are logged there. */
  later: (work: () => Promise<void>) => void
}

const EMAIL = /^[^\s@,;:<>()"[\]\\\p{C}]+@[^\s@.,;:<>()"[\]\\\p{C}]+(?:\.[^\s@.,;:<>()"[\]\\\p{C}]+)*$/u

/** An address as it is stored and compared. @throws IdentityError where it is none */
export function normaliseEmail(text: string): string {
  const email = text.trim().normalize('NFC').toLowerCase()
  if (email === '') throw new IdentityError('MISSING_EMAIL')
  if (email.length > 254 || !EMAIL.test(email)) throw new IdentityError('INVALID_EMAIL')
  // Where a mail to it would go: one mailbox has one account, however its domain is written.
  const at = email.lastIndexOf('@')
  const domain = domainToASCII(email.slice(at + 1))
  if (domain === '') throw new IdentityError('INVALID_EMAIL')
  return `${email.slice(0, at)}@${domain}`
}

/** What the identity routes do, without HTTP. `clientId` tells addresses apart (`http/client-id.ts`). */
export function createAccountService(deps: AccountServiceDeps) {
  const { accounts, passwords, issue, verify, guard, mailer, nowMs, later } = deps
  const tooMany = () => new IdentityError('TOO_MANY_ATTEMPTS_TRY_LATER')
  const signUps = createAttempts({ windowMs: HOUR_MS, max: deps.signUpPerHour, nowMs })
  const mailsTo = createAttempts({ windowMs: HOUR_MS, max: MAILS_TO_MAX, nowMs })
  const mailsBy = createAttempts({ windowMs: HOUR_MS, max: deps.mailPerHour, nowMs })
  const mailsPair = createAttempts({ windowMs: HOUR_MS, max: MAILS_PAIR_MAX, nowMs })

  /** Counts a mail before anything is known of the account, so that the answer does not tell whether there is one. */
  function takeMail(clientId: string, email: string): void {
    if (!mailsBy.take(clientId) || !mailsPair.take(`${clientId} ${email}`) || !mailsTo.take(email)) throw tooMany()
  }

  /** The account of an identity token that counts. @throws TokenError where only its time is over */
  async function accountOf(idToken: string): Promise<{ account: Account; authTimeMs: number }> {
    if (idToken === '') throw new IdentityError('MISSING_ID_TOKEN')
    const claims = await verify(idToken).catch((error: unknown) => {
      throw error instanceof TokenError && !error.expired ? new IdentityError('INVALID_ID_TOKEN') : error
    })
    const account = await accounts.byUid(claims.uid)
    if (account === undefined) throw new IdentityError('USER_NOT_FOUND')
    if (account.disabled) throw new IdentityError('USER_DISABLED')
    if (account.validAfterMs !== claims.validAfterMs) throw new IdentityError('TOKEN_EXPIRED')
    return { account, authTimeMs: claims.authTimeMs }
  }

  async function recentAccountOf(idToken: string) {
    const found = await accountOf(idToken)
    if (found.authTimeMs < nowMs() - RECENT_MS) throw new IdentityError('CREDENTIAL_TOO_OLD_LOGIN_AGAIN')
    return found
  }

  async function mailCode(kind: CodeKind, account: Account, context: MailContext): Promise<void> {
    const code = newSecret()
    const atMs = nowMs()
    await accounts.putCode({ uid: account.uid, kind, hash: hashOf(code), expiresMs: atMs + CODE_LASTS_MS, atMs })
    mailer.send(codeMail(kind, account.email, code, context))
  }

  /** The code that a link carried, while it can be used. */
  async function usableCode(oobCode: string) {
    if (oobCode === '') throw new IdentityError('MISSING_OOB_CODE')
    const code = oobCode.length > CODE_MAX_LENGTH ? undefined : await accounts.code(hashOf(oobCode))
    if (code === undefined) throw new IdentityError('INVALID_OOB_CODE')
    if (code.expiresMs <= nowMs()) throw new IdentityError('EXPIRED_OOB_CODE')
    return code
  }

  return {
    async signUp(clientId: string, givenEmail: string, password: string): Promise<Session> {
      const email = normaliseEmail(givenEmail)
      if (password === '') throw new IdentityError('MISSING_PASSWORD')
      checkPolicy(password)
      if (!signUps.take(clientId)) throw tooMany()
      const passwordHash = await passwords.hash(clientId, password)
      const { familyId, token, hash } = newRefreshToken()
      const uid = newUid()
      const atMs = nowMs()
      const created = await accounts.create({ uid, email, passwordHash, atMs }, { familyId, tokenHash: hash, authTimeMs: atMs })
      if (!created) throw new IdentityError('EMAIL_EXISTS')
      const account: Account = {
        ...{ uid, email, passwordHash, emailVerified: false, disabled: false },
        ...{ createdMs: atMs, lastLoginMs: atMs, validAfterMs: 0 },
      }
      return { account, idToken: await issue(account, atMs), refreshToken: token }
    },

    async signIn(clientId: string, givenEmail: string, password: string): Promise<Session> {
      const email = normaliseEmail(givenEmail)
      if (password === '') throw new IdentityError('MISSING_PASSWORD')
      const account = await guard(clientId, email, async (lane) => {
        const found = await accounts.byEmail(email)
        return (await passwords.matches(lane, found?.passwordHash, password)) ? found : undefined
      })
      if (account === undefined) throw new IdentityError('INVALID_LOGIN_CREDENTIALS')
      // Said only to who knows the password.
      if (account.disabled) throw new IdentityError('USER_DISABLED')
      const { familyId, token, hash } = newRefreshToken()
      const atMs = nowMs()
      const begun = await accounts.addSession(account.uid, account.passwordHash, { familyId, tokenHash: hash, authTimeMs: atMs })
      // The password was changed, or the account removed, while this one was checked.
      if (!begun) throw new IdentityError('INVALID_LOGIN_CREDENTIALS')
      return { account, idToken: await issue(account, atMs), refreshToken: token }
    },

    lookup: async (idToken: string): Promise<Account> => (await accountOf(idToken)).account,

    async refresh(refreshToken: string): Promise<Session> {
      const shown = readRefreshToken(refreshToken)
      if (shown === undefined) throw new IdentityError('INVALID_REFRESH_TOKEN')
      const next = newRefreshToken(shown.familyId)
      const rotated = await accounts.rotate({
        ...{ familyId: shown.familyId, shownHash: shown.hash, nextHash: next.hash },
        ...{ atMs: nowMs(), graceMs: GRACE_MS },
      })
      if (rotated === undefined) throw new IdentityError('TOKEN_EXPIRED')
      const { account, authTimeMs } = rotated
      if (account.disabled) throw new IdentityError('USER_DISABLED')
      return { account, idToken: await issue(account, authTimeMs), refreshToken: next.token }
    },

    /** Answers alike, in text and time, whether or not there is such an account. */
    async sendReset(clientId: string, givenEmail: string, context: MailContext): Promise<void> {
      const email = normaliseEmail(givenEmail)
      takeMail(clientId, email)
      later(async () => {
        const account = await accounts.byEmail(email)
        if (account !== undefined && !account.disabled) await mailCode('reset', account, context)
      })
    },

    async sendVerification(clientId: string, idToken: string, context: MailContext): Promise<string> {
      const { account } = await accountOf(idToken)
      takeMail(clientId, account.email)
      if (!account.emailVerified) later(() => mailCode('verify', account, context))
      return account.email
    },

    usableCode,

    async resetPassword(oobCode: string, password: string): Promise<string> {
      const code = await usableCode(oobCode)
      if (code.kind !== 'reset') throw new IdentityError('INVALID_OOB_CODE')
      // The code stays usable where the new password does not fit.
      checkPolicy(password)
      const passwordHash = await passwords.hash(code.uid, password)
      if (!(await accounts.resetPassword(hashOf(oobCode), passwordHash, nowMs()))) throw new IdentityError('INVALID_OOB_CODE')
      return code.email
    },

    async verifyEmail(oobCode: string): Promise<string> {
      const code = await usableCode(oobCode)
      if (code.kind !== 'verify' || !(await accounts.verifyEmail(hashOf(oobCode), nowMs()))) throw new IdentityError('INVALID_OOB_CODE')
      return code.email
    },

    /** Ends every other log-in; this one goes on with new tokens. */
    async changePassword(idToken: string, password: string): Promise<Session> {
      const { account, authTimeMs } = await recentAccountOf(idToken)
      checkPolicy(password)
      const passwordHash = await passwords.hash(account.uid, password)
      const { familyId, token, hash } = newRefreshToken()
      const atMs = nowMs()
      const changed = await accounts.setPassword(account.uid, account.passwordHash, passwordHash, atMs, {
        familyId,
        tokenHash: hash,
        authTimeMs,
      })
      // Another one was set, or the account removed, while this one was hashed.
      if (!changed) throw new IdentityError('TOKEN_EXPIRED')
      return { account, idToken: await issue({ ...account, validAfterMs: atMs }, authTimeMs), refreshToken: token }
    },

    async remove(idToken: string): Promise<void> {
      const { account } = await recentAccountOf(idToken)
      await accounts.remove(account.uid)
    },
  }
}
export type AccountService = ReturnType<typeof createAccountService>
