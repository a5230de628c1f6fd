import type { ClickTarget, WebsiteTexts } from '../../../contract/website-rules.ts'

/** A subscriber's website. */
export interface StoredWebsite extends WebsiteTexts {
  uid: string
  /** The address, if the owner has verified it; else empty. */
  email: string
  enabled: 'yes' | 'no'
}

/** The time in milliseconds for which an earlier domain name leads to the website, and nobody else can have it. */
export const EARLIER_NAME_MS = 30 * 86_400_000

/** The time in milliseconds for which nobody gets a domain name of a deleted account, whose visitors would take the new site for the old one. */
export const DELETED_NAME_MS = 90 * 86_400_000

/** `taken`: somebody else has the domain name. `too-many`: the account holds too many earlier names. */
export type NameOutcome = 'done' | 'taken' | 'too-many'

/** The websites of the subscribers, by uid, and the domain names that lead to them. */
export interface WebsiteStore {
  find(uid: string): Promise<StoredWebsite | undefined>
  /**
   * Returns the website that a domain name leads to at `atMs`, and whether visitors see it: it is enabled, and its owner a subscriber. The website's
   * `domain_name` differs from an earlier name.
   */
  resolve(domainName: string, atMs: number): Promise<{ website: StoredWebsite; isLive: boolean } | undefined>
  /** Stores a website with its domain name. An earlier name of the account leads to the new one until `EARLIER_NAME_MS` after `atMs`. */
  save(website: StoredWebsite, atMs: number): Promise<NameOutcome>
  /** Stores the uploaded banner of a website, or deletes it. */
  saveBanner(uid: string, picture: Buffer | undefined): Promise<void>
  hasBanner(uid: string): Promise<boolean>
  /** Returns the banner with a hash, which its picture's source names. */
  readBanner(hash: string): Promise<Buffer | undefined>
  /** Counts a click on a day, counted from 1970-01-01 UTC. */
  countClick(uid: string, target: ClickTarget, day: number): Promise<void>
  /** Returns the clicks from a day on, the most first. */
  listClicks(uid: string, firstDay: number): Promise<{ target: ClickTarget; count: number }[]>
  deleteAll(uid: string, atMs: number): Promise<void>
}
