export interface Mail {
  to: string
  /** The address that an answer goes to, instead of the site's. */
  replyTo?: string | undefined
  subject: string
  text: string
  /** The link in the mail's text. It is logged if mails are written to files, because an administrator has to pass it on. */
  link?: string | undefined
  /** The time in epoch milliseconds from which the mail is useless, for instance because its code has expired. */
  expiresMs: number
}

/** A mail that a process has claimed for one attempt. */
export interface ClaimedMail extends Mail {
  /** A UUID, which is the same in every attempt. */
  id: string
  createdMs: number
  /** The number of attempts including this one. */
  attempts: number
}

/** What identifies a claim: every attempt is another one. */
export type MailClaim = Pick<ClaimedMail, 'id' | 'attempts'>

export type MailOutcome =
  | { kind: 'sent'; atMs: number }
  /** The attempt failed; the next one is due at `dueMs`. */
  | { kind: 'postponed'; dueMs: number; reason: string }
  /** No further attempt is made. */
  | { kind: 'failed'; reason: string }

/** What became of a mail. */
export interface MailState {
  kind: 'waiting' | 'sent' | 'failed'
  /** The time when the mail was sent, in ISO 8601 UTC. */
  sent?: string
  /** The reason of the last failed attempt. */
  failure?: string
}

/** The queue of mails, which every process of the site shares. */
export interface MailStore {
  /** Stores a mail, which is due at once. */
  add(mail: Mail, atMs: number): Promise<void>
  /** Claims the due mail that expires first, until `untilMs`: no other process receives it before. */
  claim(atMs: number, untilMs: number): Promise<ClaimedMail | undefined>
  /** Extends a claim. Does nothing if it has ended and another attempt has begun. */
  extendClaim(claim: MailClaim, untilMs: number): Promise<void>
  /** Ends a claim. Does nothing if another attempt has begun since, unless this one has sent the mail. */
  settle(claim: MailClaim, outcome: MailOutcome): Promise<void>
  /** Returns the time of the next attempt of all mails, in epoch milliseconds; undefined if none is waiting. */
  nextDueMs(): Promise<number | undefined>
}
