import { deleteApp, FirebaseError, initializeApp } from 'firebase/app'
import {
  type Auth,
  applyActionCode,
  browserLocalPersistence,
  confirmPasswordReset,
  connectAuthEmulator,
  createUserWithEmailAndPassword,
  deleteUser,
  EmailAuthProvider,
  initializeAuth,
  inMemoryPersistence,
  onIdTokenChanged,
  type Persistence,
  reauthenticateWithCredential,
  sendEmailVerification,
  sendPasswordResetEmail,
  signInWithEmailAndPassword,
  signOut,
  type User,
  updatePassword,
  validatePassword,
  verifyPasswordResetCode,
} from 'firebase/auth'
import { PASSWORD_MIN_LENGTH } from '../../contract/form-rules.ts'
import type { Site } from '../../contract/site.ts'
import { IdentityFailure, type PasswordPolicyCheck, type PasswordRule, type SignedInAccount } from './identity-types.ts'

/** The remaining lifetime in milliseconds below which a token is renewed before it is sent. */
const RENEW_BEFORE_EXPIRY_MS = 5 * 60_000
/** The time in milliseconds for which the password policy is not requested again after a failed request. */
const PASSWORD_POLICY_RETRY_MS = 30_000
/** Name of the Web Lock that is held while a token is renewed, so that one tab renews the token for all. */
const RENEW_LOCK = 'renew-token'
/** The time in milliseconds after which a tab that still holds the renewal lock is assumed to be suspended. */
const LOCK_TIMEOUT_MS = 5_000

/** Error codes after which the login is no longer valid. */
const LOGIN_ENDED_CODES = new Set(['user-token-expired', 'user-disabled', 'user-not-found', 'invalid-user-token', 'invalid-refresh-token'])

/** Error codes for a password that does not match the email address. */
const WRONG_PASSWORD_CODES = new Set(['invalid-credential', 'wrong-password', 'invalid-login-credentials'])

/**
 * Refuses a new password that is shorter than the site's own minimum, even if the service would accept it: a Firebase project without a policy
 * accepts six characters.
 * @throws IdentityFailure `password-does-not-meet-requirements`
 */
function requireLongEnough(newPassword: string): void {
  if ([...newPassword].length < PASSWORD_MIN_LENGTH) throw new IdentityFailure('password-does-not-meet-requirements')
}

interface FirebaseAuthDeps {
  /** The settings of the Firebase project, absent if this site stores the accounts. */
  site: Pick<Site, 'firebase'>
  offline: () => boolean
  onPerson: (person: SignedInAccount | undefined) => void
  /** Receives each new token of the signed-in account, and `undefined` when nobody is signed in. */
  onToken?: ((token: string | undefined) => void) | undefined
  /** Revokes the refresh token on this site, if the site can be reached. A Firebase project has no such endpoint. */
  endSession: (refreshToken: string) => void
}

/** The account operations of the SDK. All promises reject with an `IdentityFailure`. */
export type FirebaseAuth = ReturnType<typeof openFirebaseAuth>

