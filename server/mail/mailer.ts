import { setTimeout as sleep } from 'node:timers/promises'
import type { Config } from '../config.ts'
import type { Log } from '../log.ts'
import { createMailDelivery, isPermanentRefusal } from './delivery.ts'
import type { ClaimedMail, Mail, MailOutcome, MailStore } from './store.ts'

interface MailerDeps {
  config: Pick<Config, 'smtpUrl' | 'mailFrom' | 'dataDir'>
  mails: MailStore
  nowMs: () => number
  log: Log
}

/** The number of mails that are delivered at the same time. */
const CONCURRENT_DELIVERIES_MAX = 4
/** The time for which a process claims a mail. The process extends its claim during the attempt. */
const CLAIM_DURATION_MS = 30_000
/** The interval at which the queue is searched for mails of processes that have ended. */
const POLL_INTERVAL_MS = 60_000
const CLOSE_WAIT_MAX_MS = 8000
const MINUTE_MS = 60_000
const RETRY_DELAYS_MS = [1000, 10_000, MINUTE_MS, 5 * MINUTE_MS, 30 * MINUTE_MS, 2 * 60 * MINUTE_MS]
const OUTCOME_STORE_RETRY_MS = 2000

/**
 * Sends the mails of the queue in the background. Unsent mails survive the end of the process. A mail is sent twice only if, after the SMTP server
 * has accepted it, the process ends or cannot reach the database for longer than its claim, before it has stored the outcome.
 */
export function createMailer({ config, mails, nowMs, log }: MailerDeps) {
  const deliverMail = createMailDelivery(config, log)
  const runningDeliveries = new Set<Promise<void>>()
  const outcomeByMailId = new Map<string, MailOutcome>()
  let wakeTimer: NodeJS.Timeout | undefined
  let isMailerClosed = false

  async function attemptDelivery(mail: ClaimedMail): Promise<void> {
    const earlierOutcome = outcomeByMailId.get(mail.id)
    if (earlierOutcome !== undefined) return recordOutcome(mail, earlierOutcome)
    if (mail.expiresMs <= nowMs()) return recordOutcome(mail, { kind: 'failed', reason: 'it expired before it could be sent' })
    const claimExtensionTimer = setInterval(() => {
      mails
        .extendClaim(mail, nowMs() + CLAIM_DURATION_MS)
        .catch((err: unknown) => log.error({ err }, 'the claim of a mail could not be extended'))
    }, CLAIM_DURATION_MS / 3).unref()
    try {
      const deliveryOutcome = await deliverMail(mail).then(
        (): MailOutcome => ({ kind: 'sent', atMs: nowMs() }),
        (error: unknown) => toFailureOutcome(mail, error),
      )
      await recordOutcome(mail, deliveryOutcome)
    } finally {
      clearInterval(claimExtensionTimer)
    }
  }

  function toFailureOutcome(mail: ClaimedMail, error: unknown): MailOutcome {
    const failureReason = error instanceof Error ? error.message : String(error)
    const dueMs = nowMs() + (RETRY_DELAYS_MS[mail.attempts - 1] ?? RETRY_DELAYS_MS.at(-1) ?? 0)
    const isFinal = isPermanentRefusal(error) || dueMs >= mail.expiresMs
    log.error({ err: error, again: !isFinal }, 'a mail could not be sent')
    return isFinal ? { kind: 'failed', reason: failureReason } : { kind: 'postponed', dueMs, reason: failureReason }
  }

  /**
   * Stores the outcome of an attempt. If the database is unavailable, retries until it is available, so that this process does not send the mail
   * again.
   */
  async function recordOutcome(mail: ClaimedMail, outcome: MailOutcome): Promise<void> {
    outcomeByMailId.set(mail.id, outcome)
    for (;;) {
      try {
        await mails.settle(mail, outcome)
        outcomeByMailId.delete(mail.id)
        return
      } catch (error) {
        if (isMailerClosed) throw error
        log.error({ err: error }, 'the outcome of a mail could not be written')
        await sleep(OUTCOME_STORE_RETRY_MS, undefined, { ref: false })
      }
    }
  }

  async function deliverDueMails(): Promise<void> {
    while (!isMailerClosed) {
      const mail = await mails.claim(nowMs(), nowMs() + CLAIM_DURATION_MS)
      if (mail === undefined) return
      await attemptDelivery(mail)
    }
  }

  async function scheduleNextWake(): Promise<void> {
    const nextDueMs = (await mails.nextDueMs()) ?? Number.POSITIVE_INFINITY
    clearTimeout(wakeTimer)
    if (!isMailerClosed) wakeTimer = setTimeout(wakeMailer, Math.min(POLL_INTERVAL_MS, Math.max(0, nextDueMs - nowMs()))).unref()
  }

  function wakeMailer(): void {
    if (isMailerClosed || runningDeliveries.size >= CONCURRENT_DELIVERIES_MAX) return
    const deliveryPromise = deliverDueMails()
      .catch((err: unknown) => log.error({ err }, 'the queue of mails could not be read or written'))
      .then(scheduleNextWake)
      .catch(() => {
        wakeTimer = setTimeout(wakeMailer, POLL_INTERVAL_MS).unref()
      })
      .finally(() => runningDeliveries.delete(deliveryPromise))
    runningDeliveries.add(deliveryPromise)
  }

  for (let started = 0; started < CONCURRENT_DELIVERIES_MAX; started++) wakeMailer()

  return {
    /** Stores the mail, and returns before it is sent. */
    async send(mail: Mail): Promise<void> {
      await mails.add(mail, nowMs())
      wakeMailer()
    },
    /** Starts the delivery of due mails, for instance of a mail that another store has added to the queue in its own transaction. */
    wake: wakeMailer,
    /** Starts no further delivery, and waits up to 8 seconds for those in progress. */
    async close(): Promise<void> {
      isMailerClosed = true
      clearTimeout(wakeTimer)
      await Promise.race([Promise.all(runningDeliveries), sleep(CLOSE_WAIT_MAX_MS, undefined, { ref: false })])
    },
  }
}
export type Mailer = ReturnType<typeof createMailer>
