import type { BrowserContext, Page } from '@playwright/test'
import { answerWithoutSongs, locateRadioButton, locateStationOption, RADIO_API_PATTERN } from '../radio-steps.ts'
import { serveAppShell } from '../steps.ts'
import type { Screenshot } from './shot.ts'

const radioShot = { host: 'fm', path: '/' } as const

/** Opens the page from the app shell. `respondToCalls` answers its requests to the API of the radio. */
const createRadioSetup = (respondToCalls: (context: BrowserContext) => Promise<unknown>) => async (context: BrowserContext) => {
  await serveAppShell(context)
  await respondToCalls(context)
}
const failRadioRequests = (context: BrowserContext) => context.route(RADIO_API_PATTERN, (route) => route.abort('failed'))

async function playRadio(page: Page) {
  await locateRadioButton(page, 'Play').click()
  await page.locator('iframe').waitFor()
  await locateRadioButton(page, 'Pause').waitFor()
  // Waits, because the video platform fades a frame in.
  await page.waitForTimeout(600)
}

/** The screenshots of the radio host's page. */
export const radioScreenshots: readonly Screenshot[] = [
  { ...radioShot, name: 'radio' },
  { ...radioShot, name: 'radio-full', fullPage: true },
  { ...radioShot, name: 'radio-low', widths: [844], height: 390 },
  { ...radioShot, name: 'radio-playing', showState: playRadio },
  { ...radioShot, name: 'radio-playing-low', widths: [844], height: 390, showState: playRadio },
  { ...radioShot, name: 'radio-newcomers', showState: (page) => locateStationOption(page, /^Newcomers/).click() },
  {
    ...radioShot,
    name: 'radio-alone',
    showState: async (page, context) => {
      await playRadio(page)
      await failRadioRequests(context)
      await page.getByText('Our server is out of reach.').waitFor()
    },
  },
  {
    ...radioShot,
    name: 'radio-sleep',
    showState: (page) => locateRadioButton(page, 'Sleep timer').click(),
  },
  { ...radioShot, name: 'radio-loading', prepare: createRadioSetup((context) => context.route(RADIO_API_PATTERN, () => {})) },
  {
    ...radioShot,
    name: 'radio-empty',
    prepare: createRadioSetup((context) => context.route(RADIO_API_PATTERN, answerWithoutSongs)),
    showState: (page) => page.getByText('The radio has no songs yet.').waitFor(),
  },
  {
    ...radioShot,
    name: 'radio-offline',
    prepare: createRadioSetup(async (context) => {
      const song = { youtube_id: 'aaaaaaaaaaa', title: 'Velvet Circuit', author_name: 'Low Tide Club' }
      await context.addInitScript((text) => localStorage.setItem('varispeed.radio.heard', text), JSON.stringify(song))
      await failRadioRequests(context)
    }),
    showState: (page) => page.getByText('The radio comes back by itself.').waitFor(),
  },
]
