import { createCleanupScope, type ListenerTarget } from '../primitives/scope.ts'

/** The delay in milliseconds after the first failure. Each further delay is twice as long, up to the longest. */
const FIRST_RETRY_DELAY_MS = 30_000
const LONGEST_RETRY_DELAY_MS = 16 * 60_000
const REQUEST_TIMEOUT_MS = 30_000

interface TokenSyncDeps {
  url: string
  fetch?: typeof globalThis.fetch
  page?: ListenerTarget
}

/**
 * Sends the identity token to another server: POST with the token as bearer, DELETE without a token. A failed request is repeated with growing
 * delays, and immediately when the device has a network again. Only the latest token is sent.
 */
export function createTokenSync({ url, fetch = globalThis.fetch.bind(globalThis), page = window }: TokenSyncDeps) {
  const scope = createCleanupScope()
  let latestToken: { token: string | undefined } | undefined
  let retryDelayMs = FIRST_RETRY_DELAY_MS
  let cancelRetry: (() => void) | undefined
  let requestController: AbortController | undefined

  function abortRequest(): void {
    cancelRetry?.()
    cancelRetry = undefined
    requestController?.abort()
    requestController = undefined
  }

  async function sendToken(): Promise<void> {
    abortRequest()
    if (!latestToken) return
    const currentRequest = new AbortController()
    requestController = currentRequest
    const { token } = latestToken
    const init: RequestInit = token === undefined ? { method: 'DELETE' } : { method: 'POST', headers: { Authorization: `Bearer ${token}` } }
    try {
      const response = await fetch(url, {
        ...init,
        signal: AbortSignal.any([currentRequest.signal, AbortSignal.timeout(REQUEST_TIMEOUT_MS)]),
      })
      if (!response.ok) throw new Error(`${url} answered the token with status ${response.status}`)
      if (requestController === currentRequest) retryDelayMs = FIRST_RETRY_DELAY_MS
    } catch {
      // A failure is ignored if a newer token is already being sent.
      if (requestController !== currentRequest) return
      cancelRetry = scope.timeout(sendToken, retryDelayMs)
      retryDelayMs = Math.min(LONGEST_RETRY_DELAY_MS, retryDelayMs * 2)
    }
  }

  scope.listen(page, 'online', () => {
    if (cancelRetry) void sendToken()
  })
  scope.add(() => {
    latestToken = undefined
    abortRequest()
  })

  return {
    /** Sets the token of the signed-in account; `undefined` after a sign-out. */
    setToken(token: string | undefined) {
      if (latestToken && latestToken.token === token) return
      latestToken = { token }
      retryDelayMs = FIRST_RETRY_DELAY_MS
      void sendToken()
    },
    close: scope.dispose,
  }
}
