import type { Site } from '../../contract/site.ts'
import type { FirebaseAuth } from './firebase-auth.ts'
import { IdentityFailure, type Person } from './person.ts'

/**
 * Accounts, as the page sees them. Who is signed in is known at once, with or without a network; the SDK is fetched when the page is idle
 * or first needs it.
 */
export interface Identity {
  getSnapshot(): Person | undefined
  subscribe(listener: () => void): () => void
  /** Whether who was signed in last on this page is not any more, without having signed out here. */
  wasSignedOut(): boolean
  /** What can be done about an account. Rejects with an `IdentityFailure` where the SDK does not come. */
  open(): Promise<FirebaseAuth>
  /** Fetches the SDK ahead, where a form will need it. */
  prepare(): void
  /** Works without a network, and without the SDK. Never rejects. */
  signOut(): Promise<void>
  /**
   * A token to send, good for five minutes at least; `undefined` where nobody is signed in. `refused`: one that the site has not
   * taken, so that it is renewed unless that has happened already. Rejects with an `IdentityFailure`.
   */
  token(refused?: string): Promise<string | undefined>
}

interface IdentityDeps {
  site: Pick<Site, 'firebase' | 'token_sync_url'>
  /** Whether asking the network is known to be in vain: then no token is renewed. */
  offline: () => boolean
  /** Lets the site forget a session. */
  endSession: (refreshToken: string) => void
  page?: Window
}

/** In the same storage as the SDK's own session, so that neither is there without the other. */
const PERSON_KEY = 'signed-in'
/** How the SDK names what it keeps of a session. */
const SDK_KEYS = /^firebase:authUser:/

export function createIdentity({ site, offline, endSession, page = window }: IdentityDeps): Identity {
  const listeners = new Set<() => void>()
  let person = readPerson(page)
  let leaving = false
  let signedOut = false
  let loading: Promise<FirebaseAuth> | undefined

  function show(next: Person | undefined) {
    if (samePerson(person, next)) return
    signedOut = next === undefined && !leaving
    person = next
    for (const listener of [...listeners]) listener()
  }

  function load(): Promise<FirebaseAuth> {
    loading ??= import('./firebase-auth.ts')
      .then(({ openFirebaseAuth }) =>
        openFirebaseAuth({
          site,
          wasSignedIn: person !== undefined,
          offline,
          endSession,
          onPerson(next) {
            keepPerson(page, next)
            show(next)
          },
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
    if (persisted && readPerson(page)?.uid !== person?.uid) page.location.reload()
  })

  return {
    getSnapshot: () => person,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    wasSignedOut: () => signedOut,
    open: load,
    prepare() {
      load().catch(() => {
        // Said by what needs it.
      })
    },
    async signOut() {
      leaving = true
      try {
        await (await load()).signOut()
      } catch {
        dropSession(page)
      }
      keepPerson(page, undefined)
      show(undefined)
      leaving = false
      signedOut = false
    },
    token: async (refused) => (person === undefined ? undefined : (await load()).token(refused)),
  }
}

/** They have the same members in the same order. */
const samePerson = (a: Person | undefined, b: Person | undefined) => JSON.stringify(a) === JSON.stringify(b)

function readPerson(page: Window): Person | undefined {
  try {
    // Whatever stands there: each member is looked at.
    const kept: Partial<Record<keyof Person, unknown>> = JSON.parse(page.localStorage.getItem(PERSON_KEY) ?? '0') ?? 0
    const { uid, email, emailVerified } = kept
    return typeof uid === 'string' && typeof email === 'string' ? { uid, email, emailVerified: emailVerified === true } : undefined
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
  // It may have a renewed session that no page has taken.
  if (!person) page.navigator.serviceWorker?.controller?.postMessage({ type: 'SIGNED_OUT' })
}

/** The SDK's session, without the SDK. */
function dropSession(page: Window): void {
  try {
    for (const key of Object.keys(page.localStorage)) if (SDK_KEYS.test(key)) page.localStorage.removeItem(key)
  } catch {
    // As above.
  }
}
