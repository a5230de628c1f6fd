import { domainToASCII } from 'node:url'
import { HOUR_MS } from '../durations.ts'
import { createSlidingWindow } from '../http/sliding-window.ts'
import type { Mailer } from '../mail/mailer.ts'
import { codeMail, type MailContext, passwordChangeMail } from './account-mails.ts'
import type { IssueIdToken } from './id-tokens.ts'
import { IdentityError } from './identity-error.ts'
import type { LoginGuard } from './login-guard.ts'
import type { MailedCodeOf } from './mailed-codes.ts'
import { checkPolicy, type Passwords } from './passwords.ts'
import { hashOf, newLoginId, newRefreshToken, newUid, readRefreshToken } from './secrets.ts'
import type { Account } from './store-account-rows.ts'
import type { AccountStore, CodeKind } from './store-accounts.ts'
import type { LoginPlace, LoginStore } from './store-logins.ts'
import { TokenError, type VerifyToken } from './token-verifier.ts'

const CODE_LASTS_MS = HOUR_MS
/** The age up to which a code is mailed again instead of a new one, so that nobody can make the code of the last mail invalid by asking for more. */
const CODE_REPEAT_MS = 10 * 60_000
/** The time in milliseconds for which a rotated refresh token may be used again. */
const GRACE_MS = 10_000
/** The maximum age of the login for deleting the account. */
const RECENT_LOGIN_MS = 5 * 60_000
/** The maximum age of the login for changing the password: clients check the current password right before. */
const PASSWORD_CHECK_MS = 60_000
/** The limits of mails per hour to one account: in total, and on request of one client, so that no single client can use up the total. */
const MAILS_PER_ACCOUNT_MAX = 20
const MAILS_PER_ACCOUNT_AND_CLIENT_MAX = 5
/** The limit of mails per hour that tell an account of changes. */
const NOTICES_PER_ACCOUNT_MAX = 5
const CODE_MAX_LENGTH = 200

/** The account and its new tokens after a successful login. */
export interface LoginResult {
  account: Account
  idToken: string
  refreshToken: string
}

/** The client of a request. */
export interface Client extends LoginPlace {
  /** A hash of its network (`http/client-id.ts`). */
  id: string
}

interface AccountServiceDeps {
  accounts: AccountStore
  logins: LoginStore
  passwords: Passwords
  issueIdToken: IssueIdToken
  mailedCodeOf: MailedCodeOf
  verifyToken: VerifyToken
  guardLogin: LoginGuard
  mailer: Mailer
  signUpPerHour: number
  mailPerHour: number
  nowMs: () => number
  /** Runs work in the background after a random delay, and logs its failure. */
  runInBackground: (work: () => Promise<void>) => void
}

