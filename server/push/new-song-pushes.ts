import { DAY_MS } from '../durations.ts'
import type { Log } from '../log.ts'
import type { PushStore } from './store.ts'
import { sendPush, type VapidKey } from './web-push.ts'

/** The interval at which the server checks whether the catalogue has changed. */
const CHECK_INTERVAL_MS = 10 * 60_000
/**
 * The minimum time in milliseconds between two pushes to a browser. It is shorter than a day, so that daily imports at slightly different times each
 * cause a push.
 */
const PUSH_INTERVAL_MIN_MS = DAY_MS - 4 * 3_600_000
const SUBSCRIPTIONS_PER_PAGE = 100

interface NewSongPushDeps {
  pushes: PushStore
  vapidKey: VapidKey
  /** The URL or `mailto:` address by which push services reach the site's admins. */
  contact: string
  nowMs: () => number
  log: Log
}

/**
 * After the catalogue has changed, sends a push with the number of new songs of followed artists to the browsers of the accounts that follow them.
 * Returns the number of sent pushes.
 */
export async function sendNewSongPushes({ pushes, vapidKey, contact, nowMs, log }: NewSongPushDeps): Promise<number> {
  const [pushRevision, atMs] = [await pushes.readRevision(), nowMs()]
  let sentCount = 0
  for (let lastEndpoint = ''; ; ) {
    const page = await pushes.listDue(pushRevision, {
      sentBeforeMs: atMs - PUSH_INTERVAL_MIN_MS,
      after: lastEndpoint,
      limit: SUBSCRIPTIONS_PER_PAGE,
    })
    for (const pushSubscription of page) {
      lastEndpoint = pushSubscription.endpoint
      const newSongCount = await pushes.countNewSongs(pushSubscription.uid, { sinceMs: pushSubscription.checked, untilMs: atMs })
      const isPushClaimed = await pushes.claim(pushSubscription, {
        revision: pushRevision,
        checked: atMs,
        ...(newSongCount > 0 && { sent: atMs }),
      })
      if (newSongCount === 0 || !isPushClaimed) continue
      const pushOutcome = await sendPush(pushSubscription, { songs: newSongCount }, { vapidKey, contact, nowMs: atMs })
      if (pushOutcome === 'sent') sentCount += 1
      if (pushOutcome === 'gone') await pushes.unsubscribe(pushSubscription.endpoint)
      if (pushOutcome === 'failed') log.warn({ service: new URL(pushSubscription.endpoint).host }, 'a push was not accepted')
    }
    if (page.length < SUBSCRIPTIONS_PER_PAGE) return sentCount
  }
}

/** Sends pushes after each change of the catalogue. Returns a function that stops them, and resolves when none is being sent. */
export function startNewSongPushes(deps: NewSongPushDeps): () => Promise<void> {
  let runPromise: Promise<unknown> = Promise.resolve()
  let isSendingPushes = false
  const sendPushes = () => {
    if (isSendingPushes) return
    isSendingPushes = true
    runPromise = sendNewSongPushes(deps)
      .catch((err: unknown) => deps.log.error({ err }, 'pushes of new songs could not be sent'))
      .finally(() => {
        isSendingPushes = false
      })
  }
  const timer = setInterval(sendPushes, CHECK_INTERVAL_MS).unref()
  return async () => {
    clearInterval(timer)
    await runPromise
  }
}
