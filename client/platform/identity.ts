import type { Site } from '../../contract/site.ts'
import type { FirebaseAuth } from './firebase-auth.ts'
import { IdentityFailure, type PasswordAdvice, type Person } from './person.ts'

/**
 * Accounts, as the page sees them. Who is signed in is known at once, with or without a network; the SDK is fetched when the page is idle
 * or first needs it. All promises reject with an `IdentityFailure`.
 */
export interface Identity {
  getSnapshot(): Person | undefined
  subscribe(listener: () => void): () => void
  /** Makes an account, and signs nobody in. */
  signUp(email: string, password: string): Promise<void>
  logIn(email: string, password: string): Promise<void>
  /** Works without a network. */
  signOut(): Promise<void>
  sendReset(email: string): Promise<void>
  /** Gives the address whose password the code can set. */
  checkResetCode(code: string): Promise<string>
  /** Sets the password, and signs the account out here if it is signed in. */
  resetPassword(code: string, email: string, password: string): Promise<void>
  sendVerification(): Promise<void>
  verifyEmail(code: string): Promise<void>
  changePassword(current: string, next: string): Promise<void>
  /** Gives the password once more, which the next few minutes need. */
  reauthenticate(password: string): Promise<void>
  /** Removes the account itself, once its data is gone, and signs out. */
  remove(): Promise<void>
  advise(password: string): Promise<PasswordAdvice>
  /**
   * A token to send, good for five minutes at least; `undefined` where nobody is signed in. `refused`: one that the site has not
   * taken, so that it is renewed unless that has happened already.
   */
  token(refused?: string): Promise<string | undefined>
  /** Fetches the SDK ahead, where a form will need it. */
  prepare(): void
}

interface IdentityDeps {
  site: Pick<Site, 'firebase'>
  /** Whether asking the network is known to be in vain: then no token is renewed. */
  offline: () => boolean
  /** Told the token whenever it changes; `undefined` once nobody is signed in. */
  onToken?: ((token: string | undefined) => void) | undefined
  page?: Window
}

/** In the same storage as the SDK's own session, so that neither is there without the other. */
const PERSON_KEY = 'signed-in'
/** How the SDK names what it keeps of a session. */
const SDK_KEYS = /^firebase:authUser:/

export function createIdentity({ site, offline, onToken, page = window }: IdentityDeps): Identity {
  const listeners = new Set<() => void>()
  let person = readPerson(page)
  let loading: Promise<FirebaseAuth> | undefined

  function show(next: Person | undefined) {
    if (samePerson(person, next)) return
    person = next
    for (const listener of [...listeners]) listener()
  }

  function load(): Promise<FirebaseAuth> {
    loading ??= import('./firebase-auth.ts')
      .then(({ openFirebaseAuth }) =>
        openFirebaseAuth({
          firebase: site.firebase,
          offline,
          onPerson(next) {
            keepPerson(page, next)
            show(next)
          },
          onToken,
        }),
      )
      .catch((cause: unknown) => {
        // Asked for again the next time.
        loading = undefined
        throw cause instanceof IdentityFailure ? cause : new IdentityFailure('network-request-failed', { cause })
      })
    return loading
  }

  // Another tab signs in or out: this one agrees, whether or not it has fetched the SDK.
  page.addEventListener('storage', ({ key }) => {
    if (key === PERSON_KEY || key === null) show(readPerson(page))
  })
  // A page that was frozen has heard of nothing.
  page.addEventListener('pageshow', ({ persisted }) => {
    if (!persisted) return
    const now = readPerson(page)
    if (loading && now?.uid !== person?.uid) page.location.reload()
    else show(now)
  })

  return {
    getSnapshot: () => person,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    signUp: async (email, password) => (await load()).signUp(email, password),
    logIn: async (email, password) => (await load()).logIn(email, password),
    async signOut() {
      try {
        await (await load()).signOut()
      } catch {
        // Without the SDK its session is removed all the same.
        for (const key of Object.keys(page.localStorage)) if (SDK_KEYS.test(key)) page.localStorage.removeItem(key)
      }
      keepPerson(page, undefined)
      show(undefined)
    },
    sendReset: async (email) => (await load()).sendReset(email),
    checkResetCode: async (code) => (await load()).checkResetCode(whole(code)),
    async resetPassword(code, email, password) {
      await (await load()).resetPassword(code, password)
      if (person?.email.toLowerCase() === email.toLowerCase()) await this.signOut()
    },
    sendVerification: async () => (await load()).sendVerification(),
    verifyEmail: async (code) => (await load()).verifyEmail(whole(code)),
    changePassword: async (current, next) => (await load()).changePassword(current, next),
    reauthenticate: async (password) => (await load()).reauthenticate(password),
    async remove() {
      await (await load()).remove()
      await this.signOut()
    },
    advise: async (password) => (await load()).advise(password),
    token: async (refused) => (person === undefined ? undefined : (await load()).token(refused)),
    prepare() {
      load().catch(() => {
        // Said by what needs it.
      })
    },
  }
}

/** A link that lost its code on the way is answered as any that cannot be used. */
function whole(code: string): string {
  if (code === '') throw new IdentityFailure('invalid-action-code')
  return code
}

const samePerson = (a: Person | undefined, b: Person | undefined) =>
  a === b || (a?.uid === b?.uid && a?.email === b?.email && a?.emailVerified === b?.emailVerified)

function readPerson(page: Window): Person | undefined {
  try {
    const kept: unknown = JSON.parse(page.localStorage.getItem(PERSON_KEY) ?? 'null')
    if (typeof kept !== 'object' || kept === null || !('uid' in kept) || !('email' in kept)) return undefined
    const { uid, email } = kept
    if (typeof uid !== 'string' || typeof email !== 'string') return undefined
    return { uid, email, emailVerified: 'emailVerified' in kept && kept.emailVerified === true }
  } catch {
    // A browser that keeps nothing: people are signed in as long as the page is open.
    return undefined
  }
}

function keepPerson(page: Window, person: Person | undefined): void {
  try {
    if (person) page.localStorage.setItem(PERSON_KEY, JSON.stringify(person))
    else page.localStorage.removeItem(PERSON_KEY)
  } catch {
    // As above.
  }
}
