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
import type { Site } from '../../contract/site.ts'
import { IdentityFailure, type PasswordAdvice, type PasswordRule, type Person } from './person.ts'
import { createTokenSync } from './token-sync.ts'

/** A token with less time left is renewed before it is sent. */
const RENEW_BEFORE_MS = 5 * 60_000
/** What the service asks for at least, where it tells no policy. */
const LEAST_LENGTH = 6
const NO_POLICY_FOR_MS = 30_000
/** Held while a token is renewed, so that one tab does it for all; a tab that holds it longer than this was put to sleep. */
const RENEW_LOCK = 'renew-token'
const TURN_WITHIN_MS = 5_000

/** Codes that say that the session is over, whatever else they say. */
const OVER = new Set(['user-token-expired', 'user-disabled', 'user-not-found', 'invalid-user-token', 'invalid-refresh-token'])

/** What services say of a password that does not belong to the address. */
const WRONG_PASSWORD = new Set(['invalid-credential', 'wrong-password', 'invalid-login-credentials'])

interface FirebaseAuthDeps {
  /** Which project keeps the accounts, and who else is told the token. */
  site: Pick<Site, 'firebase' | 'token_sync_url'>
  /** Whether somebody was signed in on the last visit. */
  wasSignedIn: boolean
  offline: () => boolean
  onPerson: (person: Person | undefined) => void
  /** Lets this site forget a session, as far as it can be reached. A Firebase project has no such call. */
  endSession: (refreshToken: string) => void
}

/** The SDK, with what the page needs of it: in promises that reject with an `IdentityFailure`. */
export type FirebaseAuth = ReturnType<typeof openFirebaseAuth>

export function openFirebaseAuth({ site: { firebase, token_sync_url }, wasSignedIn, offline, onPerson, endSession }: FirebaseAuthDeps) {
  const auth = begin(firebase, '[DEFAULT]', browserLocalPersistence)
  const sync = token_sync_url === undefined ? undefined : createTokenSync({ url: token_sync_url })
  let hadToken = wasSignedIn
  let noPolicyUntilMs = 0

  onIdTokenChanged(auth, (user) => {
    onPerson(personOf(user))
    if (!sync) return
    if (!user && hadToken) sync.tell(undefined)
    hadToken = user !== null
    // One that could not be had is told once it can.
    user?.getIdToken().then(sync.tell, () => {})
  })

  /** The signed-in account, once the SDK has read it. */
  async function current(): Promise<User> {
    await auth.authStateReady()
    if (!auth.currentUser) throw new IdentityFailure('user-token-expired')
    return auth.currentUser
  }

  async function renewed(user: User): Promise<string> {
    // The session stays as it is: nothing is said about it as long as there is no way to ask.
    if (offline()) throw new IdentityFailure('network-request-failed')
    try {
      return await user.getIdToken(true)
    } catch (error) {
      if (isOver(error)) await signOut(auth)
      throw error
    }
  }

  const withAccount = <A extends unknown[], T>(work: (user: User, ...given: A) => Promise<T>) =>
    failing(async (...given: A) => work(await current(), ...given))

  async function confirm(user: User, password: string) {
    try {
      await reauthenticateWithCredential(user, EmailAuthProvider.credential(user.email ?? '', password))
    } catch (error) {
      // Whose account it is, is known: only the password can be wrong.
      if (WRONG_PASSWORD.has(codeOf(error))) throw new IdentityFailure('wrong-current-password', { cause: error })
      throw error
    }
  }

  return {
    /** Makes an account, and signs nobody in. */
    signUp: failing(async (email: string, password: string) => {
      // Beside the session, which no tab sees change by it.
      const beside = begin(firebase, 'sign-up', inMemoryPersistence)
      try {
        await createUserWithEmailAndPassword(beside, email, password)
      } finally {
        await deleteApp(beside.app)
      }
    }),
    logIn: failing(async (email: string, password: string) => {
      await signInWithEmailAndPassword(auth, email, password)
    }),
    signOut: failing(async () => {
      const refreshToken = auth.currentUser?.refreshToken
      await signOut(auth)
      if (refreshToken !== undefined && !firebase) endSession(refreshToken)
    }),
    sendReset: failing((email: string) => sendPasswordResetEmail(auth, email)),
    /** Gives the address whose password the code can set. */
    checkResetCode: failing(async (code: string) => verifyPasswordResetCode(auth, whole(code))),
    /** Sets the password of the account of `email`, and signs it out here if it is signed in. */
    resetPassword: failing(async (code: string, email: string, password: string) => {
      await confirmPasswordReset(auth, code, password)
      if (auth.currentUser?.email?.toLowerCase() === email.toLowerCase()) await signOut(auth)
    }),
    sendVerification: withAccount((user) => sendEmailVerification(user)),
    verifyEmail: failing(async (code: string) => {
      await applyActionCode(auth, whole(code))
      await auth.authStateReady()
      await auth.currentUser?.reload()
      onPerson(personOf(auth.currentUser))
    }),
    changePassword: withAccount(async (user, given: string, next: string) => {
      await confirm(user, given)
      await updatePassword(user, next)
    }),
    /** Gives the password once more, which the next few minutes need. */
    reauthenticate: withAccount(async (user, password: string) => {
      await confirm(user, password)
    }),
    /** Removes the account itself, once its data is gone; one that this site keeps went with the data. */
    remove: withAccount(async (user) => {
      if (firebase) await deleteUser(user)
    }),

    /** What is wanted of a password, and what of it is there. */
    advise: failing(async (password: string): Promise<PasswordAdvice> => {
      const status = performance.now() < noPolicyUntilMs ? undefined : await validatePassword(auth, password).catch(() => undefined)
      if (!status) {
        // Not asked for again at each letter.
        if (performance.now() >= noPolicyUntilMs) noPolicyUntilMs = performance.now() + NO_POLICY_FOR_MS
        const met = password.length >= LEAST_LENGTH
        return { rules: [{ rule: 'length', met }], minLength: LEAST_LENGTH }
      }
      const asked: [PasswordRule, boolean | undefined][] = [
        ['length', status.meetsMinPasswordLength],
        ['max-length', status.meetsMaxPasswordLength],
        ['lowercase', status.containsLowercaseLetter],
        ['uppercase', status.containsUppercaseLetter],
        ['digit', status.containsNumericCharacter],
        ['sign', status.containsNonAlphanumericCharacter],
      ]
      return {
        rules: asked.flatMap(([rule, met]) => (met === undefined ? [] : [{ rule, met }])),
        minLength: status.passwordPolicy.customStrengthOptions.minPasswordLength ?? LEAST_LENGTH,
        maxLength: status.passwordPolicy.customStrengthOptions.maxPasswordLength,
      }
    }),

    /** As `Identity.token`. */
    token: failing(async (refused?: string): Promise<string | undefined> => {
      await auth.authStateReady()
      const user = auth.currentUser
      if (!user) return undefined
      const stale = async () => leftMs(user) < RENEW_BEFORE_MS || (refused !== undefined && (await user.getIdToken()) === refused)
      if (!(await stale())) return user.getIdToken()
      // Another tab may have renewed it while this one waited for its turn.
      return inTurn(async () => ((await stale()) ? renewed(user) : user.getIdToken()))
    }),
  }
}

