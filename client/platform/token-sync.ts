/** The first wait after a failure; each further one is twice as long, up to the longest. */
const FIRST_RETRY_MS = 30_000
const LONGEST_RETRY_MS = 16 * 60_000
const TIMEOUT_MS = 30_000

export interface TokenSync {
  /** The token of who is signed in; `undefined` once nobody is. */
  tell(token: string | undefined): void
  close(): void
}

interface TokenSyncDeps {
  url: string
  fetch?: typeof globalThis.fetch
  page?: Pick<Window, 'addEventListener' | 'removeEventListener'>
}

/**
 * Keeps a server elsewhere told of the identity token: POST with it as bearer, DELETE when there is none. What fails is tried
 * again, later each time, and at once when the connection is back; only the newest token counts.
 */
export function createTokenSync({ url, fetch = globalThis.fetch.bind(globalThis), page = window }: TokenSyncDeps): TokenSync {
  let told: { token: string | undefined } | undefined
  let waitMs = FIRST_RETRY_MS
  let timer: ReturnType<typeof setTimeout> | undefined
  let sending: AbortController | undefined

  async function send(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    sending?.abort()
    if (!told) return
    const mine = new AbortController()
    sending = mine
    const { token } = told
    try {
      const response = await fetch(url, {
        ...(token === undefined ? { method: 'DELETE' } : { method: 'POST', headers: { Authorization: `Bearer ${token}` } }),
        signal: AbortSignal.any([mine.signal, AbortSignal.timeout(TIMEOUT_MS)]),
      })
      if (!response.ok) throw new Error(`The token's second home answered ${response.status}.`)
      if (sending === mine) waitMs = FIRST_RETRY_MS
    } catch {
      // A newer token is on its way.
      if (sending !== mine) return
      timer = setTimeout(send, waitMs)
      waitMs = Math.min(LONGEST_RETRY_MS, waitMs * 2)
    }
  }

  const onOnline = () => {
    if (timer !== undefined) void send()
  }
  page.addEventListener('online', onOnline)

  return {
    tell(token) {
      if (told && told.token === token) return
      told = { token }
      waitMs = FIRST_RETRY_MS
      void send()
    },
    close() {
      clearTimeout(timer)
      timer = undefined
      told = undefined
      sending?.abort()
      sending = undefined
      page.removeEventListener('online', onOnline)
    },
  }
}
