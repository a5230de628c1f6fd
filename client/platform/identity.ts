import { SIGNED_IN_ACCOUNT_KEY } from '../../contract/account-snapshot.ts'
import type { Site } from '../../contract/site.ts'
import { createEmitter } from '../primitives/emitter.ts'
import { pageScope } from '../primitives/scope.ts'
import { loadOnce } from '../primitives/single-flight.ts'
import type { FirebaseAuth } from './firebase-auth.ts'
import { IdentityFailure, type SignedInAccount } from './identity-types.ts'
import { createWebStorage, type WebStorage } from './web-storage.ts'

/**
 * The page's access to accounts. The signed-in account is read synchronously from localStorage, also offline. The SDK is loaded when the page is
 * idle or first needs it.
 */
export interface Identity {
  getSnapshot(): SignedInAccount | undefined
  subscribe(listener: () => void): () => void
  /** Whether this page's account was signed out by another tab or by the server. */
  wasSignedOut(): boolean
  /** Loads the SDK. Rejects with an `IdentityFailure` if the SDK cannot be loaded. */
  open(): Promise<FirebaseAuth>
  /** Loads the SDK in advance, for a form that will need it. */
  preloadSdk(): void
  /** Signs out, also offline and without the SDK. Never rejects. */
  signOut(): Promise<void>
  /**
   * Returns a token that is valid for at least five minutes, or `undefined` if no account is signed in. `refusedToken` is a token that the site
   * rejected: it is renewed unless that has happened already. Rejects with an `IdentityFailure`.
   */
  token(refusedToken?: string): Promise<string | undefined>
  /** Returns a signal that aborts when the present login ends: at sign-out, or when another account signs in. */
  loginSignal(): AbortSignal
}

interface IdentityDeps {
  site: Pick<Site, 'firebase' | 'token_sync_url'>
  /** Whether the site is unreachable, in which case no token is renewed. */
  offline: () => boolean
  endSession: (refreshToken: string) => void
  page?: Window
}

/** Matches the localStorage keys under which the Firebase SDK stores its login. */
const SDK_STORAGE_KEY = /^firebase:authUser:/

const openStorage = (page: Window) => createWebStorage(() => page.localStorage)

