/** Timeout after which a call of a signed-in account fails like a network error, so that the page uses the stored login. */
const RESPONSE_TIMEOUT_MS = 3_000
/**
 * Time after a sign-in in which lookups have no timeout: the SDK looks the new account up, and there is no stored login to fall back to.
 */
const SIGN_IN_LOOKUP_MS = 60_000
/** Time for which the response of a late token renewal stays in memory, for the next call with the same refresh token. */
const LATE_RENEWAL_CACHE_MS = 10 * 60_000

const LOOKUP_PATH = /(?:^|\/)identitytoolkit\.googleapis\.com\/v1\/accounts:lookup$/
const SIGN_IN_PATH = /(?:^|\/)identitytoolkit\.googleapis\.com\/v1\/accounts:(?:signInWithPassword|signUp|update)$/
const RENEWAL_PATH = /(?:^|\/)securetoken\.googleapis\.com\/v1\/token$/

/** Returns whether a URL issues or renews an ID token or looks up its account, on this origin or at Firebase. */
export const isTokenCall = ({ host, pathname }: URL): boolean =>
  [LOOKUP_PATH, SIGN_IN_PATH, RENEWAL_PATH].some((path) => path.test(host + pathname))

interface TokenCallsDeps {
  fetch: (request: Request) => Promise<Response>
  responseTimeoutMs?: number
}

/**
 * Limits the duration of token calls of an account that is already signed in to a few seconds: the Firebase SDK waits up to 30 s before it
 * reports the account, and keeps the login after a network error. A sign-in and the lookup that belongs to it have the SDK's own timeout. A
 * late renewal has already consumed its refresh token, so its response is stored for the next call with the same token. Simultaneous calls
 * of several tabs share one response.
 */
export function createTokenCallHandler({ fetch, responseTimeoutMs = RESPONSE_TIMEOUT_MS }: TokenCallsDeps) {
  const renewalByBody = new Map<string, Promise<Response>>()
  let signInEndsMs = -1

  function renewToken(request: Request, bodyText: string): Promise<Response> {
    const runningRenewal = renewalByBody.get(bodyText)
    if (runningRenewal) return runningRenewal
    const forgetRenewal = () => renewalByBody.delete(bodyText)
    const responsePromise = fetch(request)
    renewalByBody.set(bodyText, responsePromise)
    responsePromise.then(({ ok }) => (ok ? setTimeout(forgetRenewal, LATE_RENEWAL_CACHE_MS) : forgetRenewal()), forgetRenewal)
    return responsePromise
  }

  /** Answers a token call. `waitUntil` keeps the worker alive until the network has responded. */
  async function answerCall(request: Request, waitUntil: (pendingCall: Promise<unknown>) => void): Promise<Response> {
    const { host, pathname } = new URL(request.url)
    const isRenewal = RENEWAL_PATH.test(host + pathname)
    if (SIGN_IN_PATH.test(host + pathname)) {
      const response = await fetch(request)
      signInEndsMs = performance.now() + SIGN_IN_LOOKUP_MS
      return response
    }
    if (!isRenewal && performance.now() < signInEndsMs) return fetch(request)
    const responsePromise = isRenewal ? renewToken(request, await request.clone().text()) : fetch(request)
    const callSettled = responsePromise.then(
      (response) => response.clone(),
      () => Response.error(),
    )
    waitUntil(callSettled)
    return Promise.race([callSettled, new Promise<Response>((resolve) => setTimeout(() => resolve(Response.error()), responseTimeoutMs))])
  }

  return {
    answer: answerCall,
    /** Deletes the stored tokens that the worker has renewed. Called at sign-out. */
    forget: () => renewalByBody.clear(),
  }
}
