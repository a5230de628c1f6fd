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
/** The number of times that a push is sent, one try with each check, if the push service is unavailable. */
export const PUSH_TRIES_MAX = 6

interface NewSongPushDeps {
  pushes: PushStore
  vapidKey: VapidKey
  /** The URL or `mailto:` address by which push services reach the site's admins. */
  contact: string
  nowMs: () => number
  log: Log
}

/**
 * Returns a function that, after the catalogue has changed, sends a push with the number of new songs of followed artists to the browsers of the
 * accounts that follow them. It returns the number of sent pushes, and must not be called again before it has ended.
 */
export function createNewSongPushes({ pushes, vapidKey, contact, nowMs, log }: NewSongPushDeps): () => Promise<number> {
  /** For each endpoint whose push service was unavailable at the last check, the number of tries. */
  let triesByEndpoint: ReadonlyMap<string, number> = new Map()

  return async () => {
    const [pushRevision, atMs] = [await pushes.readRevision(), nowMs()]
    const triesBefore = triesByEndpoint
    const failedTries = new Map<string, number>()
    triesByEndpoint = failedTries
    let sentCount = 0
    for (let lastEndpoint = ''; ; ) {
      const page = await pushes.listDue(pushRevision, {
        sentBeforeMs: atMs - PUSH_INTERVAL_MIN_MS,
        after: lastEndpoint,
        limit: SUBSCRIPTIONS_PER_PAGE,
      })
      for (const pushSubscription of page) {
        const { endpoint, uid, checked } = pushSubscription
        lastEndpoint = endpoint
        const newSongs = await pushes.countNewSongs(uid, { sinceMs: checked, untilMs: atMs })
        // A check that finds nothing leaves `checked`, because an import adds songs that are dated before it.
        const claimedMarks = {
          revision: pushRevision,
          checked: newSongs.newestMs,
          sent: newSongs.count > 0 ? atMs : pushSubscription.sent,
        }
        const isPushClaimed = await pushes.replaceMarks(endpoint, pushSubscription, claimedMarks)
        if (newSongs.count === 0 || !isPushClaimed) continue
        const pushOutcome = await sendPush(pushSubscription, { songs: newSongs.count }, { vapidKey, contact, nowMs: atMs })
        if (pushOutcome === 'sent') sentCount += 1
        else if (pushOutcome === 'gone') await pushes.unsubscribe(endpoint)
        else {
          log.warn({ service: new URL(endpoint).host }, 'a push was not accepted')
          const tryCount = (triesBefore.get(endpoint) ?? 0) + 1
          const isTriedAgain = pushOutcome === 'unavailable' && tryCount < PUSH_TRIES_MAX
          if (isTriedAgain) failedTries.set(endpoint, tryCount)
          // The songs of a push that is not tried again are counted in the next one.
          await pushes.replaceMarks(endpoint, claimedMarks, isTriedAgain ? pushSubscription : { ...claimedMarks, checked })
        }
      }
      if (page.length < SUBSCRIPTIONS_PER_PAGE) return sentCount
    }
  }
}

/** Sends pushes after each change of the catalogue. Returns a function that stops them, and resolves when none is being sent. */
export function startNewSongPushes(deps: NewSongPushDeps): () => Promise<void> {
  let runPromise: Promise<unknown> = Promise.resolve()
  let isSendingPushes = false
  const sendNewSongPushes = createNewSongPushes(deps)
  const sendPushes = () => {
    if (isSendingPushes) return
    isSendingPushes = true
    runPromise = sendNewSongPushes()
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
