/** Longer than that nobody waits for a word on the session: it stays as it is. */
const ANSWER_WITHIN_MS = 3_000
/** How long a renewed session is kept for the page that did not wait for it. */
const LATE_KEPT_MS = 10 * 60_000

const LOOKUP = /(?:^|\/)identitytoolkit\.googleapis\.com\/v1\/accounts:lookup$/
const RENEWAL = /(?:^|\/)securetoken\.googleapis\.com\/v1\/token$/

/** Whether a session is checked or renewed by a call, to this origin or to the project that keeps the accounts. */
export const isSessionCall = ({ host, pathname }: URL): boolean => LOOKUP.test(host + pathname) || RENEWAL.test(host + pathname)

interface SessionCallsDeps {
  fetch: (request: Request) => Promise<Response>
  answerWithinMs?: number
}

/**
 * Answers calls about the session within seconds: the SDK waits for half a minute before it says who is signed in, and takes a
 * failure of the network for no word against the session. A renewal that comes too late has used up its refresh token, so it is kept
 * for the next that shows the same one; tabs that ask at once get the same answer.
 */
export function createSessionCalls({ fetch, answerWithinMs = ANSWER_WITHIN_MS }: SessionCallsDeps) {
  const renewals = new Map<string, Promise<Response>>()

  function renewal(request: Request, shown: string): Promise<Response> {
    const running = renewals.get(shown)
    if (running) return running
    const forget = () => renewals.delete(shown)
    const answer = fetch(request)
    renewals.set(shown, answer)
    answer.then(({ ok }) => (ok ? setTimeout(forget, LATE_KEPT_MS) : forget()), forget)
    return answer
  }

  /** `waitUntil` lets what is under way come to its end. */
  async function answer(request: Request, waitUntil: (work: Promise<unknown>) => void): Promise<Response> {
    const isRenewal = RENEWAL.test(new URL(request.url).host + new URL(request.url).pathname)
    const work = isRenewal ? renewal(request, await request.clone().text()) : fetch(request)
    const done = work.then(
      (response) => response.clone(),
      () => Response.error(),
    )
    waitUntil(done)
    return Promise.race([done, new Promise<Response>((resolve) => setTimeout(() => resolve(Response.error()), answerWithinMs))])
  }

  return {
    answer,
    /** Nothing is kept of a session that has ended on this device. */
    forget: () => renewals.clear(),
  }
}
