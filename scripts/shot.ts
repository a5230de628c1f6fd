import type { BrowserContext, BrowserContextOptions, Page } from '@playwright/test'

/** A state of a page that `npm run shots` takes a picture of. */
export interface Shot {
  name: string
  path: string
  /** Brings the page into the state; without it the route as it opens. */
  act?: (page: Page, context: BrowserContext) => Promise<unknown>
  /** Before the page is opened. */
  prepare?: (context: BrowserContext) => Promise<unknown>
  /** The whole page, not only what is seen at first. */
  whole?: boolean
  /** With the service worker, which the other pictures do without. */
  worker?: boolean
  /** Another device than the plain desktop browser. */
  device?: BrowserContextOptions
  /** Only at these widths. */
  widths?: readonly number[]
}
