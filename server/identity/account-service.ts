import { HOUR_MS } from '../durations.ts'
import type { AttemptStore } from '../http/store-attempts.ts'
import type { Mailer } from '../mail/mailer.ts'
import { createAccountMailer } from './account-mailer.ts'
import type { MailContext } from './account-mails.ts'
import { normaliseEmail } from './email-address.ts'
import type { IssueIdToken } from './id-tokens.ts'
import { IdentityError } from './identity-error.ts'
import type { LoginGuard } from './login-guard.ts'
import type { DeriveMailedCode } from './mailed-codes.ts'
import { checkPasswordPolicy, type PasswordHasher } from './passwords.ts'
import { createLoginId, createRefreshToken, createUid, hashSecret, parseRefreshToken } from './secrets.ts'
import type { Account } from './store-account-rows.ts'
import type { AccountStore } from './store-accounts.ts'
import type { LoginPlace, LoginStore } from './store-logins.ts'
import { createTokenAccountFinder } from './token-accounts.ts'
import type { VerifyToken } from './token-verifier.ts'

/** The time in milliseconds for which a rotated refresh token may be used again. */
const REFRESH_GRACE_MS = 10_000
/** An account can be deleted only within this time after the user has entered the password. */
const RECENT_LOGIN_MAX_AGE_MS = 5 * 60_000
/** A password can be changed only within this time after the user has entered the current one, which clients request right before the change. */
const PASSWORD_CHECK_MAX_AGE_MS = 60_000
const MAILED_CODE_MAX_LENGTH = 200

/** The account and its new tokens after a successful login. */
export interface LoginResult {
  account: Account
  idToken: string
  refreshToken: string
}

/** The client that sent a request. */
export interface RequestClient extends LoginPlace {
  /** A hash of the client's network (`http/client-id.ts`). */
  id: string
}

interface AccountServiceDeps {
  accounts: AccountStore
  logins: LoginStore
  attempts: AttemptStore
  passwords: PasswordHasher
  issueIdToken: IssueIdToken
  deriveMailedCode: DeriveMailedCode
  verifyToken: VerifyToken
  guardLogin: LoginGuard
  mailer: Mailer
  signUpPerHour: number
  mailPerHour: number
  nowMs: () => number
  /** Runs work in the background after a random delay, and logs its failure. */
  runInBackground: (work: () => Promise<void>) => void
}

