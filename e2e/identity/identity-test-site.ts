import type { BrowserContext } from '@playwright/test'

/**
 * The number of failed logins to one account from one IP address after which the service blocks the login. To shorten the tests, it is
 * lower than in production.
 */
export const FAILED_LOGINS_MAX = 4

/** A running site with one of the tested identity services. `journeys.ts` declares the tests that run with each of them. */
export interface IdentityTestSite {
  serviceName: string
  origin: string
  /** The origin of the service's Identity Toolkit API. */
  serviceOrigin: string
  /**
   * The differences between the service and a Firebase project, each with a description. The tests check that each difference still exists.
   */
  knownDifferences: Partial<Record<FirebaseDifference, string>>
  /** The console errors that every test with this service must expect. */
  expectedErrors: readonly RegExp[]
  /** Routes a browser's identity requests to the service. */
  routeRequests(context: BrowserContext): Promise<void>
  /** Waits for an unread password reset mail to `email`, and returns its link. */
  waitForResetLink(email: string): Promise<string>
  /** Waits for an unread mail that verifies `email`, and returns its link. */
  waitForVerifyLink(email: string): Promise<string>
  /** Disables the account with this email address. */
  disableAccount(email: string): Promise<void>
  /** Advances the service's clock until all mailed links have expired. */
  expireCodes(): Promise<void>
  stop(): Promise<void>
}

/** A way in which an identity service differs from a Firebase project. */
export type FirebaseDifference =
  | 'no-password-policy'
  | 'tokens-unsigned'
  | 'sessions-survive-reset'
  | 'sessions-survive-change'
  | 'codes-never-expire'
  | 'older-links-work'
  | 'no-limits'
  | 'reveals-accounts'