export function createIdentity({ site, offline, endSession, page = window }: IdentityDeps): Identity {
  const personChanges = createEmitter()
  const storage = openStorage(page)
  let signedInAccount = readStoredAccount(storage)
  let isSigningOut = false
  let wasSignedOut = false
  let loginController = new AbortController()

  function endLogin() {
    loginController.abort()
    loginController = new AbortController()
  }

  function setPerson(newPerson: SignedInAccount | undefined) {
    if (isSamePerson(signedInAccount, newPerson)) return
    if (signedInAccount?.uid !== newPerson?.uid) endLogin()
    wasSignedOut = newPerson === undefined && !isSigningOut
    signedInAccount = newPerson
    personChanges.emit()
  }

  const loadTokenSync = loadOnce(() =>
    import('./token-sync.ts').then(({ createTokenSync }) => createTokenSync({ url: site.token_sync_url ?? '' })),
  )

  /** Sends the identity token to a second server, if the site names one (`token_sync_url`). Does not need the SDK. */
  function syncToken(token: string | undefined): void {
    if (site.token_sync_url === undefined) return
    loadTokenSync().then(
      (tokenSync) => tokenSync.setToken(token),
      () => {
        // A failure is ignored: without a network, neither the chunk can be loaded nor the token be sent. The next page load sends the
        // token of the account that is then signed in.
      },
    )
  }
  // The chunk is loaded at the start, so that a later sign-out can be sent. The absence of an account is sent, too, because the second
  // server may still have a login that this device has lost.
  if (signedInAccount === undefined) syncToken(undefined)
  else if (site.token_sync_url !== undefined) loadTokenSync().catch(() => {})

  const loadFirebaseAuth = loadOnce<FirebaseAuth>(() =>
    import('./firebase-auth.ts')
      .then(({ openFirebaseAuth }) =>
        openFirebaseAuth({
          site,
          offline,
          onToken: site.token_sync_url === undefined ? undefined : syncToken,
          endSession,
          onPerson(newPerson) {
            storePerson(page, newPerson)
            setPerson(newPerson)
          },
        }),
      )
      .catch((cause: unknown) => {
        throw cause instanceof IdentityFailure ? cause : new IdentityFailure('network-request-failed', { cause })
      }),
  )

  // Follows the sign-in and sign-out of other tabs, whether or not this tab has loaded the SDK.
  pageScope.listen(page, 'storage', ({ key }) => {
    if (key === SIGNED_IN_ACCOUNT_KEY || key === null) setPerson(readStoredAccount(storage))
  })
  // Checks again when the page is shown, because a page in the back/forward cache receives no storage events.
  pageScope.listen(page, 'pageshow', ({ persisted }) => {
    if (persisted && readStoredAccount(storage)?.uid !== signedInAccount?.uid) page.location.reload()
  })

  return {
    getSnapshot: () => signedInAccount,
    subscribe: personChanges.subscribe,
    wasSignedOut: () => wasSignedOut,
    open: loadFirebaseAuth,
    preloadSdk() {
      loadFirebaseAuth().catch(() => {
        // A failed load is ignored here, because the call that needs the SDK reports it.
      })
    },
    async signOut() {
      isSigningOut = true
      // The running API calls of the login are aborted first, because the server would refuse them once it has revoked the login.
      endLogin()
      try {
        await (await loadFirebaseAuth()).signOut()
      } catch {
        removeLogin(page)
      }
      storePerson(page, undefined)
      setPerson(undefined)
      syncToken(undefined)
      isSigningOut = false
      wasSignedOut = false
    },
    token: async (refusedToken) => (signedInAccount === undefined ? undefined : (await loadFirebaseAuth()).token(refusedToken)),
    loginSignal: () => loginController.signal,
  }
}

/** Comparing the JSON texts is sufficient, because every stored account has the same members in the same order. */
const isSamePerson = (a: SignedInAccount | undefined, b: SignedInAccount | undefined) => JSON.stringify(a) === JSON.stringify(b)

/** Returns the account that is signed in on this device, also in a page that the browser had suspended and whose `Identity` has not followed a change yet. */
export function readStoredAccount(storage: WebStorage): SignedInAccount | undefined {
  // Checks each member, because the value in localStorage can be anything. If localStorage is denied, a login lasts as long as the page.
  const storedPerson: Partial<Record<keyof SignedInAccount, unknown>> = Object(storage.readJson(SIGNED_IN_ACCOUNT_KEY))
  const { uid, email, emailVerified } = storedPerson
  return typeof uid === 'string' && typeof email === 'string' ? { uid, email, emailVerified: emailVerified === true } : undefined
}

function storePerson(page: Window, person: SignedInAccount | undefined): void {
  openStorage(page).write(SIGNED_IN_ACCOUNT_KEY, person && JSON.stringify(person))
  // Tells the service worker to delete the account snapshot, and the renewed tokens that it stores for a later call of a page.
  if (!person) page.navigator.serviceWorker?.controller?.postMessage({ type: 'SIGNED_OUT' })
}

/** Removes the login that the SDK has stored, without loading the SDK. */
function removeLogin(page: Window): void {
  try {
    for (const key of Object.keys(page.localStorage)) if (SDK_STORAGE_KEY.test(key)) page.localStorage.removeItem(key)
  } catch {
    // If the browser denies access to localStorage, no account is stored.
  }
}

const doNothing = () => {}

/** An identity without an account, for rendering on the server, which does not know the account. */
export const anonymousIdentity: Identity = {
  getSnapshot: () => undefined,
  wasSignedOut: () => false,
  subscribe: () => doNothing,
  open: () => new Promise(doNothing),
  preloadSdk: doNothing,
  signOut: async () => {},
  token: async () => undefined,
  loginSignal: () => new AbortController().signal,
}
