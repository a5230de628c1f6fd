import type { BrowserContext } from '@playwright/test'

/** Failed log-ins from one address to one account that a service with limits allows here: so that no test need fail twenty times. */
export const LOG_INS_MAX = 4

/** What `journeys.ts` is run against: the site, with a service behind it that keeps the accounts. */
export interface IdentityPeer {
  name: string
  origin: string
  /** Where the service takes the calls that the browser's SDK makes. */
  serviceOrigin: string
  /** What it does otherwise than a Firebase project, in a sentence each. The journeys check that it still does. */
  gaps: Partial<Record<Gap, string>>
  /** Console errors that are always part of it. */
  faults: readonly RegExp[]
  /** Leads a browser's calls to the service. */
  enter(context: BrowserContext): Promise<void>
  /** The link of the mail that was sent to `email` and not read yet. */
  resetLinkFor(email: string): Promise<string>
  verifyLinkFor(email: string): Promise<string>
  disable(email: string): Promise<void>
  /** Lets so much time pass that no link which was mailed before works any more. */
  expireCodes(): Promise<void>
  stop(): Promise<void>
}

export type Gap =
  | 'no-password-policy'
  | 'tokens-unsigned'
  | 'sessions-survive-reset'
  | 'sessions-survive-change'
  | 'codes-never-expire'
  | 'older-links-work'
  | 'no-limits'
  | 'tells-who-is-here'