function begin(firebase: Site['firebase'], name: string, persistence: Persistence): Auth {
  const options = firebase
    ? { apiKey: firebase.api_key, authDomain: firebase.auth_domain, projectId: firebase.project_id }
    : // This origin takes any key; it names what the SDK keeps.
      { apiKey: 'embedded' }
  // No pop-ups and redirects: they would bring frames and scripts of others.
  const auth = initializeAuth(initializeApp(options, name), { persistence })
  if (!firebase) connectAuthEmulator(auth, location.origin, { disableWarnings: true })
  return auth
}

/** A link that lost its code on the way is answered as any that cannot be used. */
function whole(code: string): string {
  if (code === '') throw new IdentityFailure('invalid-action-code')
  return code
}

const personOf = (user: User | null): Person | undefined =>
  user ? { uid: user.uid, email: user.email ?? '', emailVerified: user.emailVerified } : undefined

/**
 * How long the token is good, by the clock that it was received by: a clock that is wrong all the time changes nothing. The SDK tells it
 * only as part of the account's JSON.
 */
function leftMs(user: User): number {
  const { stsTokenManager } = user.toJSON() as { stsTokenManager?: { expirationTime?: unknown } }
  const endsMs = stsTokenManager?.expirationTime
  return typeof endsMs === 'number' ? endsMs - Date.now() : 0
}

const codeOf = (error: unknown): string =>
  error instanceof IdentityFailure ? error.code : error instanceof FirebaseError ? error.code.replace(/^auth\//, '') : 'internal-error'

const isOver = (error: unknown) => OVER.has(codeOf(error))

/** `work`, whose failures are of one kind. */
function failing<A extends unknown[], T>(work: (...given: A) => Promise<T>): (...given: A) => Promise<T> {
  return async (...given) => {
    try {
      return await work(...given)
    } catch (error) {
      if (error instanceof IdentityFailure) throw error
      throw new IdentityFailure(codeOf(error), { cause: error })
    }
  }
}

/** One tab after the other, where the browser can tell; else at once, which the service forgives for some seconds. */
async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (!('locks' in navigator)) return work()
  let begun = false
  const begin = () => {
    begun = true
    return work()
  }
  try {
    return await navigator.locks.request(RENEW_LOCK, { signal: AbortSignal.timeout(TURN_WITHIN_MS) }, begin)
  } catch (error) {
    if (begun) throw error
    return work()
  }
}