/** The longest text that is read as an email address: spaces around it and decomposed letters make it longer than what is stored. */
const GIVEN_EMAIL_MAX_LENGTH = 320
const EMAIL_MAX_LENGTH = 254
/** The domain has no `%`, `/`, `?` or `#`, which the conversion to ASCII would decode or cut at. */
const EMAIL_PATTERN = /^[^\s@,;:<>()"[\]\\\p{C}]+@[^\s@.,;:<>()"[\]\\\p{C}%/?#]+(?:\.[^\s@.,;:<>()"[\]\\\p{C}%/?#]+)*$/u
/** An IPv4 address, to which the conversion to ASCII also turns numbers such as `0x7f000001`. */
const NUMERIC_HOST = /(?:^|\.)\d+$/

/** Returns an email address in the form in which it is stored and compared. @throws IdentityError if it is not an address */
export function normaliseEmail(givenEmail: string): string {
  // Normalisation takes quadratic time, so the text is bounded first.
  if (givenEmail.length > GIVEN_EMAIL_MAX_LENGTH) throw new IdentityError('INVALID_EMAIL')
  const email = givenEmail.trim().normalize('NFC').toLowerCase()
  if (email === '') throw new IdentityError('MISSING_EMAIL')
  if (email.length > EMAIL_MAX_LENGTH || !EMAIL_PATTERN.test(email)) throw new IdentityError('INVALID_EMAIL')
  // Converts the domain to ASCII, so that all spellings of an internationalised domain belong to one account.
  const at = email.lastIndexOf('@')
  const domain = domainToASCII(email.slice(at + 1))
  if (domain === '' || NUMERIC_HOST.test(domain)) throw new IdentityError('INVALID_EMAIL')
  return `${email.slice(0, at)}@${domain}`
}

/** The operations of the identity routes, without HTTP. */
export function createAccountService(deps: AccountServiceDeps) {
  const {
    accounts,
    logins,
    passwords,
    issueIdToken: issue,
    mailedCodeOf,
    verifyToken: verify,
    guardLogin: guard,
    mailer,
    nowMs,
    runInBackground,
  } = deps
  const tooMany = () => new IdentityError('TOO_MANY_ATTEMPTS_TRY_LATER')
  const signUps = createSlidingWindow({ windowMs: HOUR_MS, max: deps.signUpPerHour, nowMs })
  const mailsPerOwner = createSlidingWindow({ windowMs: HOUR_MS, max: MAILS_PER_ACCOUNT_MAX, nowMs })
  const mailsPerAccount = createSlidingWindow({ windowMs: HOUR_MS, max: MAILS_PER_ACCOUNT_MAX, nowMs })
  const mailsPerClient = createSlidingWindow({ windowMs: HOUR_MS, max: deps.mailPerHour, nowMs })
  const noticesPerAccount = createSlidingWindow({ windowMs: HOUR_MS, max: NOTICES_PER_ACCOUNT_MAX, nowMs })
  const mailsPerPair = createSlidingWindow({ windowMs: HOUR_MS, max: MAILS_PER_ACCOUNT_AND_CLIENT_MAX, nowMs })

  /**
   * Counts a mail before the account is looked up, so that the response does not disclose whether it exists. Clients that have logged in to the account
   * share a total of their own, which others cannot use up.
   */
  function countMail(clientId: string, email: string): void {
    const total = guard.isTrusted(clientId, email) ? mailsPerOwner : mailsPerAccount
    if (!mailsPerClient.take(clientId) || !mailsPerPair.take(`${clientId} ${email}`) || !total.take(email)) throw tooMany()
  }

  /** Returns the account of a valid identity token. @throws TokenError if the token has expired, IdentityError if it is invalid */
  async function accountOf(idToken: string): Promise<{ account: Account; authTimeMs: number }> {
    if (idToken === '') throw new IdentityError('MISSING_ID_TOKEN')
    const claims = await verify(idToken).catch((error: unknown) => {
      throw error instanceof TokenError && !error.expired ? new IdentityError('INVALID_ID_TOKEN') : error
    })
    const account = await logins.findAccount(claims.loginId ?? '')
    if (account?.uid !== claims.uid) {
      const isDeleted = (await accounts.findByUid(claims.uid)) === undefined
      throw new IdentityError(isDeleted ? 'USER_NOT_FOUND' : 'TOKEN_EXPIRED')
    }
    if (account.disabled) throw new IdentityError('USER_DISABLED')
    if (account.validAfterMs !== claims.validAfterMs) throw new IdentityError('TOKEN_EXPIRED')
    return { account, authTimeMs: claims.authTimeMs }
  }

  /** Returns a new login, as it is stored, and its first refresh token. */
  function newLogin({ device, network }: LoginPlace, authTimeMs: number) {
    const { familyId, token, hash } = newRefreshToken()
    return { login: { loginId: newLoginId(), familyId, tokenHash: hash, authTimeMs, device, network }, refreshToken: token }
  }

  async function recentAccountOf(idToken: string, maxAgeMs: number) {
    const foundAccount = await accountOf(idToken)
    if (foundAccount.authTimeMs < nowMs() - maxAgeMs) throw new IdentityError('CREDENTIAL_TOO_OLD_LOGIN_AGAIN')
    return foundAccount
  }

  async function mailCode(kind: CodeKind, account: Account, context: MailContext): Promise<void> {
    const { uid } = account
    const atMs = nowMs()
    const earlier = await accounts.codeOf(uid, kind)
    if (earlier !== undefined && earlier.expiresMs > atMs + CODE_LASTS_MS - CODE_REPEAT_MS) {
      const code = await mailedCodeOf(uid, kind, earlier.expiresMs)
      if (hashOf(code) === earlier.hash)
        return mailer.send(codeMail(kind, account, { text: code, expiresMs: earlier.expiresMs }, atMs, context))
    }
    const expiresMs = atMs + CODE_LASTS_MS
    const code = await mailedCodeOf(uid, kind, expiresMs)
    await accounts.replaceCode({ uid, kind, hash: hashOf(code), expiresMs, atMs })
    await mailer.send(codeMail(kind, account, { text: code, expiresMs }, atMs, context))
  }

  /**
   * Tells of a changed password. The address of an unconfirmed account may be somebody else's, so that the mail counts as one that the client has requested;
   * to a confirmed one it is sent whatever the client has requested before.
   */
  function mailPasswordChange(clientId: string, { email, emailVerified }: Pick<Account, 'email' | 'emailVerified'>, context: MailContext) {
    if (!noticesPerAccount.take(email) || !(emailVerified || mailsPerClient.take(clientId))) return
    runInBackground(() => mailer.send(passwordChangeMail(email, nowMs(), context)))
  }

  /** Returns the stored code of a mailed link. @throws IdentityError if the code is unknown, used or expired */
  async function usableCode(oobCode: string) {
    if (oobCode === '') throw new IdentityError('MISSING_OOB_CODE')
    const code = oobCode.length > CODE_MAX_LENGTH ? undefined : await accounts.findCode(hashOf(oobCode))
    if (code === undefined) throw new IdentityError('INVALID_OOB_CODE')
    if (code.expiresMs <= nowMs()) throw new IdentityError('EXPIRED_OOB_CODE')
    return code
  }

  return {
    async signUp(client: Client, givenEmail: string, password: string): Promise<LoginResult> {
      const email = normaliseEmail(givenEmail)
      if (password === '') throw new IdentityError('MISSING_PASSWORD')
      checkPolicy(password, email)
      if (!signUps.take(client.id)) throw tooMany()
      const passwordHash = await passwords.hash(client.id, password)
      const uid = newUid()
      const atMs = nowMs()
      const { login, refreshToken } = newLogin(client, atMs)
      const isCreated = await accounts.create({ uid, email, passwordHash, atMs }, login)
      if (!isCreated) throw new IdentityError('EMAIL_EXISTS')
      const account: Account = {
        uid,
        email,
        passwordHash,
        emailVerified: false,
        disabled: false,
        createdMs: atMs,
        lastLoginMs: atMs,
        validAfterMs: 0,
      }
      return { account, idToken: await issue(account, login), refreshToken }
    },

    async signIn(client: Client, givenEmail: string, password: string): Promise<LoginResult> {
      const email = normaliseEmail(givenEmail)
      if (password === '') throw new IdentityError('MISSING_PASSWORD')
      const account = await guard(client.id, email, async (queueLane) => {
        const foundAccount = await accounts.findByEmail(email)
        return (await passwords.matches(queueLane, foundAccount?.passwordHash, password)) ? foundAccount : undefined
      })
      if (account === undefined) throw new IdentityError('INVALID_LOGIN_CREDENTIALS')
      // The disabled state is disclosed only after the password was verified.
      if (account.disabled) throw new IdentityError('USER_DISABLED')
      const { login, refreshToken } = newLogin(client, nowMs())
      const isCurrent = await accounts.addLogin(account.uid, account.passwordHash, login)
      // The login fails if the password was changed, or the account deleted, during the verification.
      if (!isCurrent) throw new IdentityError('INVALID_LOGIN_CREDENTIALS')
      return { account, idToken: await issue(account, login), refreshToken }
    },

    lookup: async (idToken: string): Promise<Account> => (await accountOf(idToken)).account,

    async refresh({ device, network }: LoginPlace, refreshToken: string): Promise<LoginResult> {
      const presentedToken = readRefreshToken(refreshToken)
      if (presentedToken === undefined) throw new IdentityError('INVALID_REFRESH_TOKEN')
      const next = newRefreshToken(presentedToken.familyId)
      const rotatedLogin = await logins.rotate({
        familyId: presentedToken.familyId,
        presentedHash: presentedToken.hash,
        replacementHash: next.hash,
        atMs: nowMs(),
        graceMs: GRACE_MS,
        device,
        network,
      })
      if (rotatedLogin === undefined) throw new IdentityError('TOKEN_EXPIRED')
      const { account } = rotatedLogin
      if (account.disabled) throw new IdentityError('USER_DISABLED')
      return { account, idToken: await issue(account, rotatedLogin), refreshToken: next.token }
    },

    /** The mail is sent in the background, so that response and response time are the same whether or not the account exists. */
    async sendReset(clientId: string, givenEmail: string, context: MailContext): Promise<void> {
      const email = normaliseEmail(givenEmail)
      countMail(clientId, email)
      runInBackground(async () => {
        const account = await accounts.findByEmail(email)
        if (account !== undefined && !account.disabled) await mailCode('reset', account, context)
      })
    },

    async sendVerification(clientId: string, idToken: string, context: MailContext): Promise<string> {
      const { account } = await accountOf(idToken)
      countMail(clientId, account.email)
      if (!account.emailVerified) runInBackground(() => mailCode('verify', account, context))
      return account.email
    },

    usableCode,

    async resetPassword(clientId: string, oobCode: string, password: string, context: MailContext): Promise<string> {
      const code = await usableCode(oobCode)
      if (code.kind !== 'reset') throw new IdentityError('INVALID_OOB_CODE')
      // The new password is checked first, so that the code stays usable if the password violates the policy.
      checkPolicy(password, code.email)
      const passwordHash = await passwords.hash(code.uid, password)
      if (!(await accounts.resetPassword(hashOf(oobCode), passwordHash, nowMs()))) throw new IdentityError('INVALID_OOB_CODE')
      mailPasswordChange(clientId, { email: code.email, emailVerified: true }, context)
      return code.email
    },

    /**
     * Ends all logins of the account and returns a new one. The current password must have been entered in the last minute, for this change alone: the new
     * login is no proof of a password.
     */
    async changePassword(client: Client, idToken: string, password: string, context: MailContext): Promise<LoginResult> {
      const { account } = await recentAccountOf(idToken, PASSWORD_CHECK_MS)
      checkPolicy(password, account.email)
      const passwordHash = await passwords.hash(account.uid, password)
      const { login, refreshToken } = newLogin(client, 0)
      const atMs = nowMs()
      const isChanged = await accounts.setPassword(account.uid, account.passwordHash, passwordHash, atMs, login)
      // The change fails if another password was set, or the account deleted, during hashing.
      if (!isChanged) throw new IdentityError('TOKEN_EXPIRED')
      mailPasswordChange(client.id, account, context)
      return { account, idToken: await issue({ ...account, validAfterMs: atMs }, login), refreshToken }
    },

    async remove(idToken: string): Promise<void> {
      const { account } = await recentAccountOf(idToken, RECENT_LOGIN_MS)
      await accounts.remove(account.uid, nowMs())
    },
  }
}
export type AccountService = ReturnType<typeof createAccountService>