/** The operations of the identity routes, without HTTP. */
export function createAccountService(deps: AccountServiceDeps) {
  const { accounts, logins, attempts, passwords, issueIdToken: issueToken, guardLogin: guardAttempt, nowMs, runInBackground } = deps
  const { countMail, mailCode, mailPasswordChange } = createAccountMailer(deps)
  const { accountOf, recentAccountOf } = createTokenAccountFinder(deps)

  /** Creates the row of a new login, and its first refresh token. */
  function createLogin({ device, network }: LoginPlace, authTimeMs: number) {
    const { familyId, token, hash } = createRefreshToken()
    return { login: { loginId: createLoginId(), familyId, tokenHash: hash, authTimeMs, device, network }, refreshToken: token }
  }

  /** Returns the stored code of a mailed link. @throws IdentityError if the code is unknown, used or expired */
  async function findUsableCode(oobCode: string) {
    if (oobCode === '') throw new IdentityError('MISSING_OOB_CODE')
    const accountCode = oobCode.length > MAILED_CODE_MAX_LENGTH ? undefined : await accounts.findCode(hashSecret(oobCode))
    if (accountCode === undefined) throw new IdentityError('INVALID_OOB_CODE')
    if (accountCode.expiresMs <= nowMs()) throw new IdentityError('EXPIRED_OOB_CODE')
    return accountCode
  }

  return {
    async signUp(client: RequestClient, givenEmail: string, password: string): Promise<LoginResult> {
      const email = normaliseEmail(givenEmail)
      if (password === '') throw new IdentityError('MISSING_PASSWORD')
      checkPasswordPolicy(password, email)
      const signUpLimit = { key: `sign-up ${client.id}`, max: deps.signUpPerHour, windowMs: HOUR_MS }
      if ((await attempts.take([signUpLimit], nowMs())) === undefined) throw new IdentityError('TOO_MANY_ATTEMPTS_TRY_LATER')
      const passwordHash = await passwords.hash(client.id, password)
      const uid = createUid()
      const atMs = nowMs()
      const { login, refreshToken } = createLogin(client, atMs)
      const isAccountCreated = await accounts.create({ uid, email, passwordHash, atMs }, login)
      if (!isAccountCreated) throw new IdentityError('EMAIL_EXISTS')
      const createdAccount: Account = {
        uid,
        email,
        passwordHash,
        emailVerified: false,
        disabled: false,
        createdMs: atMs,
        lastLoginMs: atMs,
        validAfterMs: 0,
      }
      return { account: createdAccount, idToken: await issueToken(createdAccount, login), refreshToken }
    },

    async signIn(client: RequestClient, givenEmail: string, password: string): Promise<LoginResult> {
      const email = normaliseEmail(givenEmail)
      if (password === '') throw new IdentityError('MISSING_PASSWORD')
      const newAccount = await guardAttempt(client.id, email, async (queueLane) => {
        const foundAccount = await accounts.findByEmail(email)
        return (await passwords.matches(queueLane, foundAccount?.passwordHash, password)) ? foundAccount : undefined
      })
      if (newAccount === undefined) throw new IdentityError('INVALID_LOGIN_CREDENTIALS')
      // The disabled state is disclosed only after the password was verified.
      if (newAccount.disabled) throw new IdentityError('USER_DISABLED')
      const { login, refreshToken } = createLogin(client, nowMs())
      const isPasswordCurrent = await accounts.addLogin(newAccount.uid, newAccount.passwordHash, login)
      // The login fails if the password was changed, or the account deleted, during the verification.
      if (!isPasswordCurrent) throw new IdentityError('INVALID_LOGIN_CREDENTIALS')
      return { account: newAccount, idToken: await issueToken(newAccount, login), refreshToken }
    },

    lookup: async (idToken: string): Promise<Account> => (await accountOf(idToken)).account,

    async refresh({ device, network }: LoginPlace, refreshToken: string): Promise<LoginResult> {
      const presentedToken = parseRefreshToken(refreshToken)
      if (presentedToken === undefined) throw new IdentityError('INVALID_REFRESH_TOKEN')
      const nextToken = createRefreshToken(presentedToken.familyId)
      const rotatedLogin = await logins.rotate({
        familyId: presentedToken.familyId,
        presentedHash: presentedToken.hash,
        replacementHash: nextToken.hash,
        atMs: nowMs(),
        graceMs: REFRESH_GRACE_MS,
        device,
        network,
      })
      if (rotatedLogin === undefined) throw new IdentityError('TOKEN_EXPIRED')
      const { account } = rotatedLogin
      if (account.disabled) throw new IdentityError('USER_DISABLED')
      return { account, idToken: await issueToken(account, rotatedLogin), refreshToken: nextToken.token }
    },

    /** The mail is sent in the background, so that response and response time are the same whether or not the account exists. */
    async sendReset(clientId: string, givenEmail: string, context: MailContext): Promise<void> {
      const email = normaliseEmail(givenEmail)
      await countMail(clientId, email)
      runInBackground(async () => {
        const account = await accounts.findByEmail(email)
        if (account !== undefined && !account.disabled) await mailCode('reset', account, context)
      })
    },

    async sendVerification(clientId: string, idToken: string, context: MailContext): Promise<string> {
      const { account } = await accountOf(idToken)
      await countMail(clientId, account.email)
      if (!account.emailVerified) runInBackground(() => mailCode('verify', account, context))
      return account.email
    },

    usableCode: findUsableCode,

    async resetPassword(clientId: string, oobCode: string, password: string, context: MailContext): Promise<string> {
      const code = await findUsableCode(oobCode)
      if (code.kind !== 'reset') throw new IdentityError('INVALID_OOB_CODE')
      // The new password is checked first, so that the code stays usable if the password violates the policy.
      checkPasswordPolicy(password, code.email)
      const passwordHash = await passwords.hash(code.uid, password)
      if (!(await accounts.resetPassword(hashSecret(oobCode), passwordHash, nowMs()))) throw new IdentityError('INVALID_OOB_CODE')
      mailPasswordChange(clientId, { email: code.email, emailVerified: true }, context)
      return code.email
    },

    /**
     * Changes the password, ends all logins of the account and returns a new one. The current password must have been entered in the last minute. The
     * new login does not count as one with an entered password, so that it permits no further change of the password.
     */
    async changePassword(client: RequestClient, idToken: string, password: string, context: MailContext): Promise<LoginResult> {
      const { account } = await recentAccountOf(idToken, PASSWORD_CHECK_MAX_AGE_MS)
      checkPasswordPolicy(password, account.email)
      const passwordHash = await passwords.hash(account.uid, password)
      const { login, refreshToken } = createLogin(client, 0)
      const atMs = nowMs()
      const isPasswordChanged = await accounts.setPassword(account.uid, account.passwordHash, passwordHash, atMs, login)
      // The change fails if another password was set, or the account deleted, during hashing.
      if (!isPasswordChanged) throw new IdentityError('TOKEN_EXPIRED')
      mailPasswordChange(client.id, account, context)
      return { account, idToken: await issueToken({ ...account, validAfterMs: atMs }, login), refreshToken }
    },

    async remove(idToken: string): Promise<void> {
      const { account } = await recentAccountOf(idToken, RECENT_LOGIN_MAX_AGE_MS)
      await accounts.remove(account.uid, nowMs())
    },
  }
}
export type AccountService = ReturnType<typeof createAccountService>