export function openFirebaseAuth({ site: { firebase }, offline, onPerson, onToken, endSession }: FirebaseAuthDeps) {
  const firebaseAuth = initAuth(firebase, '[DEFAULT]', browserLocalPersistence)
  let policyRetryAtMs = 0

  onIdTokenChanged(firebaseAuth, (user) => {
    onPerson(toSignedInAccount(user))
    if (!onToken) return
    if (!user) onToken(undefined)
    // A failure to load the token is ignored, because the next renewed token is reported anyway.
    user?.getIdToken().then(onToken, () => {})
  })

  /** Returns the signed-in account once the SDK has restored it. */
  async function requireUser(): Promise<User> {
    await firebaseAuth.authStateReady()
    if (!firebaseAuth.currentUser) throw new IdentityFailure('user-token-expired')
    return firebaseAuth.currentUser
  }

  async function renewToken(user: User): Promise<string> {
    // While the site is unreachable, the token is not renewed and the login stays valid.
    if (offline()) throw new IdentityFailure('network-request-failed')
    try {
      return await user.getIdToken(true)
    } catch (error) {
      if (isLoginEnded(error)) await signOut(firebaseAuth)
      throw error
    }
  }

  /** Like `mapErrors`, but passes the signed-in account to `work` as the first argument. */
  const withAccount = <A extends unknown[], T>(work: (user: User, ...givenArgs: A) => Promise<T>) =>
    mapErrors(async (...givenArgs: A) => work(await requireUser(), ...givenArgs))

  /** Revokes a refresh token that the SDK does not use any more. */
  function endLogin(refreshToken: string | undefined) {
    if (refreshToken !== undefined && !firebase) endSession(refreshToken)
  }

  async function confirmPassword(user: User, password: string) {
    const { refreshToken: earlierToken } = user
    try {
      await reauthenticateWithCredential(user, EmailAuthProvider.credential(user.email ?? '', password))
    } catch (error) {
      // The account is already signed in, so an error about the credentials means that the password is wrong.
      if (WRONG_PASSWORD_CODES.has(readErrorCode(error))) throw new IdentityFailure('wrong-current-password', { cause: error })
      throw error
    }
    // When a password is confirmed, the service issues a second login, which replaces the current login.
    if (user.refreshToken !== earlierToken) endLogin(earlierToken)
  }

  return {
    /**
     * Creates an account without signing in, and requests the email that confirms its address. A person can request this email again on the
     * dashboard.
     */
    signUp: mapErrors(async (email: string, password: string) => {
      requireLongEnough(password)
      // The account is created in a second, in-memory app of the SDK, so that the login of this browser's tabs does not change.
      const signUpAuth = initAuth(firebase, 'sign-up', inMemoryPersistence)
      try {
        const { user } = await createUserWithEmailAndPassword(signUpAuth, email, password)
        await sendEmailVerification(user).catch(() => undefined)
        endLogin(signUpAuth.currentUser?.refreshToken)
      } finally {
        await deleteApp(signUpAuth.app)
      }
    }),
    logIn: mapErrors(async (email: string, password: string) => {
      await signInWithEmailAndPassword(firebaseAuth, email, password)
    }),
    signOut: mapErrors(async () => {
      const refreshToken = firebaseAuth.currentUser?.refreshToken
      await signOut(firebaseAuth)
      endLogin(refreshToken)
    }),
    sendReset: mapErrors((email: string) => sendPasswordResetEmail(firebaseAuth, email)),
    /** Returns the email address of the account whose password the code can reset. */
    checkResetCode: mapErrors(async (code: string) => verifyPasswordResetCode(firebaseAuth, requireCode(code))),
    /** Resets the password of the account with the email address `email`, and signs that account out if it is signed in on this device. */
    resetPassword: mapErrors(async (actionCode: string, email: string, password: string) => {
      requireLongEnough(password)
      await confirmPasswordReset(firebaseAuth, actionCode, password)
      if (firebaseAuth.currentUser?.email?.toLowerCase() === email.toLowerCase()) await signOut(firebaseAuth)
    }),
    sendVerification: withAccount((user) => sendEmailVerification(user)),
    /** Confirms the email address of an account that is stored in a Firebase project. */
    verifyEmail: mapErrors(async (code: string) => {
      await applyActionCode(firebaseAuth, requireCode(code))
    }),
    /** Reads the account again, for instance because its address was confirmed. */
    reload: mapErrors(async () => {
      await firebaseAuth.authStateReady()
      await firebaseAuth.currentUser?.reload()
      onPerson(toSignedInAccount(firebaseAuth.currentUser))
    }),
    changePassword: withAccount(async (user, currentPassword: string, newPassword: string) => {
      requireLongEnough(newPassword)
      await confirmPassword(user, currentPassword)
      await updatePassword(user, newPassword)
    }),
    /** Confirms the password by signing in again with it. Sensitive operations require that this was done in the last few minutes. */
    reauthenticate: withAccount(async (user, password: string) => {
      await confirmPassword(user, password)
    }),
    /**
     * Deletes an account that a Firebase project stores, after the account's data was deleted. An account that this site stores was deleted
     * with its data.
     */
    remove: withAccount(async (user) => {
      if (firebase) await deleteUser(user)
    }),

    /** Checks a password against the service's policy. */
    advise: mapErrors(async (password: string): Promise<PasswordPolicyCheck> => {
      const policyStatus =
        performance.now() < policyRetryAtMs ? undefined : await validatePassword(firebaseAuth, password).catch(() => undefined)
      if (!policyStatus) {
        // Records the failure of the request for some time, so that not every keystroke sends another request.
        if (performance.now() >= policyRetryAtMs) policyRetryAtMs = performance.now() + PASSWORD_POLICY_RETRY_MS
        const isLongEnough = password.length >= PASSWORD_MIN_LENGTH
        return { rules: [{ rule: 'length', met: isLongEnough }], minLength: PASSWORD_MIN_LENGTH }
      }
      const ruleResults: [PasswordRule, boolean | undefined][] = [
        ['length', policyStatus.meetsMinPasswordLength],
        ['max-length', policyStatus.meetsMaxPasswordLength],
        ['lowercase', policyStatus.containsLowercaseLetter],
        ['uppercase', policyStatus.containsUppercaseLetter],
        ['digit', policyStatus.containsNumericCharacter],
        ['sign', policyStatus.containsNonAlphanumericCharacter],
      ]
      return {
        rules: ruleResults.flatMap(([rule, met]) => (met === undefined ? [] : [{ rule, met }])),
        minLength: policyStatus.passwordPolicy.customStrengthOptions.minPasswordLength ?? PASSWORD_MIN_LENGTH,
        maxLength: policyStatus.passwordPolicy.customStrengthOptions.maxPasswordLength,
      }
    }),

    /** Returns a valid identity token, renewed if it expires soon or was refused. */
    token: mapErrors(async (refusedToken?: string): Promise<string | undefined> => {
      await firebaseAuth.authStateReady()
      const currentUser = firebaseAuth.currentUser
      if (!currentUser) return undefined
      const isUserStale = async () =>
        computeRemainingMs(currentUser) < RENEW_BEFORE_EXPIRY_MS ||
        (refusedToken !== undefined && (await currentUser.getIdToken()) === refusedToken)
      if (!(await isUserStale())) return currentUser.getIdToken()
      // Reads the stored login again, because another tab can have renewed the token while this tab waited for the lock.
      return withTabLock(async () => ((await isUserStale()) ? renewToken(currentUser) : currentUser.getIdToken()))
    }),
  }
}

