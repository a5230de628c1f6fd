import type { BrowserContext, BrowserContextOptions, Page } from '@playwright/test'

/** A page in a certain state, of which `npm run shots` takes a screenshot. */
export interface Screenshot {
  name: string
  path: string
  /** The host of the brand: its main site, which is the default, or its radio. */
  host?: 'fm'
  /** Brings the opened page into the state of the screenshot. */
  showState?: (page: Page, context: BrowserContext) => Promise<unknown>
  /** Prepares the browser context before the page is opened. */
  prepare?: (context: BrowserContext) => Promise<unknown>
  /** Whether the screenshot shows the full page instead of the viewport. */
  fullPage?: boolean
  /** Whether the service worker is allowed. It is blocked by default. */
  allowsServiceWorker?: boolean
  /** The Playwright context options of an emulated device. The default is a desktop browser. */
  device?: BrowserContextOptions
  /** The viewport widths in CSS pixels, if the screenshot is not taken in all default widths. */
  widths?: readonly number[]
  /** The viewport height in CSS pixels, if it differs from the default height for the width. */
  height?: number
}