function initAuth(firebase: Site['firebase'], appName: string, persistence: Persistence): Auth {
  const firebaseOptions = firebase
    ? { apiKey: firebase.api_key, authDomain: firebase.auth_domain, projectId: firebase.project_id }
    : // The identity service of this site accepts any API key. The SDK uses the key in the names of its storage keys.
      { apiKey: 'embedded' }
  // The SDK is initialized without a resolver for pop-ups and redirects, because the resolver would load third-party frames and scripts.
  const auth = initializeAuth(initializeApp(firebaseOptions, appName), { persistence })
  if (!firebase) connectAuthEmulator(auth, location.origin, { disableWarnings: true })
  return auth
}

/** Throws for an empty code, since a link without its code is as invalid as a used one. */
function requireCode(actionCode: string): string {
  if (actionCode === '') throw new IdentityFailure('invalid-action-code')
  return actionCode
}

const toSignedInAccount = (user: User | null): SignedInAccount | undefined =>
  user ? { uid: user.uid, email: user.email ?? '', emailVerified: user.emailVerified } : undefined

/**
 * Returns how long the token is valid, by the device's clock at its receipt, so that a constant clock error cancels out. The SDK exposes the
 * expiration time only in the account's JSON.
 */
function computeRemainingMs(user: User): number {
  const { stsTokenManager } = user.toJSON() as { stsTokenManager?: { expirationTime?: unknown } }
  const expiresMs = stsTokenManager?.expirationTime
  return typeof expiresMs === 'number' ? expiresMs - Date.now() : 0
}

const readErrorCode = (error: unknown): string =>
  error instanceof IdentityFailure ? error.code : error instanceof FirebaseError ? error.code.replace(/^auth\//, '') : 'internal-error'

const isLoginEnded = (error: unknown) => LOGIN_ENDED_CODES.has(readErrorCode(error))

/** Runs `work` and maps every error to an `IdentityFailure`. */
function mapErrors<A extends unknown[], T>(work: (...givenArgs: A) => Promise<T>): (...givenArgs: A) => Promise<T> {
  return async (...givenArgs) => {
    try {
      return await work(...givenArgs)
    } catch (error) {
      if (error instanceof IdentityFailure) throw error
      throw new IdentityFailure(readErrorCode(error), { cause: error })
    }
  }
}

/**
 * Runs `work` in one tab at a time, by a Web Lock. Without Web Locks, or after a timeout, `work` runs immediately: the service accepts a refresh
 * token twice within some seconds.
 */
async function withTabLock<T>(work: () => Promise<T>): Promise<T> {
  if (!('locks' in navigator)) return work()
  let hasTabLock = false
  const workWithLock = () => {
    hasTabLock = true
    return work()
  }
  try {
    return await navigator.locks.request(RENEW_LOCK, { signal: AbortSignal.timeout(LOCK_TIMEOUT_MS) }, workWithLock)
  } catch (error) {
    if (hasTabLock) throw error
    return work()
  }
}
